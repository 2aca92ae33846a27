"""Counts that other features show, recomputed from the notes in the same transaction."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, Table, Update, bindparam, delete, distinct, func, select, update

from ingot.features.people.event_log import COMMENTS, forget_targets
from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.issuables import IssuableKind, find_kind, kinds
from ingot.features.planning.notes.tables import notes
from ingot.features.planning.todos import todos

PIECE = 500


def hold(tx: Connection, noteable_type: str, noteable_id: int | None) -> None:
    """Lock the issuable: concurrent comments wait for the end of this transaction."""
    kind = find_kind(noteable_type)
    if kind is not None and noteable_id is not None:
        tx.execute(_holding(kind.table), {"noteable": noteable_id})


@cache
def _holding(table: Table) -> Select[Any]:
    return select(table.c.id).where(table.c.id == bindparam("noteable")).with_for_update()


def recount(tx: Connection, noteable_type: str, noteable_id: int | None) -> None:
    """Store the number of comments, and for merge requests the number of unresolved threads."""
    kind = find_kind(noteable_type)
    if kind is None or noteable_id is None:
        return
    # Lock the row first: the counts below must see concurrent comments.
    hold(tx, noteable_type, noteable_id)
    tx.execute(_counting(kind), {"of_type": noteable_type, "noteable": noteable_id})


@cache
def _counting(kind: IssuableKind) -> Update:
    here = (notes.c.noteable_type == bindparam("of_type"), notes.c.noteable_id == bindparam("noteable"))
    # Internal comments are not counted: the number is shown to people who may not know of them. Two counts from two
    # indexes; one count of both conditions would read every note.
    comments = select(func.count()).where(*here, ~notes.c.system).scalar_subquery()
    internal = select(func.count()).where(*here, notes.c.internal).scalar_subquery()
    values: dict[str, Any] = {"user_notes_count": comments - internal}
    if kind.counts_unresolved_threads:
        unresolved = select(func.count(distinct(notes.c.discussion_id))).where(
            *here, notes.c.resolvable, notes.c.resolved_at.is_(None)
        )
        values["unresolved_threads"] = unresolved.scalar_subquery()
    return update(kind.table).where(kind.table.c.id == bindparam("noteable")).values(values)


def open_internal_threads(conn: Connection, noteable_type: str, ids: Sequence[int]) -> dict[int, int]:
    """By noteable, how many of its unresolved threads are internal; those without any are left out."""
    query = select(notes.c.noteable_id, func.count(distinct(notes.c.discussion_id)).label("threads")).where(
        notes.c.noteable_type == noteable_type, notes.c.noteable_id.in_(ids), notes.c.internal,
        notes.c.resolvable, notes.c.resolved_at.is_(None),
    )  # fmt: skip
    return {row.noteable_id: row.threads for row in conn.execute(query.group_by(notes.c.noteable_id))}


def commented_on(tx: Connection, user_id: int) -> list[tuple[str, int]]:
    """What a user has commented on: to be counted again after the comments are removed."""
    query = select(notes.c.noteable_type, notes.c.noteable_id).where(
        notes.c.author_id == user_id, notes.c.noteable_type.in_([kind.type for kind in kinds()])
    )
    return [(row.noteable_type, row.noteable_id) for row in tx.execute(query.distinct())]


def threads_started_by(tx: Connection, user_id: int) -> list[str]:
    """Discussions that need another first note when this user's notes are removed."""
    return list(
        tx.execute(select(notes.c.discussion_id).where(notes.c.author_id == user_id, notes.c.starts_thread)).scalars()
    )


def restart_threads(tx: Connection, discussion_ids: Sequence[str]) -> None:
    """The first notes of these discussions were removed: the oldest remaining note becomes the first."""
    for start in range(0, len(discussion_ids), PIECE):
        here = notes.c.discussion_id.in_(discussion_ids[start : start + PIECE])
        # An archive that is imported twice has the same ids.
        oldest = select(func.min(notes.c.id)).where(here).group_by(notes.c.discussion_id, notes.c.project_id)
        tx.execute(update(notes).where(notes.c.id.in_(oldest)).values(starts_thread=True))


def forget(tx: Connection, noteable_type: str, ids: Sequence[int]) -> None:
    """Remove the notes of noteables that are being deleted, with reactions, to-do items and events of all these."""
    here = (notes.c.noteable_type == noteable_type) & notes.c.noteable_id.in_(ids)
    forget_targets(tx, COMMENTS, select(notes.c.id).where(here))
    forget_targets(tx, [noteable_type], ids)
    tx.execute(
        delete(award_emoji).where(
            award_emoji.c.awardable_type == "Note", award_emoji.c.awardable_id.in_(select(notes.c.id).where(here))
        )
    )
    tx.execute(
        delete(award_emoji).where(award_emoji.c.awardable_type == noteable_type, award_emoji.c.awardable_id.in_(ids))
    )
    tx.execute(delete(todos).where(todos.c.target_type == noteable_type, todos.c.target_id.in_(ids)))
    tx.execute(delete(notes).where(here))
