"""The time block of issues and merge requests."""

from ingot.features.planning.issuables import IssuableRow
from ingot.kit.durations import human
from ingot.kit.entity import Entity


class TimeStats(Entity):
    """Seconds, and the same in words."""

    time_estimate: int
    total_time_spent: int
    human_time_estimate: str | None
    human_total_time_spent: str | None


def time_stats(row: IssuableRow) -> TimeStats:
    """From a row with `time_estimate` and `total_time_spent`."""
    return TimeStats(
        time_estimate=row.time_estimate,
        total_time_spent=row.total_time_spent,
        human_time_estimate=human(row.time_estimate),
        human_total_time_spent=human(row.total_time_spent),
    )
