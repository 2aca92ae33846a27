"""Environments and deployments: tables that jobs, callers and scheduled work change."""

from ingot.features.ci.deployments.commands import (
    FOLLOWS,
    create_environment,
    delete_environment,
    ensure_environment,
    open_deployment,
    set_auto_stop,
    set_deployment_status,
    update_environment,
)
from ingot.features.ci.deployments.queries import (
    first_production_deployment,
    get_deployment,
    get_environment,
    last_successful,
    newest_successful,
)
from ingot.features.ci.deployments.rows import DeploymentRow, EnvironmentRow
from ingot.features.ci.deployments.tables import deployment_merge_requests, deployments, environments

__all__ = [
    "FOLLOWS", "DeploymentRow", "EnvironmentRow",
    "create_environment", "delete_environment", "deployment_merge_requests", "deployments",
    "ensure_environment", "environments", "first_production_deployment",
    "get_deployment", "get_environment", "last_successful", "newest_successful", "open_deployment", "set_auto_stop",
    "set_deployment_status", "update_environment",
]  # fmt: skip
