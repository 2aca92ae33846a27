"""Changing environments and deployments, on behalf of jobs, callers and scheduled work."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from ingot.features.ci.deployments.tables import deployments, environments
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.counters import next_value
from ingot.kit.slugs import environment_slug, environment_tier

# The status of a deployment that follows from its job's status.
FOLLOWS = {
    "created": "created", "waiting_for_resource": "created", "pending": "created", "preparing": "created",
    "running": "running", "success": "success", "failed": "failed", "canceled": "canceled", "skipped": "skipped",
    "manual": "blocked", "scheduled": "created", "canceling": "running",
}  # fmt: skip
FINISHED = frozenset(("success", "failed", "canceled", "skipped"))


def ensure_environment(tx: Connection, project_id: int, name: str, *, tier: str | None = None) -> int:
    """The environment of this name, created if it is missing, of this tier if one is given."""
    result = tx.execute(
        select(environments.c.id).where(environments.c.project_id == project_id, environments.c.name == name)
    ).scalar_one_or_none()
    if result is None:
        return create_environment(tx, project_id, name, **({} if tier is None else {"tier": tier}))
    return int(result)


def create_environment(tx: Connection, project_id: int, name: str, **values: object) -> int:
    """A new environment; the tier follows from the name unless given."""
    moment = now()
    given = {"tier": environment_tier(name), **values}
    created = tx.execute(
        insert(environments)
        .values(
            project_id=project_id,
            name=name,
            slug=environment_slug(name),
            created_at=moment,
            updated_at=moment,
            **given,
        )
        .returning(environments.c.id)
    ).scalar_one()
    return int(created)


def update_environment(tx: Connection, environment_id: int, **values: object) -> None:
    """Write what the caller sent."""
    tx.execute(update(environments).where(environments.c.id == environment_id).values(**values, updated_at=now()))


def delete_environment(tx: Connection, environment_id: int) -> None:
    """Remove a stopped environment with its deployments."""
    tx.execute(delete(environments).where(environments.c.id == environment_id))


def open_deployment(tx: Connection, project_id: int, environment_id: int, status: str, **values: object) -> int:
    """Record a deployment; `finished_at` is set by its status."""
    moment = now()
    iid = next_value(tx, f"project:{project_id}", "deployments")
    created = tx.execute(
        insert(deployments)
        .values(
            iid=iid,
            project_id=project_id,
            environment_id=environment_id,
            status=status,
            created_at=moment,
            updated_at=moment,
            finished_at=moment if status in FINISHED else None,
            **values,
        )
        .returning(deployments.c.id)
    ).scalar_one()
    if status == "success":
        _revive(tx, environment_id)
    report_change(tx, Change("deployment", status, created, project_id=project_id))
    return int(created)


def set_deployment_status(tx: Connection, deployment_id: int, status: str) -> None:
    """Change the status of a deployment; one that has it already stays as it is."""
    values: dict[str, Any] = {"status": status, "updated_at": now()}
    if status in FINISHED:
        values["finished_at"] = now()
    row = tx.execute(
        update(deployments)
        .where(deployments.c.id == deployment_id, deployments.c.status != status)
        .values(**values)
        .returning(deployments.c.environment_id, deployments.c.project_id)
    ).one_or_none()
    if row is None:
        return
    if status == "success":
        _revive(tx, row.environment_id)
    report_change(tx, Change("deployment", status, deployment_id, project_id=row.project_id))


def _revive(tx: Connection, environment_id: int) -> None:
    """A successful deployment makes a stopped environment available again."""
    tx.execute(
        update(environments)
        .where(environments.c.id == environment_id, environments.c.state != "available")
        .values(state="available", auto_delete_at=None, updated_at=now())
    )


def set_auto_stop(tx: Connection, environment_id: int, at: datetime | None) -> None:
    """Set when the environment stops automatically."""
    tx.execute(update(environments).where(environments.c.id == environment_id).values(auto_stop_at=at))
