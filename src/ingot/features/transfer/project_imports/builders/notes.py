"""Notes of issues, merge requests and commits, with their reactions."""

import hashlib
from collections.abc import Container, Mapping
from typing import Any

from sqlalchemy import Connection, insert, select

from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.notes import notes, suggestions
from ingot.features.planning.time_tracking import timelogs
from ingot.features.transfer.project_imports.builders.events import build_events
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import (
    BadRecord,
    children,
    flag,
    flag_or_none,
    leftover,
    moment,
    moment_or,
    number,
    one,
    records,
    sha,
    text,
)
from ingot.kit.patterns import HEX, consists_of

SOURCE = "RelationTreeRestorer#save_relation_object"
MODELLED = frozenset(
    [
        "note",
        "noteable_type",
        "author_id",
        "created_at",
        "updated_at",
        "project_id",
        "commit_id",
        "system",
        "type",
        "position",
        "resolved_at",
        "resolved_by_id",
        "discussion_id",
        "confidential",
        "last_edited_at",
        "author",
        "award_emoji",
        "noteable_id",
        "attachment",
        "original_position",
        "change_position",
        "line_code",
        "resolved_by_push",
        "updated_by_id",
        "suggestions",
    ]
)
MODELLED_WITH_ACTION = MODELLED | {"system_note_metadata"}
OF_ITS_ID = ("award_emoji", "suggestions", "events")  # children whose rows name the note
ADD_NOTE = insert(notes).returning(notes.c.id)
RESOLVABLE = ("DiffNote", "DiscussionNote")
TYPES = (*RESOLVABLE, "LegacyDiffNote")


def build_notes(
    context: ImportContext, tx: Connection, kind: str, owner_id: int, record: Mapping[str, object]
) -> dict[str, int]:
    """All notes of a noteable; one that cannot be stored is left out. Returns the counts that its row shows."""
    shown, open_threads = 0, set()
    threads: set[str] = set()
    for child in children(record, "notes"):
        with context.sparing(tx, SOURCE):
            values = build_note(context, tx, kind, owner_id, child, threads)
            threads.add(values["discussion_id"])
            if not values["system"] and not values["internal"]:  # as `recount` counts
                shown += 1
            if values["resolvable"] and values["resolved_at"] is None:
                open_threads.add(values["discussion_id"])
    return {"user_notes_count": shown, "unresolved_threads": len(open_threads)}


def build_note(
    context: ImportContext,
    tx: Connection,
    kind: str,
    owner_id: int | None,
    record: Mapping[str, object],
    threads: Container[str] = (),
) -> dict[str, Any]:
    """One note, of a new thread or one of these; returns the row's values."""
    note_type = record.get("type") if record.get("type") in TYPES else None
    position = one(record, "position")
    if note_type == "DiffNote" and (position is None or not position.get("head_sha")):
        raise BadRecord("Validation failed: Position is incomplete")
    created = moment_or(record, "created_at", context.started)
    is_system = flag(record, "system")
    discussion_id = _discussion_id(record, owner_id)
    values: dict[str, Any] = {
        "project_id": context.project.id,
        "noteable_type": kind,
        "noteable_id": owner_id,
        "commit_id": sha(record, "commit_id"),
        "author_id": context.people.of(record.get("author_id")) or context.people.importer_id,
        "body": _body(context, record),
        "type": note_type,
        "discussion_id": discussion_id,
        "starts_thread": discussion_id not in threads,
        "system": is_system,
        "system_action": (one(record, "system_note_metadata") or {}).get("action"),
        "internal": flag(record, "confidential"),
        "position": context.translated(position),
        "original_position": context.translated(one(record, "original_position")),
        "change_position": context.translated(one(record, "change_position")),
        "line_code": text(record, "line_code", longest=128),
        "resolved_by_push": flag_or_none(record, "resolved_by_push"),
        "updated_by_id": context.people.of(record.get("updated_by_id")),
        "system_commit_count": number(one(record, "system_note_metadata") or {}, "commit_count"),
        "resolvable": kind in ("MergeRequest", "Issue") and note_type in RESOLVABLE and not is_system,
        "resolved_at": moment(record, "resolved_at"),
        "resolved_by_id": context.people.of(record.get("resolved_by_id")),
        "last_edited_at": moment(record, "last_edited_at"),
        "imported_from": "gitlab_project",
        "created_at": created,
        "updated_at": moment_or(record, "updated_at", created),
    }
    modelled = MODELLED_WITH_ACTION if values["system_action"] else MODELLED
    if context.batch is not None:
        if not any(record.get(name) for name in OF_ITS_ID) and not leftover(record, modelled):
            context.batch.add(tx, notes, values)
            return values
        context.batch.write_rows(tx, notes)  # the earlier ones come first
    result = tx.execute(ADD_NOTE, values).scalar_one()
    build_awards(context, tx, "Note", result, record)
    build_events(context, tx, "Note", result, record)
    _build_suggestions(tx, result, record)
    context.keep_rest(tx, "notes", result, record, modelled)
    return values


def _build_suggestions(tx: Connection, note_id: int, record: Mapping[str, object]) -> None:
    """What a diff note proposes."""
    for order, child in enumerate(records(record, "suggestions")):
        values = {
            "note_id": note_id,
            "relative_order": number(child, "relative_order", order),
            "lines_above": number(child, "lines_above", 0),
            "lines_below": number(child, "lines_below", 0),
            "from_content": text(child, "from_content") or "",
            "to_content": text(child, "to_content") or "",
            "applied": flag(child, "applied"),
            "outdated": flag(child, "outdated"),
            "commit_id": sha(child, "commit_id"),
        }
        tx.execute(insert(suggestions).values(values))


def _body(context: ImportContext, record: Mapping[str, object]) -> str:
    """The text; with author and time if the author is unknown here."""
    body = text(record, "note") or ""
    if context.people.is_known(record.get("author_id")):
        return body
    name = (one(record, "author") or {}).get("name") or "Unknown"
    when = str(record.get("updated_at") or "").replace(" UTC", "").replace(" ", "T").split(".")[0].rstrip("Z")
    return f"{body or '*Blank note*'}\n\n *By {name} on {when} (imported from GitLab)*"


def _discussion_id(record: Mapping[str, object], owner_id: int | None) -> str:
    result = record.get("discussion_id")
    if isinstance(result, str) and len(result) == 40 and consists_of(result, HEX):
        return result
    return hashlib.sha1(f"{owner_id}:{record!r}".encode(), usedforsecurity=False).hexdigest()


def build_awards(
    context: ImportContext, tx: Connection, kind: str, owner_id: int, record: Mapping[str, object]
) -> dict[str, int]:
    """Reactions; the same person's second one of a kind is dropped. Returns up and down votes."""
    seen: set[tuple[int, str]] = set()
    for child in records(record, "award_emoji"):
        name, user_id = text(child, "name", longest=255), context.people.of(child.get("user_id"))
        if not name or user_id is None or (user_id, name) in seen:
            continue
        seen.add((user_id, name))
        created = moment_or(child, "created_at", context.started)
        context.add(
            tx,
            award_emoji,
            {
                "awardable_type": kind,
                "awardable_id": owner_id,
                "user_id": user_id,
                "name": name,
                "created_at": created,
                "updated_at": moment_or(child, "updated_at", created),
            },
        )
    names = [name for _, name in seen]
    return {"upvotes": names.count("thumbsup"), "downvotes": names.count("thumbsdown")}


def build_times(
    context: ImportContext, tx: Connection, column: str, owner_id: int, record: Mapping[str, object]
) -> int:
    """Time logs; returns the time spent in all."""
    total = 0
    for child in records(record, "timelogs"):
        spent = number(child, "time_spent") or 0
        created = moment_or(child, "created_at", context.started)
        total += spent
        context.add(
            tx,
            timelogs,
            {
                "project_id": context.project.id,
                column: owner_id,
                "user_id": context.people.of(child.get("user_id")),
                "time_spent": spent,
                "spent_at": moment_or(child, "spent_at", created),
                "summary": text(child, "summary"),
                "imported_from": "gitlab_project",
                "created_at": created,
                "updated_at": moment_or(child, "updated_at", created),
            },
        )
    return total


def build_commit_note(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `commit_notes`."""
    if context.commit_threads is None:  # at the start, after a crash, and after a batch was undone
        known = select(notes.c.discussion_id).where(
            notes.c.project_id == context.project.id, notes.c.noteable_type == "Commit"
        )
        context.commit_threads = set(tx.execute(known.distinct()).scalars())
    values = build_note(context, tx, "Commit", None, record, context.commit_threads)
    context.commit_threads.add(values["discussion_id"])
