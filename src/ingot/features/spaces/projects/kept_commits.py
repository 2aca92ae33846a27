"""Commits of a project that must be kept even when no branch has them: features register them here."""

from collections.abc import Callable, Iterable

from sqlalchemy import Connection

# Takes a connection and a project's id; returns commits (None where a row has none).
Source = Callable[[Connection, int], Iterable[str | None]]
_sources: list[Source] = []


def keeps_commits(source: Source) -> Source:
    """Register commits to keep, from a feature's `listeners` module."""
    _sources.append(source)
    return source


def commits_to_keep(conn: Connection, project_id: int) -> set[str]:
    """All commits that rows of this project show or run again."""
    return {sha for source in _sources for sha in source(conn, project_id) if sha}
