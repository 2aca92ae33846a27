"""Freeze periods on the wire."""

from collections.abc import Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.features.ci.freeze_periods.rows import FreezePeriodRow
from ingot.kit.entity import Entity, wire


class FreezePeriod(Entity):
    """A time in which nothing should be deployed."""

    id: int
    freeze_start: str
    freeze_end: str
    cron_timezone: str
    created_at: datetime
    updated_at: datetime


def present(_: Call, rows: Sequence[FreezePeriodRow]) -> list[FreezePeriod]:
    """A page of freeze periods."""
    return [
        FreezePeriod(
            id=row.id,
            freeze_start=row.freeze_start,
            freeze_end=row.freeze_end,
            cron_timezone=row.cron_timezone,
            created_at=wire(row.created_at),
            updated_at=wire(row.updated_at),
        )
        for row in rows
    ]
