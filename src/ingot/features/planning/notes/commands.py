"""Changing notes: creating, replying, editing, deleting and resolving. Counts are updated in the same transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, Update, bindparam, delete, exists, insert, select, update

from ingot.features.people.event_log import COMMENTS, forget_targets, record_event
from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.issuables import Noteable, Target, find_kind
from ingot.features.planning.notes import proposals
from ingot.features.planning.notes.counts import hold, recount, restart_threads
from ingot.features.planning.notes.errors import invalid_note
from ingot.features.planning.notes.rows import NoteRow
from ingot.features.planning.notes.system import new_discussion_id
from ingot.features.planning.notes.tables import notes
from ingot.features.planning.todos import mention, settle
from ingot.features.spaces.projects import touch_activity
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now

BODY_LIMIT = 1_000_000


class NewNote(msgspec.Struct):
    """A note to be written. `thread`: the first note of the discussion that it answers."""

    body: str
    type: str | None = None
    internal: bool = False
    created_at: datetime | None = None
    commit_id: str | None = None
    position: dict[str, Any] | None = None
    line_code: str | None = None
    proposals: list[dict[str, Any]] = msgspec.field(default_factory=list)
    thread: Any = None
    is_resolved: bool = False
    in_review: bool = False
    """Others came with it, and whoever is told hears of all of them at once."""


def check_body(body: str) -> None:
    """400 for an empty or too long comment."""
    if not body.strip():
        raise invalid_note(note=["can't be blank"])
    if len(body) > BODY_LIMIT:
        raise invalid_note(note=[f"is too long (maximum is {BODY_LIMIT} characters)"])


_INSERT = insert(notes).returning(notes.c.id)
_ANSWER = _INSERT.values(starts_thread=~exists().where(notes.c.discussion_id == bindparam("answered")))


def create_note(tx: Connection, author_id: int, noteable: Noteable, new: NewNote) -> int:
    """Write a note; returns its id."""
    moment = new.created_at or now()
    thread = new.thread
    if thread is not None:
        hold(tx, noteable.type, noteable.id)
        if thread.type is None:
            _make_thread(tx, noteable, thread)
    resolved = {"resolved_at": moment, "resolved_by_id": author_id} if new.is_resolved else {}
    values = {
        "project_id": noteable.project.id,
        "noteable_type": noteable.type,
        "noteable_id": noteable.id,
        "commit_id": new.commit_id or noteable.commit_id,
        "author_id": author_id,
        "body": new.body,
        "type": new.type,
        "discussion_id": thread.discussion_id if thread is not None else new_discussion_id(),
        "internal": new.internal,
        "position": new.position,
        "original_position": new.position,
        "line_code": new.line_code,
        "resolvable": new.type is not None and noteable.has_threads,
        "created_at": moment,
        "updated_at": moment,
        **resolved,
    }
    if thread is None:
        created = tx.execute(_INSERT, {**values, "starts_thread": True}).scalar_one()
    else:
        created = tx.execute(_ANSWER, {**values, "answered": thread.discussion_id}).scalar_one()
    if new.proposals:
        proposals.store(tx, created, new.proposals)
    _touch(tx, noteable, author_id, internal=bool(new.internal))
    record_event(tx, "commented", noteable.project.id, author_id, (new.type or "Note", created), moment)
    details = {"in_review": True} if new.in_review else {}
    place = noteable.project.id
    report_change(tx, Change("note", "create", created, project_id=place, user_id=author_id, details=details))
    if noteable.id is not None and noteable.has_threads:  # nobody has to-do items for others
        target = Target(noteable.type, noteable.id, noteable.project.id)
        settle(tx, target, author_id)
        if not new.internal:
            mention(tx, target, author_id, new.body, created)
    return int(created)


def _make_thread(tx: Connection, noteable: Noteable, first: NoteRow) -> None:
    """Turn a single comment into a thread when it is answered."""
    tx.execute(
        update(notes).where(notes.c.id == first.id).values(type="DiscussionNote", resolvable=noteable.has_threads)
    )


@cache
def _of_kind(table: Table) -> Update:
    return update(table).where(table.c.id == bindparam("noteable"))


def _touch(tx: Connection, noteable: Noteable, user_id: int | None, *, internal: bool = False) -> None:
    recount(tx, noteable.type, noteable.id)
    if internal:
        return  # times are visible to users who may not see internal notes
    kind = find_kind(noteable.type)
    if kind is not None:
        tx.execute(_of_kind(kind.table), {"noteable": noteable.id, "updated_at": now()})
    if not getattr(noteable.row, "confidential", False):
        touch_activity(tx, noteable.project.id, user_id)


def edit_note(
    tx: Connection, user_id: int, noteable: Noteable, row: NoteRow, body: str, proposed: Sequence[Mapping[str, object]]
) -> None:
    """Change the text of a note."""
    if body == row.body:
        return
    moment = now()
    tx.execute(
        update(notes)
        .where(notes.c.id == row.id)
        .values(body=body, updated_at=moment, last_edited_at=moment, updated_by_id=user_id)
    )
    if row.type == "DiffNote":
        proposals.store(tx, row.id, proposed)
    _touch(tx, noteable, user_id, internal=row.internal)
    former: dict[str, object] = {"body": row.body}
    project_id = noteable.project.id
    report_change(tx, Change("note", "update", row.id, project_id=project_id, user_id=user_id, details=former))
    if noteable.id is not None and noteable.has_threads and not row.internal:
        mention(tx, Target(noteable.type, noteable.id, project_id), user_id, body, row.id, before=row.body)


def delete_note(tx: Connection, user_id: int, noteable: Noteable, row: NoteRow) -> None:
    """Remove a note and the reactions to it."""
    hold(tx, noteable.type, noteable.id)
    tx.execute(delete(award_emoji).where(award_emoji.c.awardable_type == "Note", award_emoji.c.awardable_id == row.id))
    tx.execute(delete(notes).where(notes.c.id == row.id))
    forget_targets(tx, COMMENTS, [row.id])
    if row.starts_thread:
        restart_threads(tx, [row.discussion_id])
    _touch(tx, noteable, user_id, internal=row.internal)


def resolve(
    tx: Connection, user_id: int | None, noteable: Noteable, which: ColumnElement[bool], *, by_push: bool = False
) -> int:
    """Resolve unresolved notes; returns how many."""
    moment, were_open = now(), _open_threads(tx, noteable)
    changed = tx.execute(
        update(notes)
        .where(which, notes.c.resolvable, notes.c.resolved_at.is_(None))
        .values(resolved_at=moment, resolved_by_id=user_id, resolved_by_push=by_push, updated_at=moment)
    ).rowcount
    if changed:
        _touch(tx, noteable, user_id)
    if changed and were_open and not _open_threads(tx, noteable):
        _report_all_resolved(tx, user_id, noteable)
    return int(changed)


def _open_threads(tx: Connection, noteable: Noteable) -> int:
    """How many threads are unresolved, of what counts them."""
    kind = find_kind(noteable.type)
    if kind is None or not kind.counts_unresolved_threads:
        return 0
    query = select(kind.table.c.unresolved_threads).where(kind.table.c.id == noteable.id)
    return int(tx.execute(query).scalar_one())


def _report_all_resolved(tx: Connection, user_id: int | None, noteable: Noteable) -> None:
    """Report that the last open thread was resolved."""
    kind, place = find_kind(noteable.type), noteable.project.id
    if kind is not None and noteable.id is not None:
        details = {"changed": {"blocking_discussions_resolved": {"previous": False, "current": True}}}
        report_change(tx, Change(kind.word, "update", noteable.id, place, user_id=user_id, details=details))


def unresolve(tx: Connection, user_id: int, noteable: Noteable, which: ColumnElement[bool]) -> int:
    """Reopen resolved notes; returns how many."""
    changed = tx.execute(
        update(notes)
        .where(which, notes.c.resolvable, notes.c.resolved_at.is_not(None))
        .values(resolved_at=None, resolved_by_id=None, resolved_by_push=None, updated_at=now())
    ).rowcount
    if changed:
        _touch(tx, noteable, user_id)
    return int(changed)


def is_resolved(conn: Connection, discussion_id: str) -> bool:
    """A thread is resolved when it has resolvable notes and all are resolved."""
    states = list(
        conn.execute(
            select(notes.c.resolved_at).where(notes.c.discussion_id == discussion_id, notes.c.resolvable)
        ).scalars()
    )
    return bool(states) and all(moment is not None for moment in states)
