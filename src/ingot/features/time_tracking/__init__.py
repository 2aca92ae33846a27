"""Estimates and time spent on issues and merge requests."""

from ingot.features.time_tracking.durations import human, parse
from ingot.features.time_tracking.entities import TimeStats, time_stats
from ingot.features.time_tracking.tables import timelogs

__all__ = ["TimeStats", "human", "parse", "time_stats", "timelogs"]
