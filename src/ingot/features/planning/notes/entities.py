"""Notes and discussions on the wire."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select

from ingot.access.call import Call
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.planning.issuables import Noteable
from ingot.features.planning.notes.rows import NoteRow, SuggestedPlace, SuggestionRow
from ingot.features.planning.notes.tables import suggestions
from ingot.kit.entity import UNSET, Entity, UnsetType, group_by, wire, wire_or_none


class Suggestion(Entity):
    """A proposed change in a diff note."""

    id: int
    from_line: int
    to_line: int
    appliable: bool
    applied: bool
    from_content: str
    to_content: str


class Note(Entity, kw_only=True):
    """A note."""

    id: int
    type: str | None
    body: str
    attachment: None = None
    author: UserBasic | None
    created_at: datetime
    updated_at: datetime
    system: bool
    noteable_id: int | None
    noteable_type: str
    project_id: int | None
    commit_id: str | UnsetType | None = UNSET
    position: dict[str, Any] | UnsetType | None = UNSET
    resolvable: bool
    resolved: bool | UnsetType = UNSET
    resolved_by: UserBasic | UnsetType | None = UNSET
    resolved_at: datetime | UnsetType | None = UNSET
    suggestions: list[Suggestion] | UnsetType = UNSET
    confidential: bool
    internal: bool
    imported: bool
    imported_from: str
    noteable_iid: int | None
    commands_changes: dict[str, Any]


class Commands(Entity):
    """The answer to a comment that contained only quick actions."""

    commands_changes: dict[str, Any]
    summary: list[str]


class Discussion(Entity):
    """A thread, or a single comment."""

    id: str
    individual_note: bool
    notes: list[Note]


class CommitComment(Entity):
    """A comment on a commit, in the older form."""

    note: str
    path: str | None
    line: int | None
    line_type: str | None
    author: UserBasic | None
    created_at: datetime


class PageLoads:
    """Related records of a page of notes."""

    def __init__(self, call: Call, rows: Sequence[NoteRow]) -> None:
        people = {user for row in rows for user in (row.author_id, row.resolved_by_id)}
        self.users = users_by_id(call.conn, people, call.base_url)
        self.suggestions = _suggestions(call.conn, [row.id for row in rows if row.type == "DiffNote"])

    def user(self, user_id: int | None) -> UserBasic | None:
        """A user by id; None for removed users."""
        return self.users.get(user_id) if user_id is not None else None


_SUGGESTIONS = (
    select(suggestions)
    .where(suggestions.c.note_id.in_(bindparam("ids", expanding=True)))
    .order_by(suggestions.c.relative_order)
)


def _suggestions(conn: Connection, ids: list[int]) -> dict[int, list[Any]]:
    if not ids:
        return {}
    return group_by(conn.execute(_SUGGESTIONS, {"ids": ids}), lambda row: row.note_id)


def suggestion(row: SuggestionRow, note: SuggestedPlace) -> Suggestion:
    """A proposed change, with the note that it stands in."""
    line = (note.position or {}).get("new_line") or 1
    return Suggestion(
        id=row.id,
        from_line=max(1, line - row.lines_above),
        to_line=line + row.lines_below,
        appliable=not row.applied
        and not row.outdated
        and note.resolved_at is None
        and row.from_content != row.to_content,
        applied=row.applied,
        from_content=row.from_content,
        to_content=row.to_content,
    )


def note(row: NoteRow, noteable: Noteable, loads: PageLoads, changes: dict[str, object] | None = None) -> Note:
    """One note."""
    result = Note(
        id=row.id,
        type=row.type,
        body=row.body,
        author=loads.user(row.author_id),
        created_at=wire(row.created_at),
        updated_at=wire(row.updated_at),
        system=row.system,
        noteable_id=row.noteable_id,
        noteable_type=row.noteable_type,
        project_id=row.project_id,
        resolvable=row.resolvable,
        confidential=row.internal,
        internal=row.internal,
        imported=row.imported_from != "none",
        imported_from=row.imported_from,
        noteable_iid=noteable.iid,
        commands_changes=changes or {},
    )
    if row.type == "DiffNote" or row.noteable_type == "Commit":
        result.commit_id = row.commit_id
    if row.type == "DiffNote":
        result.position = row.position
        result.suggestions = [suggestion(one, row) for one in loads.suggestions.get(row.id, [])]
    if row.resolvable:
        result.resolved = row.resolved_at is not None
        result.resolved_by = loads.user(row.resolved_by_id)
        result.resolved_at = wire_or_none(row.resolved_at)
    return result


def discussions(rows: Sequence[NoteRow], noteable: Noteable, loads: PageLoads) -> list[Discussion]:
    """Threads from the notes of some discussions, in the order of the rows."""
    grouped = group_by(rows, lambda row: row.discussion_id)
    return [
        Discussion(id=key, individual_note=group[0].type is None, notes=[note(row, noteable, loads) for row in group])
        for key, group in grouped.items()
    ]


def commit_comment(row: NoteRow, loads: PageLoads) -> CommitComment:
    """The older form of a commit's comment."""
    place = row.position or {}
    line = place.get("new_line") or place.get("old_line")
    return CommitComment(
        note=row.body,
        path=place.get("new_path") or place.get("old_path"),
        line=line,
        line_type=None if line is None else "new" if place.get("new_line") else "old",
        author=loads.user(row.author_id),
        created_at=wire(row.created_at),
    )
