"""Advancing a pipeline: created jobs start, wait or are skipped, and its status follows from its jobs."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, exists, select, update

from ingot.events import PipelineChanged
from ingot.features.ci.engine.commands import moving
from ingot.features.ci.engine.composition import JobState, composite_status, next_status
from ingot.features.ci.engine.pinned_refs import unpin_if_run
from ingot.features.ci.engine.rows import DecidingJobRow, JobRow, PipelineRow
from ingot.features.ci.engine.spans import running_seconds
from ingot.features.ci.engine.states import COMPLETED
from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import after_commit
from ingot.kit.events import announce
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services

# Enough to decide; a pipeline may have thousands of jobs, and each of them ends once.
_DECIDING = (
    ci_jobs.c.id, ci_jobs.c.name, ci_jobs.c.stage_index, ci_jobs.c.status,
    ci_jobs.c.allow_failure, ci_jobs.c.when, ci_jobs.c.needs,
)  # fmt: skip


def _latest(*columns: ColumnElement[Any]) -> Select[Any]:
    return select(*columns).where(ci_jobs.c.pipeline_id == bindparam("pipeline"), ci_jobs.c.is_retried.is_(False))


_TO_DECIDE = _latest(*_DECIDING).order_by(ci_jobs.c.stage_index, ci_jobs.c.id)
_CREATED = _latest(*moving.JOB_COLUMNS).where(ci_jobs.c.status == "created")
_RUNS = _latest(ci_jobs.c.started_at, ci_jobs.c.finished_at, ci_jobs.c.coverage)
_STORE = update(pipelines).where(pipelines.c.id == bindparam("pipeline"))


def advance(tx: Connection, services: Services, pipeline_id: int) -> str:
    """Start the jobs that may start now and write the pipeline's status, which is returned.

    Call it after every change of its jobs.
    """
    pipeline = moving.lock_pipeline(tx, pipeline_id)
    rows = tx.execute(_TO_DECIDE, {"pipeline": pipeline_id}).all()
    states = {row.id: JobState(row.status, row.allow_failure) for row in rows}
    while result := _decide(rows, states):
        whole = {row.id: row for row in tx.execute(_CREATED, {"pipeline": pipeline_id})}
        for job_id, status in result.items():
            states[job_id] = JobState(_enter(tx, whole[job_id], status), states[job_id].allow_failure)
    return _compose(tx, services, pipeline, states)


def _decide(rows: Sequence[DecidingJobRow], states: dict[int, JobState]) -> dict[int, str]:
    """The next status of created jobs; a skipped job may release or skip others, so call it until nothing changes."""
    by_name = {row.name: row.id for row in rows}
    before: dict[int, str | None] = {}
    result: dict[int, str] = {}
    for row in rows:
        if states[row.id].status != "created":
            continue
        if row.needs is None:
            if row.stage_index not in before:
                earlier = (states[other.id] for other in rows if other.stage_index < row.stage_index)
                before[row.stage_index] = composite_status(earlier)
            previous = before[row.stage_index]
        else:
            needed = [states[by_name[need["name"]]] for need in row.needs if need["name"] in by_name]
            previous = composite_status(needed, needs=True)
        status = next_status(row.when, previous, needs=row.needs is not None)
        if status is not None:
            result[row.id] = status
    return result


def _enter(tx: Connection, job: JobRow, status: str) -> str:
    match status:
        case "pending":
            return moving.start(tx, job)
        case "scheduled":
            moving.delay(tx, job)
        case _:
            moving.move(tx, job, status)
    return status


def _compose(tx: Connection, services: Services, pipeline: PipelineRow, states: dict[int, JobState]) -> str:
    status = composite_status(states.values()) or pipeline.status
    if status == pipeline.status:
        return status
    moment = now()
    values: dict[str, Any] = {"status": status, "updated_at": moment}
    if status == "running" and pipeline.started_at is None:
        values["started_at"] = moment
    if status in COMPLETED:
        fresh = tx.execute(_RUNS, {"pipeline": pipeline.id}).all()
        values |= {
            "started_at": pipeline.started_at or min((row.started_at for row in fresh if row.started_at), default=None),
            "finished_at": moment,
            "duration": running_seconds([(row.started_at, row.finished_at) for row in fresh], moment),
            "coverage": _coverage([row.coverage for row in fresh if row.coverage is not None]),
        }
    elif pipeline.status in COMPLETED:
        values["finished_at"] = None
    tx.execute(_STORE, {"pipeline": pipeline.id, **values})
    if status == "success" and pipeline.parent_id is None:
        _unlock_earlier(tx, pipeline)
    if status in COMPLETED:
        unpin_if_run(tx, pipeline)
    if status in COMPLETED or pipeline.status in COMPLETED:
        _notify_bridges(tx, pipeline.id)
    event = PipelineChanged(pipeline.id, pipeline.project_id, pipeline.sha, status)
    after_commit(tx, partial(announce, services, event))
    report_change(tx, Change("pipeline", status, pipeline.id, project_id=pipeline.project_id))
    return status


def _coverage(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 2) if values else None


def _unlock_earlier(tx: Connection, pipeline: PipelineRow) -> None:
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


def _notify_bridges(tx: Connection, pipeline_id: int) -> None:
    """Notify bridges in other pipelines that wait for this one, in a separate transaction."""
    waits = select(exists().where(ci_jobs.c.downstream_id == pipeline_id))
    if tx.execute(waits).scalar_one():
        key = f"follow-downstream-{pipeline_id}"
        enqueue(tx, "pipelines.follow_downstream", args={"pipeline_id": pipeline_id}, key=key, rerun=True)
