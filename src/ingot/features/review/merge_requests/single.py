"""The single form: the list form, and fields computed only for single reads."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import bindparam, select

from ingot.access.call import Call
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.review.merge_requests.entities import CallerRights, DiffRefs, MergeRequest
from ingot.features.review.merge_requests.mergeability import MERGEABLE
from ingot.features.review.merge_requests.present import PageLoads, basic_values
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_requests, subscriptions

# Keys added by other features (pipelines): name -> function(call, row) -> values.
Extra = Callable[[Call, MergeRequestWithProject], dict[str, Any]]
extras: list[Extra] = []


# Any: fields of the entity, by name.
def adds_to_single(extra: Extra) -> Extra:
    """Register more keys of the single form, from a feature's `listeners` module."""
    extras.append(extra)
    return extra


_CHOICE = select(subscriptions.c.subscribed).where(
    subscriptions.c.merge_request_id == bindparam("request_id"), subscriptions.c.user_id == bindparam("of_user")
)


def is_subscribed(call: Call, row: MergeRequestRow, loads: PageLoads) -> bool:
    """The explicit choice, else whether the caller is a participant."""
    user_id = call.actor.user_id
    if user_id is None:
        return False
    chosen = call.conn.execute(_CHOICE, {"request_id": row.id, "of_user": user_id}).scalar_one_or_none()
    if chosen is not None:
        return bool(chosen)
    people = [row.author_id, *loads.assignees.get(row.id, []), *loads.reviewers.get(row.id, [])]
    return user_id in people


_EARLIER = (
    select(merge_requests.c.id)
    .where(
        merge_requests.c.project_id == bindparam("in_project"),
        merge_requests.c.author_id == bindparam("author"),
        merge_requests.c.state == "merged",
        merge_requests.c.id != bindparam("request_id"),
    )
    .limit(1)
)


def is_first_contribution(call: Call, row: MergeRequestRow) -> bool:
    """Whether the author has no other merged request in the project; frozen at merge."""
    if row.first_contribution is not None:
        return bool(row.first_contribution)
    values = {"in_project": row.project_id, "author": row.author_id, "request_id": row.id}
    return call.conn.execute(_EARLIER, values).first() is None


# Any: fields of the entity, by name.
def present_single(call: Call, row: MergeRequestWithProject, more: dict[str, Any] | None = None) -> MergeRequest:
    """One request in full; `more` holds the keys that only some endpoints add."""
    loads = PageLoads(call, [row])
    values = basic_values(
        call, row, loads, scope="project", label_details=getattr(call.params, "with_labels_details", False)
    )
    is_fork = row.source_project_id != row.project_id
    values["allow_collaboration"] = values["allow_maintainer_to_push"] = is_fork and row.allow_collaboration
    protection = load_protection(call.conn, call.actor, call.project)
    has_diff = row.head_sha is not None
    values |= {
        "subscribed": is_subscribed(call, row, loads),
        "changes_count": row.changes_count,
        "diff_refs": DiffRefs(base_sha=row.base_sha, head_sha=row.head_sha, start_sha=row.start_sha)
        if has_diff
        else None,
        "merge_error": row.merge_error,
        "user": CallerRights(can_merge=protection.may_merge(row.target_branch)),
    }
    for extra in extras:
        values |= extra(call, row)
    more = dict(more or {})
    # Locks come after all other reasons.
    if values["detailed_merge_status"] != MERGEABLE:
        more.pop("detailed_merge_status", None)
    values |= more
    return MergeRequest(**values)
