"""All variables of one job as its runner gets them: facts of the moment, the file, dependencies, settings, callers."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, select

from ingot.access.tables import projects
from ingot.features.environments import environments
from ingot.features.pipelines import commits, facts
from ingot.features.pipelines.ci_variables import CiVariable, as_scope, from_dotenv, from_plan, layered
from ingot.features.pipelines.config import PlannedJob, expand, expand_scope
from ingot.features.pipelines.merge_request_pipelines import find_merge_request_facts
from ingot.features.pipelines.outside_variables import GivenVariable, given_to_pipeline, outside_variables
from ingot.features.pipelines.people import actor_by_id
from ingot.features.pipelines.plans import read_plan
from ingot.features.pipelines.predefined import (
    EnvironmentFacts,
    JobFacts,
    PipelineFacts,
    RunnerFacts,
    job_variables,
    pipeline_variables,
)
from ingot.features.pipelines.tables import jobs, pipeline_schedules, pipelines
from ingot.kit.clock import now
from ingot.kit.sealing import unseal
from ingot.kit.services import Services

_given = msgspec.json.Decoder(list[GivenVariable])


def repository_url(base_url: str, full_path: str, token: str) -> str:
    """Where the runner fetches from, with the job's token in it."""
    parts = urlsplit(base_url)
    return f"{parts.scheme}://gitlab-ci-token:{token}@{parts.netloc}{parts.path}/{full_path}.git"


def variables_of_job(
    services: Services,
    conn: Connection,
    job_id: int,
    *,
    token: str,
    base_url: str,
    runner: RunnerFacts | None = None,
    dotenv: Mapping[str, str] | None = None,
) -> list[CiVariable]:
    """The variables in the order of their weight; `dotenv` holds those of the jobs that this one depends on."""
    job = conn.execute(select(jobs).where(jobs.c.id == job_id)).one()
    pipeline = conn.execute(select(pipelines).where(pipelines.c.id == job.pipeline_id)).one()
    project = conn.execute(select(projects).where(projects.c.id == job.project_id)).one()
    plan = read_plan(job.plan)
    if plan is None:
        return []
    environment = plan.environment.name if plan.environment is not None else None
    about = _pipeline_facts(services, conn, pipeline, project, job, base_url)
    predefined = pipeline_variables(
        facts.server_facts(base_url),
        facts.project_facts(project, base_url),
        about,
        facts.user_facts(conn, job.user_id),
    )
    outside = outside_variables(services, conn, project, is_protected=job.is_protected, environment=environment)
    given = [one.as_ci() for one in given_to_pipeline(services, conn, pipeline.id)]
    own = [] if job.own_variables is None else _given.decode(unseal(services, job.own_variables))
    known = layered(
        predefined, from_plan(plan.variables), from_dotenv(dotenv or {}), outside, given, [one.as_ci() for one in own]
    )
    about_job = job_variables(_job_facts(conn, job, plan, project, token, base_url, known), runner)
    return layered(
        predefined,
        about_job,
        from_plan(plan.variables),
        from_dotenv(dotenv or {}),
        outside,
        given,
        [one.as_ci() for one in own],
    )


def _pipeline_facts(
    services: Services, conn: Connection, pipeline: Any, project: Any, job: Any, base_url: str
) -> PipelineFacts:
    schedule = conn.execute(
        select(pipeline_schedules.c.description).where(pipeline_schedules.c.id == (pipeline.schedule_id or 0))
    ).scalar_one_or_none()
    actor = actor_by_id(conn, job.user_id)
    return PipelineFacts(
        id=pipeline.id,
        iid=pipeline.iid,
        source=pipeline.source,
        url=f"{base_url}/{project.full_path}/-/pipelines/{pipeline.id}",
        created_at=pipeline.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        ref=pipeline.ref,
        is_tag=pipeline.is_tag,
        is_protected=pipeline.is_protected,
        commit=commits.facts(commits.read(pipeline.commit), pipeline.sha, pipeline.before_sha),
        name=pipeline.name,
        schedule_description=schedule,
        merge_request=find_merge_request_facts(services, conn, actor, pipeline.merge_request_id),
    )


def _job_facts(
    conn: Connection,
    job: Any,
    plan: PlannedJob,
    project: Any,
    token: str,
    base_url: str,
    known: list[CiVariable],
) -> JobFacts:
    started = job.started_at or now()
    return JobFacts(
        id=job.id,
        name=job.name,
        group_name=plan.group_name,
        stage=job.stage,
        url=f"{base_url}/{project.full_path}/-/jobs/{job.id}",
        token=token,
        repository_url=repository_url(base_url, project.full_path, token),
        timeout=job.timeout or 3600,
        started_at=started.strftime("%Y-%m-%dT%H:%M:%SZ"),
        is_manual=job.when == "manual",
        image=plan.image.name if plan.image is not None else None,
        parallel_index=plan.parallel_index,
        parallel_total=plan.parallel_total,
        environment=_environment_facts(conn, project.id, plan, known),
    )


def _environment_facts(
    conn: Connection, project_id: int, plan: PlannedJob, known: list[CiVariable]
) -> EnvironmentFacts | None:
    wish = plan.environment
    if wish is None:
        return None
    row = conn.execute(
        select(environments).where(environments.c.project_id == project_id, environments.c.name == wish.name)
    ).one_or_none()
    scope = {**as_scope(known), "CI_ENVIRONMENT_NAME": wish.name}
    if row is not None:
        scope["CI_ENVIRONMENT_SLUG"] = row.slug
    # The address may use what only the runner or the job's report knows: that part is left for later.
    url = None if wish.url is None else expand(wish.url, expand_scope(scope), keep_unknown=True)
    return EnvironmentFacts(
        id=row.id if row is not None else None,
        name=wish.name,
        action=wish.action,
        url=url,
        tier=row.tier if row is not None else wish.deployment_tier,
    )
