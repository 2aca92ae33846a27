"""Payloads of builds, and the blocks of builds and runners that pipelines share."""

from datetime import datetime

from sqlalchemy import func, select

from ingot.features.ci.config import Environment
from ingot.features.ci.engine import CommitRecord, PipelineRow, WholeJobRow, ci_jobs, pipelines, read_commit, read_plan
from ingot.features.ci.runners import runners
from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, iso, moment
from ingot.features.people.users import find_user_by_email
from ingot.kit.changes import Change
from ingot.kit.clock import now

SENT = ("created", "pending", "running", "success", "failed", "canceled")


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a build that is new or has moved."""
    row: WholeJobRow | None = blocks.row(ci_jobs, change.record_id)
    if row is None or change.action not in (*SENT, "test") or is_by_blocked(blocks, row.user_id):
        return []
    status = row.status if change.action == "test" else change.action
    pipeline: PipelineRow = blocks.row(pipelines, row.pipeline_id)
    namespace = blocks.namespace_row(blocks.project_row(row.project_id).namespace_id)
    payload: Payload = {
        "object_kind": "build",
        "ref": row.ref,
        "tag": row.is_tag,
        "before_sha": pipeline.before_sha,
        "sha": pipeline.sha,
        "retries_count": _retries(blocks, row),
        "build_id": row.id,
        "build_name": row.name,
        "build_stage": row.stage,
        "build_status": status,
        **_moments("build_created_at", row.created_at),
        **_moments("build_started_at", row.started_at),
        **_moments("build_finished_at", row.finished_at),
        "build_duration": duration(row),
        "build_queued_duration": queued_duration(row),
        "build_allow_failure": row.allow_failure,
        "build_failure_reason": row.failure_reason or "unknown_failure",
        "pipeline_id": row.pipeline_id,
        "runner": runner(blocks, row.runner_id),
        "project_id": row.project_id,
        "project_name": f"{namespace.full_name} / {blocks.project_row(row.project_id).name}",
        "user": blocks.user(row.user_id),
        "commit": _commit(blocks, pipeline),
        "repository": blocks.repository(row.project_id, with_addresses=True),
        "project": blocks.short_project(row.project_id),
        "environment": _environment(row),
        **source_pipeline(blocks, pipeline),
    }
    return [Message("job_events", f"build:{row.id}", payload)]


def is_by_blocked(blocks: Blocks, user_id: int | None) -> bool:
    """What people do who are blocked is not told."""
    row = blocks.user_row(user_id)
    return row is not None and row.state in ("blocked", "ldap_blocked", "banned")


def _moments(name: str, at: datetime | None) -> Payload:
    return {name: moment(at), f"{name}_iso": iso(at)}


def duration(row: WholeJobRow) -> float | None:
    """How long the build has run, in seconds."""
    if row.started_at is None:
        return None
    return round(((row.finished_at or now()) - row.started_at).total_seconds(), 6)


def queued_duration(row: WholeJobRow) -> float | None:
    """How long the build waited for a runner, in seconds."""
    if row.queued_at is None:
        return None
    until = row.started_at or row.finished_at or now()
    return round(max(0.0, (until - row.queued_at).total_seconds()), 6)


def _retries(blocks: Blocks, row: WholeJobRow) -> int:
    """How many attempts came before."""
    earlier = select(func.count()).where(
        ci_jobs.c.pipeline_id == row.pipeline_id, ci_jobs.c.name == row.name, ci_jobs.c.id < row.id
    )
    return int(blocks.tx.execute(earlier).scalar_one())


def runner(blocks: Blocks, runner_id: int | None) -> Payload | None:
    """Who runs it."""
    row = blocks.row(runners, runner_id)
    if row is None:
        return None
    return {
        "id": row.id,
        "description": row.description,
        "runner_type": row.runner_type,
        "active": row.active,
        "is_shared": row.runner_type == "instance_type",
        "tags": list(row.tag_list),
    }


def environment_of(row: WholeJobRow) -> Environment | None:
    """The environment that the configuration names."""
    plan = read_plan(row.plan) if row.has_environment else None
    return None if plan is None else plan.environment


def _environment(row: WholeJobRow) -> Payload | None:
    options = environment_of(row)
    return None if options is None else {"name": options.name, "action": options.action}


def _commit(blocks: Blocks, pipeline: PipelineRow) -> Payload:
    """The commit as it was stored with the pipeline; `id` and the times are the pipeline's."""
    record = read_commit(pipeline.commit)
    return {
        "id": pipeline.id,
        "name": pipeline.name,
        "sha": pipeline.sha,
        "message": None if record is None else record.message,
        "author_name": None if record is None else record.author_name,
        "author_email": None if record is None else record.author_email,
        "author_url": None if record is None else _author_url(blocks, record),
        "status": pipeline.status,
        "duration": pipeline.duration,
        **_moments("started_at", pipeline.started_at),
        **_moments("finished_at", pipeline.finished_at),
    }


def _author_url(blocks: Blocks, record: CommitRecord) -> str:
    author = find_user_by_email(blocks.tx, record.author_email)
    return f"mailto:{record.author_email}" if author is None else f"{blocks.base_url}/{author.username}"


def source_pipeline(blocks: Blocks, pipeline: PipelineRow) -> Payload:
    """Where a child pipeline comes from; nothing for others."""
    parent: PipelineRow | None = blocks.row(pipelines, pipeline.parent_id)
    if parent is None:
        return {}
    project = blocks.project_row(parent.project_id)
    place = {"id": project.id, "web_url": blocks.project_url(project.id), "path_with_namespace": project.full_path}
    return {"source_pipeline": {"project": place, "job_id": pipeline.bridge_id, "pipeline_id": parent.id}}
