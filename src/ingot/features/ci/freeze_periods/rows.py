"""Rows as typed records."""

from datetime import datetime
from typing import Protocol


class FreezePeriodRow(Protocol):
    """A row of `freeze_periods`."""

    id: int
    project_id: int
    freeze_start: str
    freeze_end: str
    cron_timezone: str
    created_at: datetime
    updated_at: datetime
