"""Setting the status of a commit."""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select, update

from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.ci.commit_statuses import queries
from ingot.features.ci.engine import (
    CommitRecord,
    IllegalMove,
    JobRow,
    PipelineRow,
    Ref,
    advance,
    ci_jobs,
    get_job,
    move,
    moved,
    pipelines,
    stored_commit,
)
from ingot.gitstore.model import ZERO_ID
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.counters import next_value
from ingot.kit.errors import ApiError, Forbidden, Invalid, NotFound, Unprocessable
from ingot.kit.services import Services

STAGE, STAGE_INDEX = "external", 30_000
_EVENTS = {
    "pending": ("enqueue",), "running": ("enqueue", "run"), "success": ("success",), "failed": ("drop",),
    "canceled": ("cancel",), "skipped": ("skip",),
}  # fmt: skip


class Unmovable(ApiError):
    """The status cannot become that."""

    status = 400


class StatusOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The status to record, with its commit and ref resolved."""

    ref: Ref
    commit: CommitRecord
    state: str
    name: str
    given_ref: str | None
    pipeline_id: int | None
    is_protected: bool
    may_change: Callable[[PipelineRow], bool]
    values: dict[str, Any]  # target_url, description, coverage


def check_texts(name: str, url: str | None, text: str | None) -> None:
    """Only web addresses, and short texts."""
    problems: dict[str, list[str]] = {}
    if len(name) > 255:
        problems["name"] = ["is too long (maximum is 255 characters)"]
    if url and not url.lower().startswith(("http://", "https://")):
        problems["target_url"] = ["is blocked: Only allowed schemes are http, https"]
    if url and len(url) > 255:
        problems.setdefault("target_url", []).append("is too long (maximum is 255 characters)")
    if text and len(text) > 255:
        problems["description"] = ["is too long (maximum is 255 characters)"]
    if problems:
        raise Invalid(problems)


def set_status(tx: Connection, services: Services, actor: Actor, project: Project, options: StatusOptions) -> int:
    """Record the status in the commit's pipeline, which is created if there is none; returns its id."""
    # Two reports about one commit must not create two pipelines.
    tx.execute(select(projects.c.id).where(projects.c.id == project.id).with_for_update(key_share=True)).one()
    pipeline = _pipeline(tx, actor, project, options)
    if not options.may_change(pipeline):
        raise Forbidden
    open_row = queries.find_open(tx, pipeline.id, options.name, options.ref.name, actor.id)
    if open_row is None:
        open_row = _new(tx, actor, pipeline, options)
    elif options.values:
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == open_row.id).values(**options.values))
    _move(tx, open_row, options.state)
    advance(tx, services, pipeline.id)
    return int(open_row.id)


def _pipeline(tx: Connection, actor: Actor, project: Project, options: StatusOptions) -> PipelineRow:
    known = queries.find_pipeline(tx, project.id, options.ref.sha, options.given_ref, options.pipeline_id)
    if options.pipeline_id is not None:
        if known is None:
            raise NotFound("Pipeline for pipeline_id, sha and ref")
        if queries.is_full(tx, known.id):
            raise Unprocessable("The number of jobs has exceeded the limit")
    if known is None or queries.is_full(tx, known.id):
        known = _new_pipeline(tx, actor, project, options)
    return known


def _new_pipeline(tx: Connection, actor: Actor, project: Project, options: StatusOptions) -> PipelineRow:
    moment = now()
    return tx.execute(
        insert(pipelines)
        .values(
            iid=next_value(tx, f"project:{project.id}", "pipelines"),
            project_id=project.id,
            user_id=actor.user_id,
            ref=options.ref.name,
            is_tag=options.ref.is_tag,
            is_protected=options.is_protected,
            sha=options.ref.sha,
            before_sha=ZERO_ID,
            source="external",
            status="created",
            variables=[],
            stages=[STAGE],
            commit=stored_commit(options.commit),
            committed_at=options.commit.committed_date,
            created_at=moment,
            updated_at=moment,
        )
        .returning(*pipelines.c)
    ).one()


def _new(tx: Connection, actor: Actor, pipeline: PipelineRow, options: StatusOptions) -> JobRow:
    moment = now()
    tx.execute(
        update(ci_jobs)
        .where(ci_jobs.c.pipeline_id == pipeline.id, ci_jobs.c.name == options.name, ci_jobs.c.is_retried.is_(False))
        .values(is_retried=True)
    )
    created = tx.execute(
        insert(ci_jobs)
        .values(
            kind="external",
            project_id=pipeline.project_id,
            pipeline_id=pipeline.id,
            user_id=actor.user_id,
            name=options.name,
            stage=STAGE,
            stage_index=STAGE_INDEX,
            ref=options.ref.name,
            is_tag=pipeline.is_tag,
            is_protected=pipeline.is_protected,
            status="created",
            tag_list=[],
            created_at=moment,
            updated_at=moment,
            **options.values,
        )
        .returning(ci_jobs.c.id)
    ).scalar_one()
    return get_job(tx, created)


def _move(tx: Connection, job: JobRow, state: str) -> None:
    status = job.status
    try:
        for event in _EVENTS[state]:
            if event == "enqueue" and state == "running" and status != "created":
                continue
            status = moved(status, event)
    except IllegalMove as error:
        raise Unmovable(str(error)) from error
    values: dict[str, Any] = {"failure_reason": "api_failure"} if state == "failed" else {}
    move(tx, job, state, **values)
