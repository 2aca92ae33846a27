"""Rows as typed records."""

from datetime import datetime
from typing import Protocol

from ingot.access.rows import ProjectRow


class DeployKeyRow(Protocol):
    """A row of `deploy_keys`."""

    id: int
    user_id: int | None
    title: str
    key: str
    fingerprint: str
    is_public: bool
    expires_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime


class ProjectKeyRow(DeployKeyRow, Protocol):
    """A deploy key with its rights in one project."""

    can_push: bool


class OpenedProjectRow(ProjectRow, Protocol):
    """A project with its deploy key."""

    deploy_key_id: int
    can_push: bool
    namespace_full_name: str


class KeyLinkRow(Protocol):
    """A row of `deploy_key_projects`."""

    id: int
    deploy_key_id: int
    project_id: int
    can_push: bool
    created_at: datetime
