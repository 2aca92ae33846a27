"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Any, Protocol

from ingot.features.ci.variables import GivenVariableRow


class PipelineScheduleRow(Protocol):
    """What may be read of a row of `pipeline_schedules`."""

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
    """What may be read of a row of `pipeline_schedule_variables`."""

    id: int
