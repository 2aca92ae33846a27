"""Freeze periods: when nothing should be deployed. Jobs of pipelines made in one get `CI_DEPLOY_FREEZE`."""

from ingot.features.ci.freeze_periods.queries import is_frozen

__all__ = ["is_frozen"]
