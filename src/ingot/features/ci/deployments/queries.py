"""Reading environments and deployments."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select

from ingot.features.ci.deployments.tables import deployment_merge_requests, deployments, environments
from ingot.kit.clock import through, wire_or_none
from ingot.kit.errors import NotFound
from ingot.kit.letter_case import contains

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


def get_environment(conn: Connection, project_id: int, environment_id: int) -> Any:
    """An environment of the project."""
    row = conn.execute(
        select(environments).where(environments.c.project_id == project_id, environments.c.id == environment_id)
    ).one_or_none()
    if row is None:
        raise NotFound("Environment")
    return row


def environments_in(project_id: int, options: Any) -> Select[Any]:
    """The environments of a project with all filters."""
    query = select(environments).where(environments.c.project_id == project_id)
    if options.name is not None:
        query = query.where(environments.c.name == options.name)
    if options.search is not None:
        query = query.where(contains(environments.c.name, options.search))
    if options.states is not None:
        query = query.where(environments.c.state == options.states)
    return query.order_by(environments.c.id)


def get_deployment(conn: Connection, project_id: int, deployment_id: int) -> Any:
    """A deployment of the project."""
    row = conn.execute(
        select(deployments).where(deployments.c.project_id == project_id, deployments.c.id == deployment_id)
    ).one_or_none()
    if row is None:
        raise NotFound("Deployment")
    return row


def deployments_in(project_id: int, options: Any) -> Select[Any]:
    """The deployments of a project with all filters."""
    c = deployments.c
    query = select(deployments).where(c.project_id == project_id)
    if options.environment is not None:
        named = select(environments.c.id).where(
            environments.c.project_id == project_id, environments.c.name == options.environment
        )
        query = query.where(c.environment_id.in_(named))
    if options.status is not None:
        query = query.where(c.status == options.status)
    for name in ("updated", "finished"):
        column = c[f"{name}_at"]
        after, before = getattr(options, f"{name}_after"), getattr(options, f"{name}_before")
        if after is not None:
            query = query.where(column >= after)
        if before is not None:
            query = query.where(column <= through(before))
    order = [c[options.order_by], c.id] if options.order_by != "id" else [c.id]
    return query.order_by(*(column.asc() if options.sort == "asc" else column.desc() for column in order))


def last_successful(conn: Connection, environment_id: int, before_id: int | None = None) -> Any:
    """The newest successful deployment of an environment (before another one), or None."""
    query = select(deployments).where(deployments.c.environment_id == environment_id, deployments.c.status == "success")
    if before_id is not None:
        query = query.where(deployments.c.id < before_id)
    return conn.execute(query.order_by(deployments.c.id.desc()).limit(1)).one_or_none()
