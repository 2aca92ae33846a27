"""Pipeline triggers: tokens that start a project's pipelines."""

from ingot.features.ci.pipeline_triggers.tables import pipeline_triggers
from ingot.features.ci.pipeline_triggers.tokens import short_token

__all__ = ["pipeline_triggers", "short_token"]
