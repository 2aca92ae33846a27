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
    found = conn.execute(
        select(environments).where(environments.c.project_id == project_id, environments.c.id == environment_id)
    ).one_or_none()
    if found is None:
        raise NotFound("Environment")
    return found


def environments_in(project_id: int, wish: Any) -> Select[Any]:
    """The environments of a project with all filters."""
    found = select(environments).where(environments.c.project_id == project_id)
    if wish.name is not None:
        found = found.where(environments.c.name == wish.name)
    if wish.search is not None:
        found = found.where(contains(environments.c.name, wish.search))
    if wish.states is not None:
        found = found.where(environments.c.state == wish.states)
    return found.order_by(environments.c.id)


def get_deployment(conn: Connection, project_id: int, deployment_id: int) -> Any:
    """A deployment of the project."""
    found = conn.execute(
        select(deployments).where(deployments.c.project_id == project_id, deployments.c.id == deployment_id)
    ).one_or_none()
    if found is None:
        raise NotFound("Deployment")
    return found


def deployments_in(project_id: int, wish: Any) -> Select[Any]:
    """The deployments of a project with all filters."""
    c = deployments.c
    found = select(deployments).where(c.project_id == project_id)
    if wish.environment is not None:
        named = select(environments.c.id).where(
            environments.c.project_id == project_id, environments.c.name == wish.environment
        )
        found = found.where(c.environment_id.in_(named))
    if wish.status is not None:
        found = found.where(c.status == wish.status)
    for name in ("updated", "finished"):
        column = c[f"{name}_at"]
        after, before = getattr(wish, f"{name}_after"), getattr(wish, f"{name}_before")
        if after is not None:
            found = found.where(column >= after)
        if before is not None:
            found = found.where(column <= through(before))
    order = [c[wish.order_by], c.id] if wish.order_by != "id" else [c.id]
    return found.order_by(*(column.asc() if wish.sort == "asc" else column.desc() for column in order))


def last_successful(conn: Connection, environment_id: int, before_id: int | None = None) -> Any:
    """The newest successful deployment of an environment (before another one), or None."""
    found = select(deployments).where(deployments.c.environment_id == environment_id, deployments.c.status == "success")
    if before_id is not None:
        found = found.where(deployments.c.id < before_id)
    return conn.execute(found.order_by(deployments.c.id.desc()).limit(1)).one_or_none()
