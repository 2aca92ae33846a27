"""Merge requests, from opening to merged.

For other features: `register_check` adds a mergeability check, `pipeline_statuses` says where head pipelines come from,
`adds_to_single` adds keys to the single form, `list_filter` a filter to the lists, `on_update` a part of the update.
"""

from ingot.features.review.merge_requests.checks import PAGE, has_concerned, pipeline_statuses, register_check
from ingot.features.review.merge_requests.closing import closing_condition, related_condition
from ingot.features.review.merge_requests.commands.auto_merge import try_waiting
from ingot.features.review.merge_requests.commands.check import check, commits_of, head_ref, target_repository
from ingot.features.review.merge_requests.commands.rebase import may_rebase
from ingot.features.review.merge_requests.commands.requested import may_open_request
from ingot.features.review.merge_requests.commands.resolve import Resolution, find_resolvable, resolve_conflicts
from ingot.features.review.merge_requests.entities import MergeRequestBasic
from ingot.features.review.merge_requests.errors import ShaMismatch
from ingot.features.review.merge_requests.extensions import (
    ListContext,
    approval_number_source,
    approver_source,
    list_conversions,
    list_filter,
    on_update,
)
from ingot.features.review.merge_requests.lookup import find_for_update, find_then_authorize, find_visible
from ingot.features.review.merge_requests.mergeability import (
    can_wait,
    detailed_statuses,
    failures,
    settings_by_project,
)
from ingot.features.review.merge_requests.params_single import OneMergeRequest
from ingot.features.review.merge_requests.policy import (
    FIND_MERGE_REQUEST,
    READ_MERGE_REQUESTS,
    READ_MERGE_REQUESTS_SIGNED_IN,
    is_assignee,
    is_developer,
    may_update,
    may_update_among,
    readable_merge_requests,
)
from ingot.features.review.merge_requests.policy import may_delete as may_delete_request
from ingot.features.review.merge_requests.present import label_details, present_embedded, present_rows
from ingot.features.review.merge_requests.queries import (
    find_by_id,
    find_by_ids,
    find_by_iid,
    get_by_id,
    newest_of_branches,
    with_project,
)
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.search import condition as found_in_texts
from ingot.features.review.merge_requests.search import find as find_in_texts
from ingot.features.review.merge_requests.single import adds_to_single
from ingot.features.review.merge_requests.states import shown
from ingot.features.review.merge_requests.tables import (
    merge_request_assignees,
    merge_request_diffs,
    merge_request_labels,
    merge_request_reviewers,
    merge_request_state_events,
    merge_requests,
)
from ingot.features.review.merge_requests.versions import Store, on_change, on_retarget

__all__ = [
    "FIND_MERGE_REQUEST",
    "PAGE",
    "READ_MERGE_REQUESTS",
    "READ_MERGE_REQUESTS_SIGNED_IN",
    "ListContext",
    "MergeRequestBasic", "MergeRequestRow", "MergeRequestWithProject",
    "OneMergeRequest",
    "Resolution",
    "ShaMismatch",
    "Store",
    "adds_to_single",
    "approval_number_source",
    "approver_source",
    "can_wait",
    "check",
    "closing_condition",
    "commits_of",
    "detailed_statuses",
    "failures",
    "find_by_id",
    "find_by_ids",
    "find_by_iid",
    "find_for_update",
    "find_in_texts",
    "find_resolvable",
    "find_then_authorize",
    "find_visible",
    "found_in_texts",
    "get_by_id",
    "has_concerned",
    "head_ref",
    "is_assignee",
    "is_developer",
    "label_details",
    "list_conversions",
    "list_filter",
    "may_delete_request",
    "may_open_request",
    "may_rebase",
    "may_update",
    "may_update_among",
    "merge_request_assignees",
    "merge_request_diffs",
    "merge_request_labels",
    "merge_request_reviewers",
    "merge_request_state_events",
    "merge_requests",
    "newest_of_branches",
    "on_change",
    "on_retarget",
    "on_update",
    "pipeline_statuses",
    "present_embedded",
    "present_rows",
    "readable_merge_requests",
    "register_check",
    "related_condition",
    "resolve_conflicts",
    "settings_by_project",
    "shown",
    "target_repository",
    "try_waiting",
    "with_project",
]  # fmt: skip
