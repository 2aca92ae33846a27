"""Approvals of merge requests, approval rules and approval settings."""

from ingot.features.review.approvals.state import states
from ingot.features.review.approvals.tables import (
    CODE_OWNER,
    approval_merge_request_rule_groups,
    approval_merge_request_rule_users,
    approval_merge_request_rules,
    approval_project_rule_branches,
    approval_project_rule_groups,
    approval_project_rule_users,
    approval_project_rules,
    approvals,
    merge_request_committers,
)

__all__ = [
    "CODE_OWNER", "approval_merge_request_rule_groups", "approval_merge_request_rule_users",
    "approval_merge_request_rules", "approval_project_rule_branches", "approval_project_rule_groups",
    "approval_project_rule_users", "approval_project_rules", "approvals", "merge_request_committers", "states",
]  # fmt: skip
