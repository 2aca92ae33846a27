"""The rows of a new pipeline, written in one transaction that also starts its first jobs."""

from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, update

from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project
from ingot.events import PipelineChanged
from ingot.features.ci.config import PipelinePlan, PlannedJob
from ingot.features.ci.engine import commits
from ingot.features.ci.engine.commands import deploying, moving, progress, resources
from ingot.features.ci.engine.commands.options import PipelineOptions
from ingot.features.ci.engine.plans import stored_plan
from ingot.features.ci.engine.tables import ci_jobs, job_tags, pipeline_variables, pipelines
from ingot.features.ci.variables import sealed_rows
from ingot.features.spaces.projects import project_settings
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.counters import next_value
from ingot.kit.db import after_commit
from ingot.kit.events import announce
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services

# Pipelines of these sources become redundant by newer commits.
_SUPERSEDING = ("push", "merge_request_event", "web", "api", "trigger", "pipeline")


class Draft(msgspec.Struct, kw_only=True):
    """A pipeline before it is stored."""

    actor: Actor
    project: Project
    options: PipelineOptions
    plan: PipelinePlan
    commit: commits.CommitRecord
    protected: bool
    iid: int | None = None  # None: assigned when it is stored
    status: str = "created"
    failure_reason: str | None = None
    yaml_errors: str | None = None

    def fail(self, reason: str, yaml_errors: str | None = None) -> None:
        """Store it as failed, without jobs."""
        self.status, self.failure_reason, self.yaml_errors = "failed", reason, yaml_errors
        self.plan = PipelinePlan(stages=(), jobs=(), name=self.plan.name)


def store(tx: Connection, services: Services, draft: Draft) -> int:
    """Write the pipeline with its variables and jobs and advance it; returns its id."""
    pipeline_id = _store_pipeline(tx, draft)
    options = draft.options
    if options.variables:
        tx.execute(insert(pipeline_variables), sealed_rows(services, options.variables, pipeline_id=pipeline_id))
    if options.upstream is not None:
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == options.upstream.bridge_id).values(downstream_id=pipeline_id))
    _store_jobs(tx, draft, pipeline_id)
    event = PipelineChanged(pipeline_id, draft.project.id, options.ref.sha, draft.status)
    if draft.plan.jobs:
        progress.advance(tx, services, pipeline_id)
    else:
        after_commit(tx, partial(announce, services, event))
        report_change(tx, Change("pipeline", draft.status, pipeline_id, project_id=draft.project.id))
    _supersede(tx, draft, pipeline_id)
    return pipeline_id


_INSERT = insert(pipelines).returning(pipelines.c.id)


def _store_pipeline(tx: Connection, draft: Draft) -> int:
    options, project, moment = draft.options, draft.project, now()
    above = options.upstream.pipeline if options.upstream is not None else None
    is_over = draft.status != "created"
    values = {
        "iid": draft.iid or next_value(tx, f"project:{project.id}", "pipelines"),
        "project_id": project.id,
        "user_id": draft.actor.user_id,
        "name": draft.plan.name,
        "ref": options.ref.name,
        "is_tag": options.ref.is_tag,
        "is_protected": draft.protected,
        "sha": options.ref.sha,
        "before_sha": options.before_sha,
        "source": options.source,
        "status": draft.status,
        "failure_reason": draft.failure_reason,
        "yaml_errors": draft.yaml_errors,
        "merge_request_id": options.merge_request.id if options.merge_request is not None else None,
        "schedule_id": options.schedule_id,
        "trigger_id": options.trigger_id,
        "parent_id": above.id if above is not None else None,
        "root_id": (above.root_id or above.id) if above is not None else None,
        "depth": above.depth + 1 if above is not None and options.is_child else 0,
        "bridge_id": options.upstream.bridge_id if options.upstream is not None else None,
        "is_locked": keeps_latest(tx, project),
        "variables": msgspec.to_builtins(draft.plan.variables),
        "stages": list(draft.plan.stages),
        "commit": commits.stored_commit(draft.commit),
        "auto_cancel_on_new_commit": draft.plan.auto_cancel_on_new_commit,
        "auto_cancel_on_job_failure": draft.plan.auto_cancel_on_job_failure,
        "committed_at": draft.commit.committed_date,
        "finished_at": moment if is_over else None,
        "created_at": moment,
        "updated_at": moment,
    }
    created = tx.execute(_INSERT, values).scalar_one()
    return int(created)


def keeps_latest(conn: Connection, project: ProjectRow) -> bool:
    """New pipelines protect their artifacts until a newer one of the ref succeeds."""
    return project_settings(project).keep_latest_artifact and bool(application_setting(conn, "keep_latest_artifact"))


def _store_jobs(tx: Connection, draft: Draft, pipeline_id: int) -> None:
    """One insert for all jobs: the columns are the same for each."""
    if not draft.plan.jobs:
        return
    groups: dict[str, int] = {}
    for plan in draft.plan.jobs:
        if plan.resource_group is not None and plan.resource_group not in groups:
            groups[plan.resource_group] = resources.ensure_group(tx, draft.project.id, plan.resource_group)
        deploying.prepare(tx, draft.project.id, plan)
    settings = project_settings(draft.project)
    rows = [_job_row(draft, plan, pipeline_id, groups, settings.build_timeout) for plan in draft.plan.jobs]
    created = tx.execute(insert(ci_jobs).returning(ci_jobs.c.id, sort_by_parameter_order=True), rows).scalars().all()
    tags = [
        {"job_id": job_id, "tag": tag}
        for job_id, plan in zip(created, draft.plan.jobs, strict=True)
        if plan.kind == "build"
        for tag in dict.fromkeys(plan.tags)
    ]
    if tags:
        tx.execute(insert(job_tags), tags)
    for job_id, plan in zip(created, draft.plan.jobs, strict=True):
        moving.report_job(tx, plan.kind, job_id, "created", draft.project.id)


def _job_row(
    draft: Draft, plan: PlannedJob, pipeline_id: int, groups: dict[str, int], build_timeout: int
) -> dict[str, Any]:
    moment = now()
    return {
        "kind": plan.kind,
        "project_id": draft.project.id,
        "pipeline_id": pipeline_id,
        "user_id": draft.actor.user_id,
        "name": plan.name,
        "stage": plan.stage,
        "stage_index": plan.stage_index,
        "ref": draft.options.ref.name,
        "is_tag": draft.options.ref.is_tag,
        "is_protected": draft.protected,
        "status": "created",
        "when": plan.when,
        "allow_failure": plan.allow_failure,
        "interruptible": plan.interruptible,
        "needs": None if plan.needs is None else [msgspec.structs.asdict(need) for need in plan.needs],
        "tag_list": sorted(set(plan.tags)),
        "has_environment": plan.environment is not None,
        "resource_group_id": groups.get(plan.resource_group) if plan.resource_group is not None else None,
        "timeout": plan.timeout or build_timeout,
        "created_at": moment,
        "updated_at": moment,
        "plan": stored_plan(plan),
    }


def _supersede(tx: Connection, draft: Draft, pipeline_id: int) -> None:
    enabled = (
        project_settings(draft.project).auto_cancel_pending_pipelines == "enabled" and not draft.options.is_overtaken
    )
    if enabled and draft.options.source in _SUPERSEDING and not draft.options.ref.is_tag and draft.status == "created":
        args = {"pipeline_id": pipeline_id}
        enqueue(tx, "pipelines.cancel_redundant", args=args, key=f"cancel-redundant-{pipeline_id}")
