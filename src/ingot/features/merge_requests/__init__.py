"""Merge requests, from opening to merged.

For other features: `checks.register` adds a mergeability check, `checks.pipeline_statuses` says where head pipelines
come from, `single.adds_to_single` adds keys to the single form, `lookup` finds the request of a path.
"""

from ingot.features.merge_requests.queries import find_by_id, find_by_iid, with_project
from ingot.features.merge_requests.tables import (
    merge_request_assignees,
    merge_request_diffs,
    merge_request_labels,
    merge_request_reviewers,
    merge_requests,
)

__all__ = [
    "find_by_id", "find_by_iid", "merge_request_assignees", "merge_request_diffs", "merge_request_labels",
    "merge_request_reviewers", "merge_requests", "with_project",
]  # fmt: skip
