"""Mergeability checks that other features bring along (approvals, dependencies), all of the paid tiers: bulk, so lists
stay cheap.

A check looks at merge request rows (`queries.COLUMNS`) and returns the ids for which it fails. It may bring a statement
that finds the requests it has to look at: one look for all such checks, and most pages have none. The order is that of
the documented table: requested_changes 1, not_approved 2, merge_request_blocked 3, not_open 8, and so on.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import BindParameter, CompoundSelect, Connection, Integer, Select, bindparam, literal_column, union_all

from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject

FindFailing = Callable[[Connection, Sequence[MergeRequestWithProject]], set[int]]
FindPipelines = Callable[[Connection, Sequence[MergeRequestRow]], dict[int, str]]


class Check(msgspec.Struct, frozen=True):
    """One named condition."""

    order: int
    identifier: str
    failing: FindFailing
    concerned: Select[Any] | None  # of the requests `PAGE`; None: it looks at all of them


PAGE: BindParameter[int] = bindparam("ids", expanding=True)
checks: list[Check] = []
_pipelines: list[FindPipelines] = []


def register_check(
    order: int, identifier: str, concerned: Select[Any] | None = None
) -> Callable[[FindFailing], FindFailing]:
    """Add a check; used as a decorator in a feature's `listeners` module."""

    def add(failing: FindFailing) -> FindFailing:
        checks.append(Check(order, identifier, failing, concerned))
        checks.sort(key=lambda check: check.order)
        return failing

    return add


def failing_checks(conn: Connection, rows: Sequence[MergeRequestWithProject]) -> Iterator[tuple[Check, int]]:
    """The checks that fail, each with the request."""
    concerned = _concerned_in(conn, rows)
    for check in checks:
        seen = rows
        if check.concerned is not None:
            ids = concerned.get(check.order)
            seen = [row for row in rows if row.id in ids] if ids else ()
        if seen:
            for merge_request_id in check.failing(conn, seen):
                yield check, merge_request_id


def has_concerned(conn: Connection, rows: Sequence[MergeRequestRow], identifier: str) -> bool:
    """Whether a check has to look at any of these requests; asked with what all checks ask."""
    orders = {check.order for check in checks if check.identifier == identifier}
    return not orders.isdisjoint(_concerned_in(conn, rows))


def _concerned_in(conn: Connection, rows: Sequence[MergeRequestRow]) -> dict[int, set[int]]:
    """The requests that each check has to look at, by its place."""
    statement = _concerned(len(checks))
    concerned: dict[int, set[int]] = defaultdict(set)
    if statement is not None:
        for order, merge_request_id in conn.execute(statement, {"ids": [row.id for row in rows]}):
            concerned[order].add(merge_request_id)
    return concerned


@cache
def _concerned(_number: int) -> CompoundSelect[Any] | None:
    """The places of checks, and the requests that each has to look at; made anew when a check was added."""
    places = [(check.order, check.concerned) for check in checks if check.concerned is not None]
    if not places:
        return None
    return union_all(
        *(ids.with_only_columns(literal_column(str(order), Integer), *ids.selected_columns) for order, ids in places)
    )


def pipeline_statuses(source: FindPipelines) -> FindPipelines:
    """Register the source of head pipeline statuses (request id -> status)."""
    _pipelines[:] = [source]
    return source


def head_pipeline_statuses(conn: Connection, rows: Sequence[MergeRequestRow]) -> dict[int, str]:
    """Status of the pipeline of each request's head; requests without one are absent."""
    return _pipelines[0](conn, rows) if _pipelines else {}
