"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class EnvironmentRow(Protocol):
    """A row of `environments`."""

    id: int
    project_id: int
    name: str
    slug: str
    external_url: str | None
    state: str
    tier: str
    description: str | None
    auto_stop_at: datetime | None
    auto_delete_at: datetime | None
    auto_stop_setting: str
    created_at: datetime
    updated_at: datetime


class DeploymentRow(Protocol):
    """A row of `deployments`."""

    id: int
    iid: int
    project_id: int
    environment_id: int
    job_id: int | None
    user_id: int | None
    ref: str
    is_tag: bool
    sha: str
    status: str
    finished_at: datetime | None
    created_at: datetime
    updated_at: datetime
