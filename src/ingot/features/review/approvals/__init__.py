"""Approvals of merge requests, approval rules and approval settings."""

from ingot.features.review.approvals.commands import judge
from ingot.features.review.approvals.state import states
from ingot.features.review.approvals.tables import (
    approval_project_rule_branches,
    approval_project_rule_users,
    approval_project_rules,
    approvals,
)

__all__ = [ "approval_project_rule_branches",
    "approval_project_rule_users", "approval_project_rules", "approvals", "judge", "states",
]  # fmt: skip
