"""Stops environments that have been unused for a long time, and deletes stopped review apps."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, exists, select, update

from ingot.features.ci.deployments import deployments, environments
from ingot.features.ci.engine import actor_by_id
from ingot.features.ci.environments.stopping import stop
from ingot.features.ci.protected_environments import covering, project_rules
from ingot.kit.clock import now
from ingot.kit.services import Services

# spec: scheduled review apps are deleted after a week
_DELAY = timedelta(days=7)
_FOLDER = "review/"


def stop_stale(services: Services, project_id: int, before: datetime, user_id: int) -> int:
    """Stop unprotected environments neither edited nor deployed to since then; returns how many. Safe to repeat."""
    used = exists().where(deployments.c.environment_id == environments.c.id, deployments.c.updated_at >= before)
    with services.db.read() as conn:
        actor = actor_by_id(conn, user_id)
        stale = conn.execute(
            select(environments)
            .where(
                environments.c.project_id == project_id,
                environments.c.state == "available",
                environments.c.updated_at < before,
                ~used,
            )
            .order_by(environments.c.id)
        ).all()
        rules = project_rules(conn, project_id)
    unprotected = [row for row in stale if not covering(rules, row.name, row.tier)]
    for row in unprotected:
        stop(services, row, actor)
    return len(unprotected)


def stopped_review_apps(conn: Connection, project_id: int, before: datetime, limit: int) -> Sequence[Any]:
    """Stopped environments of the folder `review`, oldest first, that nobody has scheduled yet."""
    return conn.execute(
        select(environments)
        .where(
            environments.c.project_id == project_id,
            environments.c.state == "stopped",
            environments.c.name.startswith(_FOLDER, autoescape=True),
            environments.c.created_at < before,
            environments.c.auto_delete_at.is_(None),
        )
        .order_by(environments.c.created_at, environments.c.id)
        .limit(limit)
    ).all()


def schedule_deletion(tx: Connection, ids: Sequence[int]) -> None:
    """Schedule their deletion; a new deployment before then cancels it."""
    tx.execute(update(environments).where(environments.c.id.in_(ids)).values(auto_delete_at=now() + _DELAY))


def delete_due(tx: Connection) -> None:
    """Delete the stopped environments whose time has come."""
    tx.execute(delete(environments).where(environments.c.state == "stopped", environments.c.auto_delete_at <= now()))
