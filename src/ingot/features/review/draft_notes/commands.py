"""Creating and changing draft notes. Drafts that could not be published are refused."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from ingot.access.call import Call
from ingot.features.planning.issuables import Noteable
from ingot.features.planning.notes import (
    NoteRow,
    Position,
    can_be_answered,
    check_body,
    checked_commit,
    checked_position,
    first_note,
    may_resolve,
)
from ingot.features.review.draft_notes.params import CreateDraftNote
from ingot.features.review.draft_notes.queries import drafts_of
from ingot.features.review.draft_notes.rows import DraftNoteRow
from ingot.features.review.draft_notes.tables import draft_notes
from ingot.features.spaces.projects import repository_of
from ingot.kit.clock import now
from ingot.kit.errors import BadRequest, Invalid

# Lists have no pages, and publishing is one transaction.
MOST = 200
MOST_TEXT = 4 << 20  # characters


def find_thread(call: Call, noteable: Noteable, discussion_id: str) -> NoteRow:
    """The first note of the discussion that a draft answers; 400 where there is none to answer."""
    first = first_note(call.conn, noteable, call.actor, discussion_id)
    if first is None or not can_be_answered(noteable, first):
        raise Invalid({"base": ["Thread to reply to cannot be found"]})
    return first


def new_draft(call: Call[CreateDraftNote], noteable: Noteable) -> dict[str, Any]:
    """The checked values of a new draft."""
    options = call.params
    check_body(options.note)
    values: dict[str, Any] = {"note": options.note, "resolve_discussion": options.resolve_discussion}
    if options.commit_id and options.commit_id != "undefined":
        values["commit_id"] = checked_commit(call, options.commit_id)
    if not options.in_reply_to_discussion_id:
        if options.resolve_discussion:
            raise Invalid({"base": ["User is not allowed to resolve thread"]})
        return values | placed(call, options.position)
    first = find_thread(call, noteable, options.in_reply_to_discussion_id)
    if options.resolve_discussion and not may_resolve(call.actor, noteable, first):
        raise Invalid({"base": ["User is not allowed to resolve thread"]})
    place = {"position": first.position, "line_code": first.line_code}
    return values | place | {"discussion_id": first.discussion_id}


def placed(call: Call, position: Position | None) -> dict[str, Any]:
    """The values of a diff position, or of none."""
    if position is None:
        return {"position": None, "line_code": None}
    stored, line_code = checked_position(repository_of(call.services, call.project), position)
    return {"position": stored, "line_code": line_code}


def create_draft(tx: Connection, merge_request_id: int, author_id: int, values: Mapping[str, object]) -> DraftNoteRow:
    """Store a new draft."""
    mine = drafts_of(merge_request_id, author_id)
    if tx.execute(select(func.count()).select_from(draft_notes).where(mine)).scalar_one() >= MOST:
        raise BadRequest(f"A merge request has at most {MOST} draft notes of one person; publish or delete some")
    _check_size(tx, mine, str(values["note"]))
    moment = now()
    created = insert(draft_notes).values(
        **values, merge_request_id=merge_request_id, author_id=author_id, created_at=moment, updated_at=moment
    )
    row: DraftNoteRow = tx.execute(created.returning(*draft_notes.c)).one()
    return row


def update_draft(tx: Connection, row: DraftNoteRow, values: Mapping[str, object]) -> None:
    """Change a draft."""
    others = drafts_of(row.merge_request_id, row.author_id) & (draft_notes.c.id != row.id)
    _check_size(tx, others, str(values["note"]))
    tx.execute(update(draft_notes).where(draft_notes.c.id == row.id).values(**values, updated_at=now()))


def _check_size(tx: Connection, others: ColumnElement[bool], note: str) -> None:
    size = tx.execute(select(func.coalesce(func.sum(func.length(draft_notes.c.note)), 0)).where(others)).scalar_one()
    if size + len(note) > MOST_TEXT:
        raise BadRequest(f"Draft notes of one person have at most {MOST_TEXT} characters together; publish some")
