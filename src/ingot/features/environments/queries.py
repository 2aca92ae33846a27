"""Reading environments and deployments."""

from datetime import datetime

from sqlalchemy import Connection, func, select

from ingot.features.environments.tables import deployment_merge_requests, deployments, environments
from ingot.kit.clock import wire_or_none


def first_production_deployment(conn: Connection, merge_request_id: int) -> datetime | None:
    """When a merge request first reached production."""
    found = (
        select(func.min(deployments.c.finished_at))
        .join_from(
            deployment_merge_requests, deployments, deployments.c.id == deployment_merge_requests.c.deployment_id
        )
        .join(environments, environments.c.id == deployments.c.environment_id)
        .where(
            deployment_merge_requests.c.merge_request_id == merge_request_id,
            deployments.c.status == "success",
            environments.c.tier == "production",
        )
    )
    return wire_or_none(conn.execute(found).scalar_one())
