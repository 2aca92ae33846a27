"""Pipelines with their stages and jobs, and schedules. Logs and artifacts are not exported."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from ingot.access.rows import ProjectRow
from ingot.features.ci.engine import JobState, PipelineRow, WholeJobRow, ci_jobs, composite_status, pipelines, read_plan
from ingot.features.ci.pipeline_schedules import pipeline_schedules
from ingot.features.review.merge_requests import MergeRequestRow, merge_requests
from ingot.features.transfer.project_exports.children import put_back
from ingot.features.transfer.project_exports.ci_job_options import written_plan
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import batches, parts, stamp, times
from ingot.kit.entity import group_by
from ingot.kit.services import Services

MOST_JOBS = 500  # whose configuration is held at a time
KINDS = {"build": "builds", "bridge": "bridges", "external": "generic_commit_statuses"}
TYPES = {"build": "Ci::Build", "bridge": "Ci::Bridge", "external": "GenericCommitStatus"}


def records(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """Pipelines of the project; child pipelines are left out, as GitLab does."""
    query = select(pipelines).where(pipelines.c.project_id == project.id, pipelines.c.parent_id.is_(None))
    for batch in batches(conn, query, pipelines.c.id):
        counted = select(ci_jobs.c.pipeline_id, func.count()).where(
            ci_jobs.c.pipeline_id.in_([row.id for row in batch])
        )
        counts = {row[0]: row[1] for row in conn.execute(counted.group_by(ci_jobs.c.pipeline_id))}
        for rows in parts(batch, counts, MOST_JOBS):
            yield from _portion(conn, project, rows)


def _portion(conn: Connection, project: ProjectRow, rows: Sequence[PipelineRow]) -> Iterator[dict[str, Any]]:
    ids = [row.id for row in rows]
    inside = group_by(
        conn.execute(
            select(ci_jobs).where(ci_jobs.c.pipeline_id.in_(ids)).order_by(ci_jobs.c.stage_index, ci_jobs.c.id)
        ),
        lambda job: job.pipeline_id,
    )
    requests = {
        row.id: row
        for row in conn.execute(
            select(merge_requests).where(
                merge_requests.c.id.in_({row.merge_request_id for row in rows if row.merge_request_id})
            )
        )
    }
    remaining = preserved_for(conn, project.id, "ci_pipelines", ids)
    rest = preserved_for(conn, project.id, "jobs", [job.id for item in inside.values() for job in item])
    for row in rows:
        mine = remaining.get(row.id, {})
        stages = _stages(row, inside.get(row.id, []), rest) + mine.pop("bare_stages", [])
        stages.sort(key=lambda stage: stage.get("position") or 0)
        put_back({"stages": stages}, mine)
        yield {**_record(row, requests.get(row.merge_request_id), mine), "stages": stages}


def _record(row: PipelineRow, request: MergeRequestRow | None, remaining: Mapping[str, object]) -> dict[str, Any]:
    record: dict[str, Any] = {
        "source_sha": None,
        "target_sha": None,
        "config_source": "repository_source",
        "lock_version": 0,
        **remaining,
        "iid": row.iid,
        "ref": row.ref,
        "sha": row.sha,
        "before_sha": row.before_sha,
        "tag": row.is_tag,
        "status": row.status,
        "source": row.source,
        "failure_reason": row.failure_reason,
        "yaml_errors": row.yaml_errors,
        "committed_at": stamp(row.committed_at),
        "started_at": stamp(row.started_at),
        "finished_at": stamp(row.finished_at),
        "duration": row.duration,
        "user_id": row.user_id,
        "protected": row.is_protected,
        "project_id": row.project_id,
        **times(row),
    }
    if request is not None:
        record["merge_request"] = {
            "iid": request.iid,
            "title": request.title,
            "source_branch": request.source_branch,
            "target_branch": request.target_branch,
            "source_project_id": request.source_project_id,
            "target_project_id": request.project_id,
            "author_id": request.author_id,
        }
    if row.name is not None:
        record["pipeline_metadata"] = {"project_id": row.project_id, "name": row.name}
    return record


def _stages(
    row: PipelineRow, inside: Sequence[WholeJobRow], remaining: dict[int, dict[str, object]]
) -> list[dict[str, Any]]:
    result = []
    for (index, name), members in group_by(inside, lambda job: (job.stage_index, job.stage)).items():
        latest = [job for job in members if not job.is_retried]
        stage: dict[str, Any] = {
            "name": name,
            "status": composite_status([JobState(job.status, job.allow_failure) for job in latest]),
            "position": index,
            "lock_version": 0,
            "project_id": row.project_id,
            **times(row),
            "builds": [],
            "generic_commit_statuses": [],
            "bridges": [],
        }
        for job in members:
            stage[KINDS[job.kind]].append(_job(job, remaining.get(job.id, {})))
        result.append(stage)
    return result


def _job(job: WholeJobRow, remaining: dict[str, object]) -> dict[str, Any]:
    return {
        "environment": None,
        "options": None,
        "yaml_variables": None,
        "coverage_regex": None,
        "scheduling_type": "dag" if job.needs is not None else "stage",
        "lock_version": 0,
        **written_plan(read_plan(job.plan)),
        **remaining,
        "name": job.name,
        "status": job.status,
        "type": TYPES[job.kind],
        "commit_id": job.pipeline_id,  # the archive's word for the pipeline
        "stage_idx": job.stage_index,
        "ref": job.ref,
        "tag": job.is_tag,
        "user_id": job.user_id,
        "allow_failure": job.allow_failure,
        "coverage": job.coverage,
        **times(job),
        "started_at": stamp(job.started_at),
        "finished_at": stamp(job.finished_at),
        "queued_at": stamp(job.queued_at),
        "scheduled_at": stamp(job.scheduled_at) or remaining.get("scheduled_at"),
        "erased_at": stamp(job.erased_at),
        "artifacts_expire_at": stamp(job.artifacts_expire_at),
        "target_url": job.target_url,
        "description": job.description,
        "retried": job.is_retried,
        "protected": job.is_protected,
        "failure_reason": job.failure_reason,
    }


def schedules(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """Pipeline schedules, without their variables."""
    table = pipeline_schedules
    for rows in batches(conn, select(table).where(table.c.project_id == project.id), table.c.id):
        remaining = preserved_for(conn, project.id, "pipeline_schedules", [row.id for row in rows])
        for row in rows:
            yield {
                **remaining.get(row.id, {}),
                "description": row.description,
                "ref": row.ref,
                "cron": row.cron,
                "cron_timezone": row.cron_timezone,
                "next_run_at": stamp(row.next_run_at),
                "active": row.active,
                "inputs": row.inputs,
                "owner_id": row.owner_id,
                "project_id": row.project_id,
                **times(row),
            }
