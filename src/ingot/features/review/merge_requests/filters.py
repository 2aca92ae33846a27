"""Filters that only merge requests have; each returns its input when it is absent. `REQUESTS` has the shared ones."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, exists

from ingot.features.planning.issuable_lists import (
    CONVERSIONS,
    IGNORED,
    Issuable,
    LabelForm,
    Labelled,
    lowered,
    user_named,
)
from ingot.features.review.merge_requests.params import ListFilters, Negation
from ingot.features.review.merge_requests.tables import (
    merge_request_assignees,
    merge_request_labels,
    merge_request_reviewers,
    merge_requests,
)
from ingot.identity.tables import users
from ingot.kit.list_forms import Convert
from ingot.kit.params import Sentinel

Statement = Select[Any]
REQUESTS = Issuable(
    "MergeRequest",
    "merge_request_id",
    merge_requests,
    merge_request_assignees,
    merge_request_labels,
    Labelled(merge_requests, merge_request_labels, "merge_request_id"),
    is_labelled=merge_requests.c.is_labelled,
)
REQUEST_CONVERSIONS: Mapping[str, Convert] = {
    **CONVERSIONS,
    "merge_user_username": lowered,
    "reviewer_username": lowered,
    "not_reviewer_username": lowered,
}
REQUEST_IGNORED = IGNORED | {"view", "with_merge_status_recheck"}


def by_people(query: Statement, options: ListFilters) -> Statement:
    """Author, assignees, reviewers and who merged."""
    query = REQUESTS.by_people(query, options)
    if options.merge_user_id is not None:
        query = query.where(merge_requests.c.merged_by_id == options.merge_user_id)
    if options.merge_user_username:
        query = query.where(merge_requests.c.merged_by_id == user_named(options.merge_user_username))
    reviewer: Any = options.reviewer_id
    if options.reviewer_username:
        name = options.reviewer_username
        reviewer = name if isinstance(name, Sentinel) else user_named(name)
    return REQUESTS.by_link(query, merge_request_reviewers, reviewer)


def by_places(query: Statement, options: ListFilters) -> Statement:
    """Branches, source project, numbers and drafts."""
    if options.iids:
        query = query.where(merge_requests.c.iid.in_(options.iids))
    if options.source_branch:
        query = query.where(merge_requests.c.source_branch == options.source_branch)
    if options.target_branch:
        query = query.where(merge_requests.c.target_branch == options.target_branch)
    if options.source_project_id is not None:
        query = query.where(merge_requests.c.source_project_id == options.source_project_id)
    if options.wip is not None:
        query = query.where(merge_requests.c.is_draft.is_(options.wip == "yes"))
    return query


def negated(query: Statement, user_id: int | None, options: Negation | None, others: LabelForm | None) -> Statement:
    """`not[...]`; an unknown reviewer finds nothing."""
    if options is None:
        return query
    query = REQUESTS.negated(query, user_id, options, others)
    if options.reviewer_id is not None:
        is_known = exists().where(users.c.id == options.reviewer_id)
        query = query.where(~REQUESTS.linked(merge_request_reviewers, options.reviewer_id), is_known)
    if options.reviewer_username:
        reviewer = user_named(options.reviewer_username)
        query = query.where(~REQUESTS.linked(merge_request_reviewers, reviewer), reviewer.is_not(None))
    return query
