"""Which pending jobs a runner may take, in the order in which it takes them."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, exists, false, func, select, true

from ingot.access.levels import Feature
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.ci.engine import ci_jobs, job_tags
from ingot.features.ci.runners.rows import CandidateRow, RunnerRow
from ingot.features.ci.runners.tables import runner_groups, runner_projects, runners
from ingot.features.spaces.projects import project_settings
from ingot.kit.clock import now

_LOOK_AT = 50
_LONGEST_AGE = 10 * 366 * 86_400


def candidates(conn: Connection, runner: RunnerRow, job_age: int | None = None) -> Sequence[CandidateRow]:
    """Ids, projects and pipelines of the next jobs for this runner, only those older than `job_age` seconds."""
    statement = _waiting(runner)
    if job_age is not None:
        statement = statement.where(ci_jobs.c.queued_at < now() - timedelta(seconds=min(max(0, job_age), _LONGEST_AGE)))
    result: list[CandidateRow] = []
    skip = 0
    while len(result) < _LOOK_AT:
        rows = conn.execute(statement.limit(_LOOK_AT * 4).offset(skip)).all()
        result += [row for row in rows if _allows(runner, row)]
        skip += len(rows)
        if len(rows) < _LOOK_AT * 4:
            break
    return result[:_LOOK_AT]


def _waiting(runner: RunnerRow) -> Select[Any]:
    statement = (
        select(ci_jobs.c.id, ci_jobs.c.pipeline_id, ci_jobs.c.project_id, projects.c.settings)
        .join_from(ci_jobs, projects, projects.c.id == ci_jobs.c.project_id)
        .where(
            ci_jobs.c.status == "pending",
            ci_jobs.c.kind == "build",
            ci_jobs.c.runner_id.is_(None),
            projects.c.pending_delete.is_(False),
            projects.c.builds_access_level > int(Feature.DISABLED),
            _tags_fit(runner),
            _place_fits(runner),
            *([ci_jobs.c.is_protected.is_(True)] if runner.access_level == "ref_protected" else []),
        )
    )
    if runner.runner_type != "instance_type":
        return statement.order_by(ci_jobs.c.id)
    # spec: fair between projects - those with fewer jobs on instance runners come first
    busy = (
        select(ci_jobs.c.project_id, func.count().label("running"))
        .join_from(ci_jobs, runners, runners.c.id == ci_jobs.c.runner_id)
        .where(ci_jobs.c.status == "running", runners.c.runner_type == "instance_type")
        .group_by(ci_jobs.c.project_id)
        .subquery()
    )
    return statement.outerjoin(busy, busy.c.project_id == ci_jobs.c.project_id).order_by(
        func.coalesce(busy.c.running, 0), ci_jobs.c.id
    )


def _tags_fit(runner: RunnerRow) -> ColumnElement[bool]:
    has_tags = exists().where(job_tags.c.job_id == ci_jobs.c.id)
    foreign = has_tags.where(job_tags.c.tag.not_in(runner.tag_list)) if runner.tag_list else has_tags
    return ~foreign if runner.run_untagged else (~foreign & has_tags)


def _place_fits(runner: RunnerRow) -> ColumnElement[bool]:
    match runner.runner_type:
        case "instance_type":
            return true()
        case "group_type":
            below = (
                select(namespace_ancestors.c.namespace_id)
                .join(runner_groups, runner_groups.c.group_id == namespace_ancestors.c.ancestor_id)
                .where(runner_groups.c.runner_id == runner.id)
            )
            return projects.c.namespace_id.in_(below)
        case "project_type":
            own = select(runner_projects.c.project_id).where(runner_projects.c.runner_id == runner.id)
            return ci_jobs.c.project_id.in_(own)
        case _:
            return false()


def _allows(runner: RunnerRow, row: CandidateRow) -> bool:
    """The project uses runners of this kind."""
    settings = project_settings(row)
    if runner.runner_type == "instance_type":
        return settings.shared_runners_enabled
    return runner.runner_type != "group_type" or settings.group_runners_enabled


def running_on_instance_runners(conn: Connection, project_id: int) -> int:
    """How many jobs of the project run on the instance's runners."""
    return int(
        conn.execute(
            select(func.count())
            .select_from(ci_jobs)
            .join(runners, runners.c.id == ci_jobs.c.runner_id)
            .where(
                ci_jobs.c.project_id == project_id,
                ci_jobs.c.status == "running",
                runners.c.runner_type == "instance_type",
            )
        ).scalar_one()
    )
