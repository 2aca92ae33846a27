"""Approvals of merge requests, approval rules and approval settings."""

from ingot.features.review.approvals.before_merge import may_edit_rules
from ingot.features.review.approvals.commands import judge
from ingot.features.review.approvals.counts import ApprovalCount, approval_counts
from ingot.features.review.approvals.state import has_rules, states
from ingot.features.review.approvals.tables import (
    approval_project_rule_branches,
    approval_project_rule_users,
    approval_project_rules,
    approvals,
)

__all__ = [
    "ApprovalCount",
    "approval_counts",
    "approval_project_rule_branches",
    "approval_project_rule_users",
    "approval_project_rules",
    "approvals",
    "has_rules",
    "judge",
    "may_edit_rules",
    "states",
]
