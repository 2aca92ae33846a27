"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class ArchiveRow(Protocol):
    """The archive of a job with its pipeline's lock, as `find_archive` selects it."""

    id: int
    project_id: int
    pipeline_id: int
    job_id: int
    file_type: str
    file_format: str | None
    filename: str
    size: int
    blob_key: str
    index_key: str | None
    sha256: str | None
    accessibility: str
    expire_at: datetime | None
    created_at: datetime
    is_locked: bool


class JobOfRefRow(Protocol):
    """The job of a download by ref."""

    id: int
    name: str
    pipeline_id: int


class UploadingJob(Protocol):
    """What storing an upload needs of its job."""

    id: int
    project_id: int
    pipeline_id: int
    name: str


class UploadOptions(Protocol):
    """What the uploader says about the file."""

    artifact_type: str
    artifact_format: str
    expire_in: str | None
    accessibility: str | None
