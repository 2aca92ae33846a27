"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class PipelineTriggerRow(Protocol):
    """A row of `pipeline_triggers`."""

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
