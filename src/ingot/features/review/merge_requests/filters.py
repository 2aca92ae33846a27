"""Filters of the lists that only merge requests have: one function per filter, each returning its input when the
filter is absent. `REQUESTS` has those that issues have as well."""

from typing import Any

from sqlalchemy import Connection, Select, exists

from ingot.features.planning.issuable_lists import Issuable, user_named
from ingot.features.review.merge_requests.tables import (
    merge_request_assignees,
    merge_request_labels,
    merge_request_reviewers,
    merge_requests,
)
from ingot.identity.tables import users
from ingot.kit.params import ANY, NONE

Statement = Select[Any]
REQUESTS = Issuable(
    "MergeRequest",
    "merge_request_id",
    merge_requests,
    merge_request_assignees,
    merge_request_labels,
    is_labelled=merge_requests.c.is_labelled,
)


def by_people(found: Statement, wish: Any, *, paid: bool) -> Statement:
    """Author, assignees, reviewers and who merged."""
    found = REQUESTS.by_people(found, wish, paid=paid)
    if wish.merge_user_id is not None:
        found = found.where(merge_requests.c.merged_by_id == wish.merge_user_id)
    if wish.merge_user_username:
        found = found.where(merge_requests.c.merged_by_id == user_named(wish.merge_user_username))
    reviewer: Any = wish.reviewer_id
    if wish.reviewer_username:
        name = wish.reviewer_username
        reviewer = name if name in (NONE, ANY) else user_named(name)
    return REQUESTS.by_link(found, merge_request_reviewers, reviewer)


def by_places(found: Statement, wish: Any) -> Statement:
    """Branches, source project, numbers and drafts."""
    if wish.iids:
        found = found.where(merge_requests.c.iid.in_(wish.iids))
    if wish.source_branch:
        found = found.where(merge_requests.c.source_branch == wish.source_branch)
    if wish.target_branch:
        found = found.where(merge_requests.c.target_branch == wish.target_branch)
    if wish.source_project_id is not None:
        found = found.where(merge_requests.c.source_project_id == wish.source_project_id)
    if wish.wip is not None:
        found = found.where(merge_requests.c.is_draft.is_(wish.wip == "yes"))
    return found


def negated(conn: Connection, found: Statement, user_id: int | None, wish: Any) -> Statement:
    """`not[...]`; an unknown reviewer finds nothing."""
    if wish is None:
        return found
    found = REQUESTS.negated(conn, found, user_id, wish)
    if wish.reviewer_id is not None:
        is_known = exists().where(users.c.id == wish.reviewer_id)
        found = found.where(~REQUESTS.linked(merge_request_reviewers, wish.reviewer_id), is_known)
    if wish.reviewer_username:
        reviewer = user_named(wish.reviewer_username)
        found = found.where(~REQUESTS.linked(merge_request_reviewers, reviewer), reviewer.is_not(None))
    return found
