"""Rows of jobs and pipelines as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol


class _SmallJobColumns(Protocol):
    """The columns of a job that are not large."""

    id: int
    kind: str
    project_id: int
    pipeline_id: int
    user_id: int | None
    name: str
    stage: str
    stage_index: int
    ref: str
    is_tag: bool
    is_protected: bool
    status: str
    failure_reason: str | None
    exit_code: int | None
    when: str
    allow_failure: bool
    interruptible: bool
    needs: list[dict[str, Any]] | None
    is_retried: bool
    attempt: int
    scheduled_at: datetime | None
    timeout: int | None
    tag_list: list[str]
    has_environment: bool
    resource_group_id: int | None
    token_digest: str | None
    runner_id: int | None
    runner_manager_id: int | None
    cancels_gracefully: bool
    debug_trace: bool
    contacted_at: datetime | None
    coverage: float | None
    artifacts_expire_at: datetime | None
    erased_at: datetime | None
    erased_by_id: int | None
    downstream_id: int | None
    target_url: str | None
    description: str | None
    created_at: datetime
    queued_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    updated_at: datetime
    environment_url: str | None


class JobRow(_SmallJobColumns, Protocol):
    """A job without its large columns, as selected by `JOB_COLUMNS`."""

    is_archived: bool


class WholeJobRow(_SmallJobColumns, Protocol):
    """A job with all columns of its table."""

    own_variables: str | None
    dotenv: dict[str, str] | None
    plan: dict[str, Any] | None


class PipelineRow(Protocol):
    """A pipeline with all columns of its table."""

    id: int
    iid: int
    project_id: int
    user_id: int | None
    name: str | None
    ref: str
    is_tag: bool
    is_protected: bool
    sha: str
    before_sha: str
    source: str
    status: str
    failure_reason: str | None
    yaml_errors: str | None
    merge_request_id: int | None
    schedule_id: int | None
    trigger_id: int | None
    parent_id: int | None
    root_id: int | None
    depth: int
    bridge_id: int | None
    is_locked: bool
    variables: list[dict[str, Any]]
    stages: list[str]
    commit: dict[str, Any]
    auto_cancel_on_new_commit: str
    auto_cancel_on_job_failure: str
    coverage: float | None
    duration: int | None
    committed_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    created_at: datetime
    updated_at: datetime


class DecidingJobRow(Protocol):
    """The columns that decide whether a job may start."""

    id: int
    name: str
    stage_index: int
    status: str
    allow_failure: bool
    when: str
    needs: list[dict[str, Any]] | None


class BridgeRow(Protocol):
    """A bridge whose downstream pipeline changed."""

    id: int
    pipeline_id: int
    status: str


class OnRefRow(Protocol):
    """A job or a pipeline, as far as its ref protects it."""

    @property
    def ref(self) -> str: ...
    @property
    def is_tag(self) -> bool: ...
    @property
    def is_protected(self) -> bool: ...
