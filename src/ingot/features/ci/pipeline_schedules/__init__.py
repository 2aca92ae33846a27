"""Pipeline schedules: pipelines by the clock."""

from ingot.features.ci.pipeline_schedules.tables import pipeline_schedules

__all__ = ["pipeline_schedules"]
