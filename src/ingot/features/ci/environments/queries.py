"""The lists of environments and deployments, with their filters."""

from typing import Any

from sqlalchemy import Select, select

from ingot.features.ci.deployments import deployments, environments
from ingot.features.ci.environments.params import ListDeployments, ListEnvironments
from ingot.kit.clock import through
from ingot.kit.letter_case import contains


def environments_in(project_id: int, options: ListEnvironments) -> Select[Any]:
    """The environments of a project with all filters."""
    query = select(environments).where(environments.c.project_id == project_id)
    if options.name is not None:
        query = query.where(environments.c.name == options.name)
    if options.search is not None:
        query = query.where(contains(environments.c.name, options.search))
    if options.states is not None:
        query = query.where(environments.c.state == options.states)
    return query.order_by(environments.c.id)


def deployments_in(project_id: int, options: ListDeployments) -> Select[Any]:
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
