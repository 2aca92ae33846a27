"""Which commits of a project must stay whatever happens to its branches: the features that show them say so."""

from collections.abc import Callable, Iterable

from sqlalchemy import Connection

# The connection and a project's id in, the commits (None where a row has none) out.
Source = Callable[[Connection, int], Iterable[str | None]]
_sources: list[Source] = []


def keeps_commits(source: Source) -> Source:
    """Register commits to keep, from a feature's `listeners` module."""
    _sources.append(source)
    return source


def commits_to_keep(conn: Connection, project_id: int) -> set[str]:
    """All commits that rows of this project show or run again."""
    return {sha for source in _sources for sha in source(conn, project_id) if sha}
