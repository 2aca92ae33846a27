"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class PipelineTriggerRow(Protocol):
    """What may be read of a row of `pipeline_triggers`."""

    id: int
    project_id: int
    owner_id: int | None
    description: str
    token_digest: str
    sealed_token: str
    expires_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime
    updated_at: datetime
