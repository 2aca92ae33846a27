"""Payloads of pipelines."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from ingot.features.ci.engine import PipelineRow, WholeJobRow, ci_jobs, pipelines, read_commit
from ingot.features.ci.job_outputs import job_artifacts
from ingot.features.ci.pipelines import detailed_status
from ingot.features.integrations.web_hooks.late_parts import CommitFacts, commit_facts_block
from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads import builds
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, moment
from ingot.features.review.merge_requests import detailed_statuses, find_by_id, shown
from ingot.kit.changes import Change
from ingot.kit.clock import now
from ingot.kit.slugs import environment_tier


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a pipeline that has moved, with the latest attempt of each build."""
    row: PipelineRow | None = blocks.row(pipelines, change.record_id)
    if row is None or builds.is_by_blocked(blocks, row.user_id):
        return []
    query = select(ci_jobs).where(ci_jobs.c.pipeline_id == row.id, ci_jobs.c.is_retried.is_(False))
    jobs = blocks.tx.execute(query.where(ci_jobs.c.kind == "build").order_by(ci_jobs.c.id)).all()
    status = row.status if change.action == "test" else change.action
    payload: Payload = {
        "object_kind": "pipeline",
        "object_attributes": _attributes(blocks, row, jobs, status),
        "merge_request": _merge_request(blocks, row.merge_request_id),
        "user": blocks.user(row.user_id),
        "project": blocks.short_project(row.project_id),
        "commit": _commit(blocks, row),
        **builds.source_pipeline(blocks, row),
        "builds": _builds(blocks, jobs),
    }
    late: list[dict[str, object]] = [
        {"kind": "variables", "at": ["object_attributes", "variables"], "pipeline_id": row.id}
    ]
    return [Message("pipeline_events", f"pipeline:{row.id}", payload, late_parts=late)]


def _attributes(blocks: Blocks, row: PipelineRow, jobs: Sequence[WholeJobRow], status: str) -> Payload:
    is_warned = any(job.allow_failure and job.status in ("failed", "canceled") for job in jobs)
    return {
        "id": row.id,
        "iid": row.iid,
        "name": row.name,
        "ref": row.ref,
        "tag": row.is_tag,
        "sha": row.sha,
        "before_sha": row.before_sha,
        "source": row.source,
        "status": status,
        "detailed_status": detailed_status(status, "", has_warnings=is_warned).label,
        "stages": list(row.stages),
        "created_at": moment(row.created_at),
        "finished_at": moment(row.finished_at),
        "duration": row.duration,
        "queued_duration": _queued(row.created_at, row.started_at),
        "variables": [],
        "url": f"{blocks.project_url(row.project_id)}/-/pipelines/{row.id}",
    }


def _queued(created: datetime, started: datetime | None) -> int | None:
    return None if started is None else max(0, int((started - created).total_seconds()))


def _commit(blocks: Blocks, row: PipelineRow) -> Payload | None:
    record = read_commit(row.commit)
    if record is None:
        return None
    facts = CommitFacts(
        row.sha, record.message, record.title, record.committed_date, record.author_name, record.author_email
    )
    return commit_facts_block(facts, blocks.project_url(row.project_id))


def _merge_request(blocks: Blocks, request_id: int | None) -> Payload | None:
    row = None if request_id is None else find_by_id(blocks.tx, request_id)
    if row is None:
        return None
    return {
        "id": row.id,
        "iid": row.iid,
        "title": row.title,
        "source_branch": row.source_branch,
        "source_project_id": row.source_project_id,
        "target_branch": row.target_branch,
        "target_project_id": row.project_id,
        "state": row.state,
        "merge_status": shown(row.merge_status),
        "detailed_merge_status": detailed_statuses(blocks.tx, [row], paid=True)[row.id],
        "url": f"{blocks.project_url(row.project_id)}/-/merge_requests/{row.iid}",
    }


def _builds(blocks: Blocks, jobs: Sequence[WholeJobRow]) -> list[Payload]:
    archives = _archives(blocks, [job.id for job in jobs])
    return [
        {
            "id": job.id,
            "stage": job.stage,
            "name": job.name,
            "status": job.status,
            "created_at": moment(job.created_at),
            "started_at": moment(job.started_at),
            "finished_at": moment(job.finished_at),
            "duration": builds.duration(job),
            "queued_duration": builds.queued_duration(job),
            "failure_reason": job.failure_reason if job.status == "failed" else None,
            "when": job.when,
            "manual": job.when == "manual",
            "allow_failure": job.allow_failure,
            "user": blocks.user(job.user_id),
            "runner": builds.runner(blocks, job.runner_id),
            "artifacts_file": archives.get(job.id, {"filename": None, "size": None}),
            "environment": _environment(job),
        }
        for job in jobs
    ]


def _archives(blocks: Blocks, job_ids: Sequence[int]) -> dict[int, Payload]:
    table = job_artifacts
    query = select(table).where(table.c.job_id.in_(job_ids), table.c.file_type == "archive")
    return {
        row.job_id: {"filename": row.filename, "size": row.size}
        for row in blocks.tx.execute(query)
        if row.expire_at is None or row.expire_at > now()
    }


def _environment(job: WholeJobRow) -> Payload | None:
    options = builds.environment_of(job)
    if options is None:
        return None
    tier = options.deployment_tier or environment_tier(options.name)
    return {"name": options.name, "action": options.action, "deployment_tier": tier}
