"""Mergeability checks that other features bring along (approvals, dependencies), all of the paid tiers: bulk, so lists
stay cheap.

A check looks at a page of merge request rows (`queries.COLUMNS`) and returns the ids for which it fails. The order is
that of the documented table: requested_changes 1, not_approved 2, merge_request_blocked 3, not_open 8, and so on.
"""

from collections.abc import Callable, Sequence

import msgspec
from sqlalchemy import Connection

from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject

FindFailing = Callable[[Connection, Sequence[MergeRequestWithProject]], set[int]]
FindPipelines = Callable[[Connection, Sequence[MergeRequestRow]], dict[int, str]]


class Check(msgspec.Struct, frozen=True):
    """One named condition."""

    order: int
    identifier: str
    failing: FindFailing


checks: list[Check] = []
_pipelines: list[FindPipelines] = []


def register_check(order: int, identifier: str) -> Callable[[FindFailing], FindFailing]:
    """Add a check; used as a decorator in a feature's `listeners` module."""

    def add(failing: FindFailing) -> FindFailing:
        checks.append(Check(order, identifier, failing))
        checks.sort(key=lambda check: check.order)
        return failing

    return add


def pipeline_statuses(source: FindPipelines) -> FindPipelines:
    """Register the source of head pipeline statuses (request id -> status)."""
    _pipelines[:] = [source]
    return source


def head_pipeline_statuses(conn: Connection, rows: Sequence[MergeRequestRow]) -> dict[int, str]:
    """Status of the pipeline of each request's head; requests without one are absent."""
    return _pipelines[0](conn, rows) if _pipelines else {}
