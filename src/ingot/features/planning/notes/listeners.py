"""Removes notes of removed users and snippets, and keeps the commits of diff notes."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, select

from ingot.features.planning.issuables import kinds
from ingot.features.planning.notes.counts import commented_on, forget, recount, restart_threads, threads_started_by
from ingot.features.planning.notes.tables import notes
from ingot.features.spaces.projects import keeps_commits
from ingot.features.spaces.snippets import snippets
from ingot.identity.departures import Leaving, during_departure
from ingot.kit.changes import Change, follows


@during_departure
@contextmanager
def remove_notes_of_leaver(tx: Connection, leaving: Leaving) -> Iterator[None]:
    """A hard delete removes the user's notes and the notes on what they opened; counts are updated."""
    if not leaving.is_hard:
        yield
        return
    commented, threads = commented_on(tx, leaving.user_id), threads_started_by(tx, leaving.user_id)
    for kind in kinds():
        opened = select(kind.table.c.id).where(kind.table.c.author_id == leaving.user_id)
        forget(tx, kind.type, list(tx.execute(opened).scalars()))
    written = select(snippets.c.id).where(snippets.c.author_id == leaving.user_id)
    forget(tx, "Snippet", list(tx.execute(written).scalars()))
    yield
    restart_threads(tx, threads)
    for kind_name, issuable_id in commented:
        recount(tx, kind_name, issuable_id)


@follows("snippet")
def remove_notes_of_snippet(tx: Connection, change: Change) -> None:
    """What was said of a snippet goes with it."""
    if change.action == "delete":
        forget(tx, "Snippet", [change.record_id])


@keeps_commits
def commits_of_notes(conn: Connection, project_id: int) -> Iterator[str | None]:
    """Commits with comments, and commits of diff positions."""
    of_commits = notes.c.commit_id.is_not(None) | notes.c.position.is_not(None)
    shown = select(notes.c.commit_id, notes.c.position, notes.c.original_position)
    for row in conn.execute(shown.where(notes.c.project_id == project_id, of_commits)):
        yield row.commit_id
        for position in (row.position, row.original_position):
            if isinstance(position, dict):
                yield from (position.get(name) for name in ("base_sha", "start_sha", "head_sha"))
