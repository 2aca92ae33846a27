"""Pipeline schedules: pipelines that run at set times."""

from ingot.features.ci.pipeline_schedules.policy import may_change as may_change_schedule
from ingot.features.ci.pipeline_schedules.policy import may_take_ownership as may_own_schedule
from ingot.features.ci.pipeline_schedules.tables import pipeline_schedules

__all__ = ["may_change_schedule", "may_own_schedule", "pipeline_schedules"]
