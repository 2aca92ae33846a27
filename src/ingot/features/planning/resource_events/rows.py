"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class EventRow(Protocol):
    """What rows of all three tables have."""

    id: int
    issue_id: int | None
    user_id: int | None
    created_at: datetime


class LabelEventRow(EventRow, Protocol):
    """A row of `resource_label_events`."""

    merge_request_id: int | None
    label_id: int | None
    action: str


class MilestoneEventRow(EventRow, Protocol):
    """A row of `resource_milestone_events`."""

    merge_request_id: int | None
    milestone_id: int
    action: str
    state: str


class WeightEventRow(EventRow, Protocol):
    """A row of `resource_weight_events`."""

    issue_id: int
    weight: int | None
