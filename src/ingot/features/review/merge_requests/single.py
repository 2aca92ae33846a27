"""The single form: the list form, and fields computed only for single reads."""

from collections.abc import Callable
from typing import Any, Protocol

from sqlalchemy import bindparam, exists, select

from ingot.access.call import Call
from ingot.features.code.protected_branches import load_for as load_protection_for
from ingot.features.review.merge_requests.entities import CallerRights, DiffRefs, MergeRequest
from ingot.features.review.merge_requests.mergeability import MERGEABLE
from ingot.features.review.merge_requests.present import PageLoads, basic_values
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_requests, subscriptions
from ingot.kit.unchanged import Unchanged

# Keys added by other features (pipelines): name -> function(call, row) -> values.
Extra = Callable[[Call, MergeRequestWithProject], dict[str, Any]]
extras: list[Extra] = []


# Any: fields of the entity, by name.
def adds_to_single(extra: Extra) -> Extra:
    """Register more keys of the single form, from a feature's `listeners` module."""
    extras.append(extra)
    return extra


# The caller's choice, and whether the author has another merged request in the project.
_FACTS = select(
    select(subscriptions.c.subscribed)
    .where(subscriptions.c.merge_request_id == bindparam("request_id"), subscriptions.c.user_id == bindparam("of_user"))
    .scalar_subquery()
    .label("subscribed"),
    exists()
    .where(
        merge_requests.c.project_id == bindparam("in_project"),
        merge_requests.c.author_id == bindparam("author"),
        merge_requests.c.state == "merged",
        merge_requests.c.id != bindparam("request_id"),
    )
    .label("has_contributed"),
)


class _Facts(Protocol):
    subscribed: bool | None
    has_contributed: bool


def _facts(call: Call, row: MergeRequestRow) -> _Facts:
    values = {
        "request_id": row.id,
        "of_user": call.actor.user_id or 0,
        "in_project": row.project_id,
        "author": row.author_id,
    }
    facts: _Facts = call.conn.execute(_FACTS, values).one()
    return facts


def is_subscribed(call: Call, row: MergeRequestRow, loads: PageLoads) -> bool:
    """The explicit choice, else whether the caller is a participant."""
    return _is_subscribed(call.actor.user_id, row, loads, _facts(call, row))


def _is_subscribed(user_id: int | None, row: MergeRequestRow, loads: PageLoads, facts: _Facts) -> bool:
    if user_id is None:
        return False
    if facts.subscribed is not None:
        return facts.subscribed
    people = [row.author_id, *loads.assignees.get(row.id, []), *loads.reviewers.get(row.id, [])]
    return user_id in people


# Any: fields of the entity, by name.
def present_single(
    call: Call, row: MergeRequestWithProject, more: dict[str, Any] | None = None, *, read: bool = False
) -> MergeRequest:
    """One request in full; `more` holds the keys that only some endpoints add, as the one that reads it does."""
    loads = PageLoads(call, [row])
    facts = _facts(call, row)
    protection = load_protection_for(call)
    added: dict[str, Any] = {
        "subscribed": _is_subscribed(call.actor.user_id, row, loads, facts),
        "user": CallerRights(can_merge=protection.may_merge(row.target_branch)),
    }
    if read:  # frozen at merge
        is_first = row.first_contribution
        added["first_contribution"] = not facts.has_contributed if is_first is None else is_first
    for extra in extras:
        added |= extra(call, row)
    more = dict(more or {})
    # Locks come after all other reasons.
    if loads.statuses[row.id] != MERGEABLE:
        more.pop("detailed_merge_status", None)
    added |= more
    label_details = getattr(call.params, "with_labels_details", False)
    key = (row.id, label_details, call.base_url, call.services.settings.tier)
    parts = (*loads.parts(row), added)
    shown = _shown.find(key, parts)
    if shown is None:
        values = basic_values(call, row, loads, scope="project", label_details=label_details)
        shown = _shown.keep(key, parts, MergeRequest(**(values | _own_values(row) | added)), row.description)
    return shown


_shown: Unchanged[MergeRequest] = Unchanged()


# Any: fields of the entity, by name.
def _own_values(row: MergeRequestWithProject) -> dict[str, Any]:
    """What the single form shows of the request itself, beside the list form."""
    allows = row.source_project_id != row.project_id and row.allow_collaboration
    has_diff = row.head_sha is not None
    return {
        "allow_collaboration": allows,
        "allow_maintainer_to_push": allows,
        "changes_count": row.changes_count,
        "diff_refs": DiffRefs(base_sha=row.base_sha, head_sha=row.head_sha, start_sha=row.start_sha)
        if has_diff
        else None,
        "merge_error": row.merge_error,
    }
