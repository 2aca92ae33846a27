"""Reading notes: lists, threads and single notes, limited to what the caller may read."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, select

from ingot.features.planning.issuables import Noteable
from ingot.features.planning.notes.params import ListNotes
from ingot.features.planning.notes.policy import readable_notes
from ingot.features.planning.notes.rows import NoteRow
from ingot.features.planning.notes.tables import notes
from ingot.kit.actor import Actor


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
    return sorted(here, key=lambda row: (place[row.discussion_id], row.created_at, row.id))


def _is_about(row: NoteRow, noteable: Noteable) -> bool:
    """`notes_of` for a row: an archive that was imported twice brings the same discussions twice."""
    if noteable.type == "Commit":
        there = (noteable.project.id, "Commit", noteable.commit_id)
        return (row.project_id, row.noteable_type, row.commit_id) == there
    return (row.noteable_type, row.noteable_id) == (noteable.type, noteable.id)


def find_note(conn: Connection, noteable: Noteable, actor: Actor, note_id: int) -> NoteRow | None:
    """A note of this noteable that the actor may read, or None."""
    query = select(notes).where(notes.c.id == note_id, notes_of(noteable), readable_notes(actor, noteable.project))
    return conn.execute(query).one_or_none()


def get_by_id(conn: Connection, note_id: int) -> NoteRow:
    """A note that was just written."""
    return conn.execute(select(notes).where(notes.c.id == note_id)).one()
