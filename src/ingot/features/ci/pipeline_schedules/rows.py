"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol

from ingot.features.ci.variables import GivenVariableRow


class PipelineScheduleRow(Protocol):
    """A row of `pipeline_schedules`."""

    id: int
    project_id: int
    owner_id: int | None
    description: str
    ref: str
    cron: str
    cron_timezone: str
    next_run_at: datetime | None
    active: bool
    inputs: Any
    last_pipeline_id: int | None
    created_at: datetime
    updated_at: datetime


class ScheduleVariableRow(GivenVariableRow, Protocol):
    """A row of `pipeline_schedule_variables`."""

    id: int
