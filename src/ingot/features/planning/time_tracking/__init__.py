"""Estimates and time spent on issuables. `tracking_routes` are the endpoints of one kind."""

from ingot.features.planning.time_tracking.commands import Spent, reset_spent, set_estimate, spend
from ingot.features.planning.time_tracking.endpoints import tracking_routes
from ingot.features.planning.time_tracking.entities import TimeStats, time_stats
from ingot.features.planning.time_tracking.tables import timelogs

__all__ = [
    "Spent", "TimeStats", "reset_spent", "set_estimate", "spend", "time_stats", "timelogs", "tracking_routes",
]  # fmt: skip
