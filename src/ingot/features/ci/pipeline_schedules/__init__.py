"""Pipeline schedules: pipelines that run at set times."""

from ingot.features.ci.pipeline_schedules.tables import pipeline_schedules

__all__ = ["pipeline_schedules"]
