"""A pipeline moves on: created jobs start, wait or are skipped, and its own status follows from its jobs."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, exists, select, update

from ingot.access.events import PipelineChanged
from ingot.features.pipelines.commands import moving
from ingot.features.pipelines.composition import JobState, composite_status, next_status
from ingot.features.pipelines.spans import running_seconds
from ingot.features.pipelines.states import COMPLETED
from ingot.features.pipelines.tables import jobs, pipelines
from ingot.kit.clock import now
from ingot.kit.db import after_commit
from ingot.kit.events import announce
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services


def advance(tx: Connection, services: Services, pipeline_id: int) -> str:
    """Start what may start now and write the pipeline's status; returns it. Call it after every change of its jobs."""
    pipeline = moving.lock_pipeline(tx, pipeline_id)
    rows = _latest_jobs(tx, pipeline_id)
    states = {row.id: JobState(row.status, row.allow_failure) for row in rows}
    while _start_created(tx, rows, states):
        pass
    return _compose(tx, services, pipeline, states)


def _latest_jobs(tx: Connection, pipeline_id: int) -> Sequence[Any]:
    return tx.execute(
        select(*moving.JOB_COLUMNS)
        .where(jobs.c.pipeline_id == pipeline_id, jobs.c.is_retried.is_(False))
        .order_by(jobs.c.stage_index, jobs.c.id)
    ).all()


def _start_created(tx: Connection, rows: Sequence[Any], states: dict[int, JobState]) -> bool:
    """One pass in stage order; True when something moved, because a skipped job may free or skip others."""
    by_name = {row.name: row.id for row in rows}
    before: dict[int, str | None] = {}
    moved = False
    for row in rows:
        if states[row.id].status != "created":
            continue
        if row.needs is None:
            if row.stage_index not in before:
                earlier = [states[other.id] for other in rows if other.stage_index < row.stage_index]
                before[row.stage_index] = composite_status(earlier)
            previous = before[row.stage_index]
        else:
            needed = [states[by_name[need["name"]]] for need in row.needs if need["name"] in by_name]
            previous = composite_status(needed, needs=True)
        wanted = next_status(row.when, previous, needs=row.needs is not None)
        if wanted is not None:
            states[row.id] = JobState(_enter(tx, row, wanted), row.allow_failure)
            moved = True
    return moved


def _enter(tx: Connection, job: Any, wanted: str) -> str:
    match wanted:
        case "pending":
            return moving.start(tx, job)
        case "scheduled":
            moving.delay(tx, job)
        case _:
            moving.move(tx, job, wanted)
    return wanted


def _compose(tx: Connection, services: Services, pipeline: Any, states: dict[int, JobState]) -> str:
    status = composite_status(states.values()) or pipeline.status
    if status == pipeline.status:
        return status
    moment = now()
    values: dict[str, Any] = {"status": status, "updated_at": moment}
    if status == "running" and pipeline.started_at is None:
        values["started_at"] = moment
    if status in COMPLETED:
        fresh = _latest_jobs(tx, pipeline.id)
        values |= {
            "started_at": pipeline.started_at or min((row.started_at for row in fresh if row.started_at), default=None),
            "finished_at": moment,
            "duration": running_seconds([(row.started_at, row.finished_at) for row in fresh], moment),
            "coverage": _coverage(fresh),
        }
    elif pipeline.status in COMPLETED:
        values["finished_at"] = None
    tx.execute(update(pipelines).where(pipelines.c.id == pipeline.id).values(**values))
    if status == "success" and pipeline.parent_id is None:
        _unlock_earlier(tx, pipeline)
    if status in COMPLETED or pipeline.status in COMPLETED:
        _tell_bridges(tx, pipeline.id)
    event = PipelineChanged(pipeline.id, pipeline.project_id, pipeline.sha, status)
    after_commit(tx, partial(announce, services, event))
    return status


def _coverage(rows: Sequence[Any]) -> float | None:
    found = [row.coverage for row in rows if row.coverage is not None]
    return round(sum(found) / len(found), 2) if found else None


def _unlock_earlier(tx: Connection, pipeline: Any) -> None:
    """The newest successful pipeline of a ref keeps its artifacts; those before it no longer do."""
    tx.execute(
        update(pipelines)
        .where(
            pipelines.c.project_id == pipeline.project_id,
            pipelines.c.ref == pipeline.ref,
            pipelines.c.is_tag == pipeline.is_tag,
            pipelines.c.id < pipeline.id,
            pipelines.c.is_locked.is_(True),
        )
        .values(is_locked=False)
    )


def _tell_bridges(tx: Connection, pipeline_id: int) -> None:
    """Bridges in other pipelines that wait for this one learn of it in a transaction of their own."""
    waits = select(exists().where(jobs.c.downstream_id == pipeline_id))
    if tx.execute(waits).scalar_one():
        key = f"follow-downstream-{pipeline_id}"
        enqueue(tx, "pipelines.follow_downstream", args={"pipeline_id": pipeline_id}, key=key, rerun=True)
