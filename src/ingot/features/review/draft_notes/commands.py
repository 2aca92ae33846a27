"""Creating and changing draft notes. Drafts that could not be published are refused."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from ingot.access.call import Call
from ingot.features.planning.issuables import Noteable
from ingot.features.planning.notes import (
    NoteRow,
    Position,
    can_be_answered,
    check_body,
    checked_commit,
    checked_position,
    may_resolve,
    of_discussions,
)
from ingot.features.review.draft_notes.params import CreateDraftNote
from ingot.features.review.draft_notes.queries import drafts_of
from ingot.features.review.draft_notes.rows import DraftNoteRow
from ingot.features.review.draft_notes.tables import draft_notes
from ingot.features.spaces.projects import repository_of
from ingot.kit.clock import now
from ingot.kit.errors import BadRequest, Invalid

MOST = 200  # lists have no pages, and publishing is one transaction


def find_thread(call: Call, noteable: Noteable, discussion_id: str) -> NoteRow:
    """The first note of the discussion that a draft answers; 400 where there is none to answer."""
    rows: list[NoteRow] = of_discussions(call.conn, noteable, call.actor, [discussion_id])
    if not rows or not can_be_answered(noteable, rows[0]):
        raise Invalid({"base": ["Thread to reply to cannot be found"]})
    return rows[0]


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
    count = select(func.count()).select_from(draft_notes).where(drafts_of(merge_request_id, author_id))
    if tx.execute(count).scalar_one() >= MOST:
        raise BadRequest(f"A merge request has at most {MOST} draft notes of one person; publish or delete some")
    moment = now()
    created = insert(draft_notes).values(
        **values, merge_request_id=merge_request_id, author_id=author_id, created_at=moment, updated_at=moment
    )
    row: DraftNoteRow = tx.execute(created.returning(*draft_notes.c)).one()
    return row


def update_draft(tx: Connection, draft_id: int, values: Mapping[str, object]) -> None:
    """Change a draft."""
    tx.execute(update(draft_notes).where(draft_notes.c.id == draft_id).values(**values, updated_at=now()))
