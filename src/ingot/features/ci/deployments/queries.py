"""Reading environments and deployments."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select

from ingot.features.ci.deployments.rows import DeploymentRow, EnvironmentRow
from ingot.features.ci.deployments.tables import deployment_merge_requests, deployments, environments
from ingot.kit.clock import wire_or_none
from ingot.kit.errors import NotFound

_FIRST_IN_PRODUCTION = (
    select(func.min(deployments.c.finished_at))
    .join_from(deployment_merge_requests, deployments, deployments.c.id == deployment_merge_requests.c.deployment_id)
    .join(environments, environments.c.id == deployments.c.environment_id)
    .where(
        deployment_merge_requests.c.merge_request_id == bindparam("request_id"),
        deployments.c.status == "success",
        environments.c.tier == "production",
    )
)


def first_production_deployment(conn: Connection, merge_request_id: int) -> datetime | None:
    """When a merge request first reached production."""
    return wire_or_none(conn.execute(_FIRST_IN_PRODUCTION, {"request_id": merge_request_id}).scalar_one())


def get_environment(conn: Connection, project_id: int, environment_id: int) -> EnvironmentRow:
    """An environment of the project."""
    row = conn.execute(
        select(environments).where(environments.c.project_id == project_id, environments.c.id == environment_id)
    ).one_or_none()
    if row is None:
        raise NotFound("Environment")
    return row


def get_deployment(conn: Connection, project_id: int, deployment_id: int) -> DeploymentRow:
    """A deployment of the project."""
    row = conn.execute(
        select(deployments).where(deployments.c.project_id == project_id, deployments.c.id == deployment_id)
    ).one_or_none()
    if row is None:
        raise NotFound("Deployment")
    return row


def last_successful(conn: Connection, environment_id: int, before_id: int | None = None) -> DeploymentRow | None:
    """The newest successful deployment of an environment (before another one), or None."""
    query = select(deployments).where(deployments.c.environment_id == environment_id, deployments.c.status == "success")
    if before_id is not None:
        query = query.where(deployments.c.id < before_id)
    return conn.execute(query.order_by(deployments.c.id.desc()).limit(1)).one_or_none()


def newest_successful(conn: Connection, environment_ids: Sequence[int]) -> Sequence[DeploymentRow]:
    """The newest successful deployment of each of these environments."""
    if not environment_ids:
        return []
    here = (deployments.c.environment_id.in_(environment_ids), deployments.c.status == "success")
    newest = select(func.max(deployments.c.id)).where(*here).group_by(deployments.c.environment_id)
    return conn.execute(select(deployments).where(deployments.c.id.in_(newest))).all()
