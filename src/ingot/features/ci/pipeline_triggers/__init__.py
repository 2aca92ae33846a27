"""Pipeline triggers: tokens that start a project's pipelines."""

from ingot.features.ci.pipeline_triggers.policy import may_update as may_update_trigger
from ingot.features.ci.pipeline_triggers.tables import pipeline_triggers
from ingot.features.ci.pipeline_triggers.tokens import short_token

__all__ = ["may_update_trigger", "pipeline_triggers", "short_token"]
