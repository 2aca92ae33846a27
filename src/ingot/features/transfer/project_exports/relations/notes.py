"""Notes with their authors' names and reactions; threads are tied by their discussion id."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec
from sqlalchemy import Connection, func, select

from ingot.access.rows import ProjectRow
from ingot.archives.pack import Stream
from ingot.features.people.event_log import COMMENTS
from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.notes import NoteRow, notes, suggestions
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import R, batches, listed, parts, stamp, times
from ingot.features.transfer.project_exports.relations.events import events_of
from ingot.features.transfer.project_exports.relations.hunks import Hunks
from ingot.identity.tables import users
from ingot.kit.entity import group_by
from ingot.kit.services import Services

MOST_NOTES = 4000


def awards_of(conn: Connection, kind: str, ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """Reactions on a batch of noteables."""
    records = conn.execute(
        select(award_emoji)
        .where(award_emoji.c.awardable_type == kind, award_emoji.c.awardable_id.in_(ids))
        .order_by(award_emoji.c.id)
    )
    return {
        owner: [{"user_id": row.user_id, "name": row.name, "awardable_type": kind, **times(row)} for row in rows]
        for owner, rows in group_by(records, lambda row: row.awardable_id).items()
    }


def _names(conn: Connection, ids: set[int]) -> dict[int, str]:
    return {row.id: row.name for row in conn.execute(select(users.c.id, users.c.name).where(users.c.id.in_(ids)))}


def _records(
    conn: Connection, project_id: int, rows: Sequence[NoteRow], hunks: Hunks | None = None
) -> list[dict[str, Any]]:
    ids = [row.id for row in rows]
    names = _names(conn, {row.author_id for row in rows if row.author_id is not None})
    awards = awards_of(conn, "Note", ids)
    remaining = preserved_for(conn, project_id, "notes", ids)
    proposed = _suggestions(conn, ids)
    done = events_of(conn, COMMENTS, ids)
    result = [
        _record(row, names, awards.get(row.id, []), remaining.get(row.id, {}), proposed.get(row.id, [])) for row in rows
    ]
    for row, record in zip(rows, result, strict=True):
        record["events"] += done.get(row.id, [])
    if hunks is not None:
        for row, record in zip(rows, result, strict=True):
            if (hunk := hunks.of(row)) is not None:
                record["note_diff_file"] = hunk
    return result


PROPOSAL = (
    "relative_order", "applied", "commit_id", "from_content", "to_content", "outdated", "lines_above", "lines_below",
)  # fmt: skip
PLACED = ("line_code", "original_position", "change_position", "resolved_by_push", "updated_by_id")


def _suggestions(conn: Connection, ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    records = conn.execute(
        select(suggestions).where(suggestions.c.note_id.in_(ids)).order_by(suggestions.c.relative_order)
    )
    return {
        note_id: [{name: getattr(row, name) for name in PROPOSAL} for row in rows]
        for note_id, rows in group_by(records, lambda row: row.note_id).items()
    }


def _record(
    row: NoteRow,
    names: dict[int, str],
    awards: list[dict[str, object]],
    remaining: dict[str, object],
    proposed: list[dict[str, object]],
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "attachment": {"url": None},
        "line_code": None,
        "st_diff": None,
        "updated_by_id": None,
        "original_position": row.position,
        "change_position": None,
        "resolved_by_push": None,
        **remaining,
        "events": listed(remaining, "events"),
        **{name: value for name in PLACED if (value := getattr(row, name)) is not None},
        "note": row.body,
        "noteable_type": row.noteable_type,
        "author_id": row.author_id,
        **times(row),
        "project_id": row.project_id,
        "commit_id": row.commit_id,
        "system": row.system,
        "type": row.type,
        "position": row.position,
        "resolved_at": stamp(row.resolved_at),
        "resolved_by_id": row.resolved_by_id,
        "discussion_id": row.discussion_id,
        "confidential": row.internal or None,
        "last_edited_at": stamp(row.last_edited_at),
        "author": {"name": names.get(row.author_id or 0, "Ghost User")},
        "award_emoji": awards,
    }
    if row.noteable_type == "MergeRequest":
        result["suggestions"] = proposed or result.get("suggestions", [])
    if row.system and row.system_action:
        result.setdefault(
            "system_note_metadata", {"commit_count": row.system_commit_count, "action": row.system_action, **times(row)}
        )
    return result


def portions(conn: Connection, kind: str, rows: Sequence[R]) -> Iterator[Sequence[R]]:
    """A batch of issues or merge requests in parts that have few enough notes to hold, or one that has many."""
    counted = (
        select(notes.c.noteable_id, func.count())
        .where(notes.c.noteable_type == kind, notes.c.noteable_id.in_([row.id for row in rows]))
        .group_by(notes.c.noteable_id)
    )
    return parts(rows, {row[0]: row[1] for row in conn.execute(counted)}, MOST_NOTES)


def notes_of(
    conn: Connection, project_id: int, kind: str, ids: Sequence[int], hunks: Hunks | None = None
) -> dict[int, list[msgspec.Raw] | Stream]:
    """Notes of a portion, oldest first; written at once, because as objects they are several times their text.

    A noteable that is a portion of its own may have any number of them: they are read as they are written.
    """
    written = _written(conn, project_id, kind, ids, hunks)
    if len(ids) == 1:
        return {ids[0]: Stream(note for _, note in written)}
    grouped: dict[int, list[msgspec.Raw] | Stream] = {}
    for owner, note in written:
        cast("list[msgspec.Raw]", grouped.setdefault(owner, [])).append(msgspec.Raw(note))
    return grouped


def _written(
    conn: Connection, project_id: int, kind: str, ids: Sequence[int], hunks: Hunks | None
) -> Iterator[tuple[int, bytes]]:
    here = (notes.c.noteable_type == kind, notes.c.noteable_id.in_(ids))
    # References to other projects are left out: not every reader of the archive may see them.
    query = select(notes).where(*here, notes.c.source_type.is_(None))
    encode = msgspec.json.Encoder().encode
    for rows in batches(conn, query, notes.c.id):
        for row, record in zip(rows, _records(conn, project_id, rows, hunks), strict=True):
            yield row.noteable_id, encode(record)


def commit_notes(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """Comments on commits."""
    query = select(notes).where(notes.c.project_id == project.id, notes.c.noteable_type == "Commit")
    for rows in batches(conn, query, notes.c.id):
        yield from _records(conn, project.id, rows)
