"""Merge requests, from opening to merged.

For other features: `register_check` adds a mergeability check, `pipeline_statuses` says where head pipelines come from,
`adds_to_single` adds keys to the single form, `list_filter` a filter to the lists, `on_update` a part of the update.
"""

from ingot.features.merge_requests.checks import pipeline_statuses, register_check
from ingot.features.merge_requests.closing import closing_condition, related_condition
from ingot.features.merge_requests.commands.check import commits_of
from ingot.features.merge_requests.entities import MergeRequestBasic
from ingot.features.merge_requests.extensions import ListContext, approver_source, list_filter, on_update
from ingot.features.merge_requests.kind import MERGE_REQUEST
from ingot.features.merge_requests.lookup import find_then_authorize
from ingot.features.merge_requests.params_single import OneMergeRequest
from ingot.features.merge_requests.policy import (
    FIND_MERGE_REQUEST,
    READ_MERGE_REQUESTS,
    is_assignee,
    is_developer,
    readable_merge_requests,
)
from ingot.features.merge_requests.present import present_embedded
from ingot.features.merge_requests.queries import find_by_id, find_by_iid, with_project
from ingot.features.merge_requests.single import adds_to_single
from ingot.features.merge_requests.tables import (
    merge_request_assignees,
    merge_request_diffs,
    merge_request_labels,
    merge_request_reviewers,
    merge_requests,
)

__all__ = [
    "FIND_MERGE_REQUEST", "MERGE_REQUEST", "READ_MERGE_REQUESTS", "ListContext", "MergeRequestBasic",
    "OneMergeRequest", "adds_to_single", "approver_source", "closing_condition", "commits_of", "find_by_id",
    "find_by_iid", "find_then_authorize", "is_assignee", "is_developer", "list_filter", "merge_request_assignees",
    "merge_request_diffs", "merge_request_labels", "merge_request_reviewers", "merge_requests", "on_update",
    "pipeline_statuses", "present_embedded", "readable_merge_requests", "register_check", "related_condition",
    "with_project",
]  # fmt: skip
