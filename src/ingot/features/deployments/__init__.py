"""Environments and what was deployed to them: the rows that jobs, callers and the clock change."""

from ingot.features.deployments.commands import (
    FOLLOWS,
    create_environment,
    delete_environment,
    ensure_environment,
    open_deployment,
    set_auto_stop,
    set_deployment_status,
    update_environment,
)
from ingot.features.deployments.queries import first_production_deployment
from ingot.features.deployments.tables import deployment_merge_requests, deployments, environments

__all__ = [
    "FOLLOWS",
    "create_environment",
    "delete_environment",
    "deployment_merge_requests",
    "deployments",
    "ensure_environment",
    "environments",
    "first_production_deployment",
    "open_deployment",
    "set_auto_stop",
    "set_deployment_status",
    "update_environment",
]
