"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol


class RunnerRow(Protocol):
    """A row of `runners`."""

    id: int
    runner_type: str
    token_digest: str
    short_token: str
    token_expires_at: datetime | None
    registration_type: str
    creator_id: int | None
    name: str | None
    description: str | None
    maintenance_note: str | None
    active: bool
    locked: bool
    run_untagged: bool
    access_level: str
    maximum_timeout: int | None
    tag_list: Any
    ip_address: str | None
    contacted_at: datetime | None
    created_at: datetime
    updated_at: datetime


class RunnerManagerRow(Protocol):
    """A row of `runner_managers`."""

    id: int
    runner_id: int
    system_id: str
    name: str | None
    version: str | None
    revision: str | None
    platform: str | None
    architecture: str | None
    executor: str | None
    ip_address: str | None
    features: list[str]
    contacted_at: datetime | None
    created_at: datetime


class CandidateRow(Protocol):
    """A pending job that a runner may take, with the settings of its project."""

    id: int
    pipeline_id: int
    project_id: int
    settings: Any


class RunningJobRow(Protocol):
    """A job that a call of the runner protocol is about, with the state of its project."""

    id: int
    project_id: int
    pipeline_id: int
    name: str
    status: str
    token_digest: str | None
    erased_at: datetime | None
    pending_delete: bool


class DependencyRow(Protocol):
    """An earlier job whose archive and variables a job receives."""

    id: int
    name: str
    dotenv: dict[str, str] | None
    erased_at: datetime | None
    artifacts_expire_at: datetime | None
    stage_index: int


class LocalDependencyRow(DependencyRow, Protocol):
    """One of the same pipeline, with that pipeline's lock."""

    is_locked: bool


class MachineRow(RunnerManagerRow, Protocol):
    """A machine of a runner, and whether it runs a job."""

    is_busy: bool
