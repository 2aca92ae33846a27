"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class ApprovalRow(Protocol):
    """A row of `approvals`."""

    id: int
    merge_request_id: int
    user_id: int
    created_at: datetime


class ApprovalRuleRow(Protocol):
    """What rules of projects and of requests have in common."""

    id: int
    name: str
    approvals_required: int
    rule_type: str
    report_type: str | None
    created_at: datetime
    updated_at: datetime


class ProjectRuleRow(ApprovalRuleRow, Protocol):
    """A row of `approval_project_rules`."""

    project_id: int
    applies_to_all_protected_branches: bool


class RequestRuleRow(ApprovalRuleRow, Protocol):
    """A row of `approval_merge_request_rules`."""

    merge_request_id: int
    source_rule_id: int | None
    section: str | None
    is_modified: bool
