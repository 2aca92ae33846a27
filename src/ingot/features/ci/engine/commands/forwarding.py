"""The variables that a bridge passes on, with their values in the parent: `$CI_PIPELINE_ID` is the parent's."""

import msgspec
from sqlalchemy import Connection, select

from ingot.access.subjects import Project
from ingot.features.ci.config import PlannedJob, PlannedVariable, expand, expand_scope
from ingot.features.ci.engine import commits, facts
from ingot.features.ci.engine.given_variables import given_to_pipeline
from ingot.features.ci.engine.rows import JobRow, PipelineRow
from ingot.features.ci.engine.tables import ci_jobs
from ingot.features.ci.freeze_periods import is_frozen
from ingot.features.ci.variables import (
    GivenVariable,
    PipelineFacts,
    as_scope,
    configured_variables,
    from_dotenv,
    from_plan,
    layered,
    pipeline_variables,
)
from ingot.kit.services import Services


def forwarded(
    services: Services, conn: Connection, project: Project, pipeline: PipelineRow, job: JobRow, plan: PlannedJob
) -> list[GivenVariable]:
    """The bridge's own variables, expanded in its pipeline; raw ones stay as they are."""
    if not plan.variables:
        return []
    scope = _scope(services, conn, project, pipeline, job, plan)
    return [
        GivenVariable(key=one.key, value=one.value if one.raw else expand(one.value, scope), raw=one.raw)
        for one in plan.variables
    ]


def _scope(
    services: Services, conn: Connection, project: Project, pipeline: PipelineRow, job: JobRow, plan: PlannedJob
) -> dict[str, str]:
    url = facts.base_url(services)
    known = pipeline_variables(
        facts.server_facts(url),
        facts.project_facts(project, url),
        PipelineFacts(
            id=pipeline.id,
            iid=pipeline.iid,
            source=pipeline.source,
            url=f"{url}/{project.full_path}/-/pipelines/{pipeline.id}",
            created_at=pipeline.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            ref=pipeline.ref,
            is_tag=pipeline.is_tag,
            is_protected=pipeline.is_protected,
            commit=commits.commit_facts(commits.read_commit(pipeline.commit), pipeline.sha, pipeline.before_sha),
            name=pipeline.name,
            is_frozen=is_frozen(conn, project.id, pipeline.created_at),
        ),
        facts.user_facts(conn, job.user_id),
    )
    of_file = from_plan(msgspec.convert(pipeline.variables, list[PlannedVariable]))
    outside = configured_variables(services, conn, project, is_protected=pipeline.is_protected)
    given = [one.as_ci() for one in given_to_pipeline(services, conn, pipeline.id)]
    reported = from_dotenv(_dotenv(conn, job, plan))
    return expand_scope(as_scope(layered(known, of_file, from_plan(plan.variables), reported, outside, given)))


def _dotenv(conn: Connection, job: JobRow, plan: PlannedJob) -> dict[str, str]:
    """The variables that earlier jobs reported."""
    query = select(ci_jobs.c.dotenv).where(
        ci_jobs.c.pipeline_id == job.pipeline_id, ci_jobs.c.is_retried.is_(False), ci_jobs.c.dotenv.is_not(None)
    )
    if plan.needs is not None:
        query = query.where(ci_jobs.c.name.in_([need.name for need in plan.needs if need.artifacts]))
    else:
        query = query.where(ci_jobs.c.stage_index < job.stage_index)
    values = conn.execute(query.order_by(ci_jobs.c.stage_index, ci_jobs.c.id)).scalars()
    return {key: value for reported in values for key, value in reported.items()}
