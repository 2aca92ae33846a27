"""An upload of a job, before it is stored."""

from datetime import datetime

import msgspec


class Upload(msgspec.Struct, frozen=True, kw_only=True):
    """What is uploaded for which job, checked before a byte is read."""

    job_id: int
    project_id: int
    pipeline_id: int
    job_name: str
    file_type: str
    file_format: str
    accessibility: str
    expire_at: datetime | None
    limit: int | None
    is_proven: bool = True  # the uploader has shown the job's token
