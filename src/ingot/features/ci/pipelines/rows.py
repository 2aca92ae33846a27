"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class HeadPipelineRow(Protocol):
    """A pipeline that may be the head pipeline of a merge request."""

    id: int
    status: str
    project_id: int
    sha: str
    ref: str
    merge_request_id: int | None


class ListedPipelineRow(Protocol):
    """A pipeline as `LISTED_COLUMNS` selects it."""

    id: int
    iid: int
    project_id: int
    sha: str
    ref: str
    status: str
    source: str
    created_at: datetime
    updated_at: datetime
    name: str | None
    project_path: str


class WholePipelineRow(ListedPipelineRow, Protocol):
    """A pipeline as `WHOLE_COLUMNS` selects it."""

    before_sha: str
    is_tag: bool
    is_protected: bool
    yaml_errors: str | None
    user_id: int | None
    started_at: datetime | None
    finished_at: datetime | None
    committed_at: datetime | None
    duration: int | None
    coverage: float | None
    merge_request_id: int | None


class ArtifactRow(Protocol):
    """The shown columns of a row of `job_artifacts`."""

    job_id: int
    file_type: str
    file_format: str | None
    filename: str
    size: int
    expire_at: datetime | None
