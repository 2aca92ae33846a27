"""Resource groups: of all jobs that name one, one at a time is offered to runners or running."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, exists, insert, select

from ingot.features.ci.engine.rows import JobRow
from ingot.features.ci.engine.tables import ci_jobs, resource_groups
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue

HOLDING = ("preparing", "waiting_for_callback", "pending", "running", "canceling")
PROCESS_MODES = ("unordered", "oldest_first", "newest_first", "newest_ready_first")


def ensure_group(tx: Connection, project_id: int, key: str) -> int:
    """The resource group of this key."""
    key = key[:255]
    value = tx.execute(
        select(resource_groups.c.id).where(resource_groups.c.project_id == project_id, resource_groups.c.key == key)
    ).scalar_one_or_none()
    if value is not None:
        return int(value)
    moment = now()
    created = tx.execute(
        insert(resource_groups)
        .values(project_id=project_id, key=key, created_at=moment, updated_at=moment)
        .returning(resource_groups.c.id)
    ).scalar_one()
    return int(created)


def acquire(tx: Connection, job: JobRow) -> bool:
    """Whether the job gets the resource now; the group's row is locked so that two jobs cannot ask at once."""
    tx.execute(
        select(resource_groups.c.id)
        .where(resource_groups.c.id == job.resource_group_id)
        .with_for_update(key_share=True)
    ).one()
    others = (ci_jobs.c.resource_group_id == job.resource_group_id) & (ci_jobs.c.id != job.id)
    busy = select(exists().where(others, ci_jobs.c.status.in_(HOLDING)))
    return not tx.execute(busy).scalar_one()


def release(tx: Connection, group_id: int) -> None:
    """The resource is free again: a background job gives it to the next in line, in a separate transaction."""
    enqueue(tx, "pipelines.assign_resource", args={"group_id": group_id}, key=f"assign-resource-{group_id}", rerun=True)


def next_in_line(conn: Connection, group_id: int) -> Row[Any, Any] | None:
    """The job that gets the resource next, by the group's process mode; None when no job waits."""
    mode = conn.execute(
        select(resource_groups.c.process_mode).where(resource_groups.c.id == group_id)
    ).scalar_one_or_none()
    waiting = (ci_jobs.c.resource_group_id == group_id) & (ci_jobs.c.status == "waiting_for_resource")
    return conn.execute(
        select(ci_jobs.c.id, ci_jobs.c.pipeline_id).where(waiting).order_by(*order_in_line(mode)).limit(1)
    ).one_or_none()


def order_in_line(mode: str | None) -> tuple[ColumnElement[Any], ...]:
    """The order in which waiting jobs get the resource."""
    if mode == "oldest_first":
        return (ci_jobs.c.pipeline_id, ci_jobs.c.id)
    if mode in ("newest_first", "newest_ready_first"):
        return (ci_jobs.c.pipeline_id.desc(), ci_jobs.c.id.desc())
    return (ci_jobs.c.id,)
