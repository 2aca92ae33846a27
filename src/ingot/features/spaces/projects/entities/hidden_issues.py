"""The number of a project's open issues that only planners see; the room of issues registers it here."""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection

CountHidden = Callable[[Connection, Sequence[int]], dict[int, int]]
_sources: list[CountHidden] = []


def hidden_issue_source(source: CountHidden) -> CountHidden:
    """Register how the confidential open issues of projects are counted, by project id."""
    _sources[:] = [source]
    return source


def count_hidden_issues(conn: Connection, project_ids: Sequence[int]) -> dict[int, int]:
    """The number for each project that has some."""
    return _sources[0](conn, project_ids) if _sources else {}
