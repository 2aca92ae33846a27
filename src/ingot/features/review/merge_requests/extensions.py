"""Extension points for features above merge requests: list filters, approvers, and parts of an update."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Select

from ingot.access.call import Call
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.kit.list_forms import Convert


class ListContext(msgspec.Struct, frozen=True):
    """The input of a list filter."""

    conn: Connection
    options: Any  # the parameters of the list, as `list_forms` gives them
    is_paid: bool
    has_approved_filter: bool  # the feature flag is on


ListFilter = Callable[[Select[Any], ListContext], Select[Any]]
FindApprovers = Callable[[Connection, int], list[int]]
FindApprovalNumbers = Callable[[Connection, Sequence[MergeRequestWithProject]], dict[int, int | None]]
UpdateHook = Callable[[Call, Connection, MergeRequestWithProject, dict[str, object]], None]

_filters: list[ListFilter] = []
_conversions: dict[bool, dict[str, Convert]] = {False: {}, True: {}}
_approvers: list[FindApprovers] = []
_approval_numbers: list[FindApprovalNumbers] = []
_update_hooks: list[UpdateHook] = []


def list_filter(step: ListFilter) -> ListFilter:
    """Register a filter of the lists; it returns its input, the same object, when its parameters are absent."""
    _filters.append(step)
    return step


def list_conversions(convert: Mapping[str, Convert], *, paid: bool = False) -> None:
    """Register how filters take what callers send; `paid`: in the paid tiers, because others ignore these options."""
    for is_paid in {True, paid}:
        _conversions[is_paid].update(convert)


def registered_conversions(*, paid: bool) -> Mapping[str, Convert]:
    """How the registered filters take what callers send."""
    return _conversions[paid]


def by_registered(query: Select[Any], context: ListContext) -> Select[Any]:
    """Apply the registered filters."""
    for step in _filters:
        query = step(query, context)
    return query


def approver_source(source: FindApprovers) -> FindApprovers:
    """Register where the ids of a request's approvers come from, oldest approval first."""
    _approvers[:] = [source]
    return source


def approvers_of(conn: Connection, merge_request_id: int) -> list[int]:
    """Ids of those who approved the request."""
    return _approvers[0](conn, merge_request_id) if _approvers else []


def approval_number_source(source: FindApprovalNumbers) -> FindApprovalNumbers:
    """Register what requests show as `approvals_before_merge`: request id -> number."""
    _approval_numbers[:] = [source]
    return source


def approval_numbers(conn: Connection, rows: Sequence[MergeRequestWithProject]) -> dict[int, int | None]:
    """The `approvals_before_merge` of a page of requests."""
    if not _approval_numbers or all(row.approvals_before_merge is None for row in rows):
        return {}
    return _approval_numbers[0](conn, rows)


def on_update(hook: UpdateHook) -> UpdateHook:
    """Register a part of the update endpoint; it runs in the update's transaction."""
    _update_hooks.append(hook)
    return hook


def run_update_hooks(call: Call, tx: Connection, row: MergeRequestWithProject, given: dict[str, object]) -> None:
    """Run the registered hooks."""
    for hook in _update_hooks:
        hook(call, tx, row, given)
