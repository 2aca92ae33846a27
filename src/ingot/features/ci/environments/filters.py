"""Merge requests by where they were deployed."""

from datetime import UTC
from typing import Any

from sqlalchemy import Select, exists

from ingot.features.ci.deployments import deployment_merge_requests, deployments, environments
from ingot.features.review.merge_requests import ListContext, list_conversions, list_filter, merge_requests
from ingot.kit import coercion


@list_filter
def by_deployment(query: Select[Any], context: ListContext) -> Select[Any]:
    """The three deployment filters combine on one and the same deployment; unreadable times are ignored."""
    options = context.options
    after, before = options.deployed_after, options.deployed_before
    if after is None and before is None and not options.environment:
        return query
    deployed = exists().where(
        deployment_merge_requests.c.merge_request_id == merge_requests.c.id,
        deployment_merge_requests.c.deployment_id == deployments.c.id,
        deployments.c.status == "success",
    )
    if after is not None:
        deployed = deployed.where(deployments.c.finished_at > after)
    if before is not None:
        deployed = deployed.where(deployments.c.finished_at < before)
    if options.environment:
        deployed = deployed.where(
            deployments.c.environment_id == environments.c.id,
            environments.c.name == options.environment,
            environments.c.project_id == merge_requests.c.project_id,
        )
    return query.where(deployed)


def _moment(text: str | None) -> Any:
    try:
        moment = coercion.to_datetime(text)
    except coercion.Unfit:
        return None
    return None if moment is None else moment.astimezone(UTC)


list_conversions({"deployed_after": _moment, "deployed_before": _moment})
