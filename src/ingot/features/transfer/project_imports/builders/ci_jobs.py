"""Jobs of pipelines, all ended. Those with options can be run again; logs and tokens are not imported."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from ingot.access.tables import projects
from ingot.features.ci.config import PlannedJob
from ingot.features.ci.engine import ci_jobs, ensure_group, stored_plan
from ingot.features.spaces.projects import project_settings
from ingot.features.transfer.project_imports.ci_job_options import read_job
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import flag, moment, moment_or, text, word

ENDED = ("success", "failed", "canceled", "skipped")
NUMBERED = dict(
    enumerate(
        [
            "created",
            "pending",
            "running",
            "success",
            "failed",
            "canceled",
            "skipped",
            "manual",
            "scheduled",
            "preparing",
            "waiting_for_resource",
        ]
    )
)
KINDS = {"Ci::Build": "build", "Ci::Bridge": "bridge", "GenericCommitStatus": "external"}
REASONS = dict(
    enumerate(
        [
            "unknown_failure",
            "script_failure",
            "api_failure",
            "stuck_or_timeout_failure",
            "runner_system_failure",
            "missing_dependency_failure",
            "runner_unsupported",
            "stale_schedule",
            "job_execution_timeout",
            "archived_failure",
            "unmet_prerequisites",
            "scheduler_failure",
            "data_integrity_failure",
        ]
    )
)
ADD = insert(ci_jobs).returning(ci_jobs.c.id)
JOB = frozenset(
    [
        "name",
        "status",
        "type",
        "stage_idx",
        "ref",
        "tag",
        "user_id",
        "allow_failure",
        "coverage",
        "created_at",
        "updated_at",
        "started_at",
        "finished_at",
        "queued_at",
        "erased_at",
        "artifacts_expire_at",
        "target_url",
        "description",
        "retried",
        "protected",
        "failure_reason",
        "stage",
        "deploy",
    ]
)


def ended(record: Mapping[str, object]) -> str:
    """Jobs that were running at the time of the export become canceled."""
    return word(record.get("status"), NUMBERED, ENDED, "canceled")


def build_job(
    context: ImportContext,
    tx: Connection,
    pipeline_id: int,
    pipeline: Mapping[str, object],
    stage: dict[str, object],
    index: int,
    kind: str,
    record: dict[str, object],
) -> None:
    """One job of a stage."""
    created = moment_or(record, "created_at", context.started)
    name = str(text(record, "name", longest=255, required=True))
    stage_name, kind = str(stage.get("name") or "test")[:255], KINDS.get(str(record.get("type")), kind)
    plan = read_job(record, name=name, stage=stage_name, stage_index=index, kind=kind)
    values = {
        "kind": kind,
        "project_id": context.project.id,
        "pipeline_id": pipeline_id,
        "user_id": context.people.of(record.get("user_id")),
        "name": name,
        "stage": stage_name,
        "stage_index": index,
        "ref": text(record, "ref", longest=1024) or text(pipeline, "ref", longest=1024) or "",
        "is_tag": flag(record, "tag"),
        "is_protected": flag(record, "protected"),
        "status": ended(record),
        "failure_reason": _reason(record),
        "allow_failure": flag(record, "allow_failure"),
        "is_retried": flag(record, "retried"),
        **_planned(context, tx, plan),
        "coverage": record.get("coverage") if isinstance(record.get("coverage"), int | float) else None,
        "target_url": text(record, "target_url"),
        "description": text(record, "description"),
        "erased_at": moment(record, "erased_at"),
        "artifacts_expire_at": moment(record, "artifacts_expire_at"),
        "queued_at": moment(record, "queued_at"),
        "started_at": moment(record, "started_at"),
        "finished_at": moment(record, "finished_at"),
        "created_at": created,
        "updated_at": moment_or(record, "updated_at", created),
    }
    result = tx.execute(ADD, values).scalar_one()
    context.keep_rest(tx, "jobs", result, record, JOB)


def _planned(context: ImportContext, tx: Connection, plan: PlannedJob | None) -> dict[str, Any]:
    """The columns that follow from a job's configuration."""
    if plan is None:
        return {"tag_list": []}
    group = plan.resource_group
    return {
        "plan": stored_plan(plan),
        "when": plan.when,
        "interruptible": plan.interruptible,
        "needs": None if plan.needs is None else [msgspec.structs.asdict(need) for need in plan.needs],
        "timeout": plan.timeout or _build_timeout(context, tx),
        "tag_list": sorted(set(plan.tags)),
        "has_environment": plan.environment is not None,
        "resource_group_id": None if group is None else ensure_group(tx, context.project.id, group),
    }


def _build_timeout(context: ImportContext, tx: Connection) -> int:
    """The project's limit, as the archive's settings or the overrides have it."""
    if context.build_timeout is None:
        row = tx.execute(select(projects.c.settings).where(projects.c.id == context.project.id)).one()
        context.build_timeout = project_settings(row).build_timeout
    return context.build_timeout


def _reason(record: dict[str, object]) -> str | None:
    """Why a job failed; old archives number the reasons."""
    result = record.get("failure_reason")
    if isinstance(result, int) and not isinstance(result, bool):
        return REASONS.get(result, "unknown_failure")
    return result[:64] if isinstance(result, str) else None
