"""Environments and deployments."""

from ingot.features.environments.tables import deployment_merge_requests, deployments, environments

__all__ = ["deployment_merge_requests", "deployments", "environments"]
