"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class ProtectedTagRow(Protocol):
    """A row of `protected_tags`."""

    id: int
    project_id: int
    name: str
    created_at: datetime
    updated_at: datetime


class ProtectedBranchRow(ProtectedTagRow, Protocol):
    """A row of `protected_branches`."""

    allow_force_push: bool
    code_owner_approval_required: bool


class ListedBranchRow(Protocol):
    """A protected branch of a project, its own or that of a group above."""

    id: int
    project_id: int
    name: str
    allow_force_push: bool
    code_owner_approval_required: bool
    inherited: bool
    updated_at: datetime


class GroupProtectedBranchRow(Protocol):
    """A row of `group_protected_branches`."""

    id: int
    group_id: int
    name: str
    allow_force_push: bool
    code_owner_approval_required: bool
    created_at: datetime
    updated_at: datetime


class RuleGrantRow(Protocol):
    """An entry of a rule, with its kind."""

    kind: str
    access_level: int | None
    user_id: int | None
    group_id: int | None


class GrantRow(Protocol):
    """An entry of a rule, with the name of its user or group."""

    id: int
    access_level: int | None
    user_id: int | None
    group_id: int | None
    user_name: str
    group_name: str
