"""Reading draft notes. Nobody reads those of others, administrators included."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, select

from ingot.features.review.draft_notes.rows import DraftNoteRow
from ingot.features.review.draft_notes.tables import draft_notes
from ingot.kit.errors import RecordNotFound


def drafts_of(merge_request_id: int, author_id: int) -> ColumnElement[bool]:
    """Condition: what a person has drafted on a merge request."""
    return (draft_notes.c.merge_request_id == merge_request_id) & (draft_notes.c.author_id == author_id)


def list_drafts(conn: Connection, merge_request_id: int, author_id: int) -> Sequence[DraftNoteRow]:
    """The drafts of a person on a merge request, oldest first."""
    query = select(draft_notes).where(drafts_of(merge_request_id, author_id)).order_by(draft_notes.c.id)
    return conn.execute(query).all()


def get_draft(conn: Connection, merge_request_id: int, author_id: int, draft_id: int) -> DraftNoteRow:
    """One draft of a person; 404 for those of others."""
    query = select(draft_notes).where(drafts_of(merge_request_id, author_id), draft_notes.c.id == draft_id)
    row: DraftNoteRow | None = conn.execute(query).one_or_none()
    if row is None:
        raise RecordNotFound
    return row
