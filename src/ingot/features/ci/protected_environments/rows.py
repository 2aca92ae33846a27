"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class ProtectedEnvironmentRow(Protocol):
    """A row of `protected_environments`."""

    id: int
    project_id: int | None
    group_id: int | None
    name: str
    required_approval_count: int
    created_at: datetime
    updated_at: datetime


class EntryRow(Protocol):
    """A row of `protected_environment_entries`."""

    id: int
    protected_environment_id: int
    kind: str
    access_level: int | None
    user_id: int | None
    group_id: int | None
    group_inheritance_type: int
    required_approvals: int


class NamedEntryRow(EntryRow, Protocol):
    """The same with the name of its user or group."""

    user_name: str | None
    group_name: str | None


class ApprovalRow(Protocol):
    """A row of `deployment_approvals`."""

    id: int
    deployment_id: int
    user_id: int | None
    entry_id: int | None
    status: str
    comment: str | None
    created_at: datetime
