"""Reading notes: lists, threads and single notes, limited to what the caller may read."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, func, select

from ingot.features.planning.issuables import Noteable
from ingot.features.planning.notes.params import ListNotes
from ingot.features.planning.notes.policy import readable_notes
from ingot.features.planning.notes.rows import NoteRow, ThreadNoteRow
from ingot.features.planning.notes.tables import notes
from ingot.kit.actor import Actor
from ingot.kit.statements import remember_rows, rows_by_id

# What says where a note belongs.
_PLACE = (
    notes.c.id, notes.c.project_id, notes.c.noteable_type, notes.c.noteable_id, notes.c.commit_id, notes.c.resolvable,
    notes.c.created_at,
)  # fmt: skip


def notes_of(noteable: Noteable) -> ColumnElement[bool]:
    """Condition: the notes of one noteable."""
    if noteable.type == "Commit":
        return and_(
            notes.c.project_id == noteable.project.id,
            notes.c.noteable_type == "Commit",
            notes.c.commit_id == noteable.commit_id,
        )
    return and_(notes.c.noteable_type == noteable.type, notes.c.noteable_id == noteable.id)


def listed(noteable: Noteable, actor: Actor, options: ListNotes) -> Select[Any]:
    """The notes of a noteable with filter and order."""
    query = select(notes).where(notes_of(noteable), readable_notes(actor, noteable.project))
    if options.activity_filter != "all_notes":
        query = query.where(notes.c.system.is_(options.activity_filter == "only_activity"))
    column = notes.c[options.order_by]
    if options.sort == "desc":
        return query.order_by(column.desc(), notes.c.id.desc())
    return query.order_by(column, notes.c.id)


def discussion_ids(noteable: Noteable, actor: Actor) -> Select[Any]:
    """The threads of a noteable, oldest first."""
    query = select(notes.c.discussion_id).where(
        notes_of(noteable), notes.c.starts_thread, readable_notes(actor, noteable.project)
    )
    return query.order_by(notes.c.created_at, notes.c.id)


def of_discussions(conn: Connection, noteable: Noteable, actor: Actor, ids: Sequence[str]) -> list[Any]:
    """All notes of some threads, in the order of the ids."""
    if not ids:
        return []
    # Found by their ids alone: an order or the noteable itself in the statement tempts databases to read all its notes.
    query = select(notes).where(notes.c.discussion_id.in_(ids), readable_notes(actor, noteable.project))
    place = {key: at for at, key in enumerate(ids)}
    here = [row for row in conn.execute(query) if _is_about(row, noteable)]
    remember_rows(conn, _EDITS, here)
    return sorted(here, key=lambda row: (place[row.discussion_id], row.created_at, row.id))


def thread_notes(conn: Connection, noteable: Noteable, actor: Actor, discussion_id: str) -> Sequence[ThreadNoteRow]:
    """The notes of one thread without their texts, oldest first; see `of_discussions`."""
    query = select(*_PLACE).where(notes.c.discussion_id == discussion_id, readable_notes(actor, noteable.project))
    here = [row for row in conn.execute(query) if _is_about(row, noteable)]
    return sorted(here, key=lambda row: (row.created_at, row.id))


class ThreadRows:
    """The notes of one thread, to be read in parts."""

    def __init__(self, conn: Connection, places: Sequence[ThreadNoteRow]) -> None:
        self._conn, self._ids = conn, [row.id for row in places]

    def read(self, start: int, number: int) -> list[NoteRow]:
        """Some of them, from this place on."""
        ids = self._ids[start : start + number]
        rows = {row.id: row for row in self._conn.execute(select(notes).where(notes.c.id.in_(ids)))}
        return [rows[note_id] for note_id in ids]


def first_note(conn: Connection, noteable: Noteable, actor: Actor, discussion_id: str) -> NoteRow | None:
    """The note that a thread starts with; None where the actor may read none of it."""
    places = thread_notes(conn, noteable, actor, discussion_id)
    return next(iter(ThreadRows(conn, places).read(0, 1)), None)


def _is_about(row: ThreadNoteRow | NoteRow, noteable: Noteable) -> bool:
    """`notes_of` for a row: an archive that was imported twice brings the same discussions twice."""
    if noteable.type == "Commit":
        there = (noteable.project.id, "Commit", noteable.commit_id)
        return (row.project_id, row.noteable_type, row.commit_id) == there
    return (row.noteable_type, row.noteable_id) == (noteable.type, noteable.id)


def find_note(conn: Connection, noteable: Noteable, actor: Actor, note_id: int) -> NoteRow | None:
    """A note of this noteable that the actor may read, or None."""
    query = select(notes).where(notes.c.id == note_id, notes_of(noteable), readable_notes(actor, noteable.project))
    return conn.execute(query).one_or_none()


_BY_ID = select(notes).where(notes.c.id == bindparam("note"))


def get_by_id(conn: Connection, note_id: int) -> NoteRow:
    """A note that was just written."""
    return conn.execute(_BY_ID, {"note": note_id}).one()


_EDITS = select(notes.c.id, notes.c.last_edited_at).where(notes.c.id.in_(bindparam("ids", expanding=True)))


def edited_among(conn: Connection, note_ids: Sequence[int]) -> dict[int, datetime]:
    """When those of these notes were changed that somebody has changed."""
    rows = rows_by_id(conn, _EDITS, note_ids) if note_ids else ()
    return {row.id: row.last_edited_at for row in rows if row.last_edited_at is not None}


def last_events(conn: Connection, noteable_type: str, noteable_id: int, action: str) -> dict[int, datetime]:
    """By their ids: when people did this with a noteable for the last time, as the system noted it."""
    query = (
        select(notes.c.author_id, func.max(notes.c.created_at).label("at"))
        .where(notes.c.noteable_type == noteable_type, notes.c.noteable_id == noteable_id)
        .where(notes.c.system, notes.c.system_action == action, notes.c.author_id.is_not(None))
        .group_by(notes.c.author_id)
    )
    return {row.author_id: row.at for row in conn.execute(query)}
