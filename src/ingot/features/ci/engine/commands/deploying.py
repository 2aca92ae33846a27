"""Effects of a job on its environment: deployments, stops and automatic stop times."""

from datetime import timedelta

import msgspec
from sqlalchemy import Connection, select, update

from ingot.features.ci.config import Environment, PlannedJob, expand, expand_scope
from ingot.features.ci.deployments import (
    FOLLOWS,
    deployments,
    ensure_environment,
    environments,
    open_deployment,
    set_auto_stop,
    set_deployment_status,
    update_environment,
)
from ingot.features.ci.engine.plans import read_plan
from ingot.features.ci.engine.protected_deployments import awaits_approval
from ingot.features.ci.engine.rows import JobRow
from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.features.ci.variables import EnvironmentFacts
from ingot.kit.clock import now
from ingot.kit.environment_names import problem_of
from ingot.kit.jobs import enqueue
from ingot.kit.running_addresses import runs_in_browser
from ingot.kit.slugs import environment_slug, ref_slug
from ingot.kit.time_spans import is_never, parse_duration


def prepare(tx: Connection, project_id: int, plan: PlannedJob) -> None:
    """Create the environment of a new job, so that it can be seen and stopped."""
    options = plan.environment
    if options is not None and options.action == "start" and problem_of(options.name) is None:
        ensure_environment(tx, project_id, options.name[:255], tier=options.deployment_tier)


def environment_facts(tx: Connection, project_id: int, options: Environment) -> EnvironmentFacts:
    """The environment in the form of the CI_ENVIRONMENT_* variables."""
    environment_id = ensure_environment(tx, project_id, options.name[:255])
    tier = tx.execute(select(environments.c.tier).where(environments.c.id == environment_id)).scalar_one()
    return EnvironmentFacts(
        id=environment_id,
        name=options.name,
        action=options.action,
        url=options.url,
        tier=options.deployment_tier or tier,
    )


def remember_url(tx: Connection, job_id: int, options: Environment, scope: dict[str, str]) -> None:
    """Store the address with the variables known when a runner takes the job; its dotenv report may add others."""
    if options.url is not None:
        url = expand(options.url, scope, keep_unknown=True)
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == job_id).values(environment_url=url))


def follow(tx: Connection, job: JobRow, status: str) -> None:
    """Update the job's deployment, or the environment that it stops, to match the job's new status."""
    row = tx.execute(
        select(ci_jobs.c.plan, pipelines.c.sha, ci_jobs.c.dotenv, ci_jobs.c.environment_url)
        .join_from(ci_jobs, pipelines, pipelines.c.id == ci_jobs.c.pipeline_id)
        .where(ci_jobs.c.id == job.id)
    ).one()
    plan = read_plan(row.plan)
    options = None if plan is None else plan.environment
    if plan is None or options is None or problem_of(options.name) is not None:
        return
    if row.environment_url is not None:
        options = msgspec.structs.replace(options, url=row.environment_url)
    if options.action == "start":
        _deploy(tx, job, row.sha, options, status, _scope(plan, job, row.sha, row.dotenv or {}))
    elif options.action == "stop" and status == "success":
        environment_id = ensure_environment(tx, job.project_id, options.name[:255])
        update_environment(tx, environment_id, state="stopped", auto_stop_at=None)


def _deploy(tx: Connection, job: JobRow, sha: str, options: Environment, status: str, scope: dict[str, str]) -> None:
    known = tx.execute(select(deployments.c.id).where(deployments.c.job_id == job.id)).scalar_one_or_none()
    if known is None and (status == "skipped" or (status == "manual" and not awaits_approval(tx, job))):
        return
    environment_id = ensure_environment(tx, job.project_id, options.name[:255], tier=options.deployment_tier)
    if known is None:
        known = open_deployment(
            tx,
            project_id=job.project_id,
            environment_id=environment_id,
            job_id=job.id,
            user_id=job.user_id,
            ref=job.ref[:255],
            is_tag=job.is_tag,
            sha=sha,
            status=FOLLOWS[status],
        )
    else:
        set_deployment_status(tx, known, FOLLOWS[status])
    if status == "success":
        _deployed(tx, environment_id, known, options, scope)


def _deployed(
    tx: Connection, environment_id: int, deployment_id: int, options: Environment, scope: dict[str, str]
) -> None:
    # Only now: groups protect environments by tier, and a job must not choose by which rules it is judged.
    if options.deployment_tier is not None:
        update_environment(tx, environment_id, tier=options.deployment_tier)
    if options.url is not None:
        url = expand(options.url, scope)
        update_environment(tx, environment_id, external_url=None if runs_in_browser(url) else url)
    if options.auto_stop_in is not None:
        length = None if is_never(options.auto_stop_in) else parse_duration(options.auto_stop_in)
        set_auto_stop(tx, environment_id, None if length is None else now() + timedelta(seconds=length))
    enqueue(
        tx,
        "environments.link_merge_requests",
        args={"deployment_id": deployment_id},
        key=f"link-merge-requests-{deployment_id}",
    )


def _scope(plan: PlannedJob, job: JobRow, sha: str, dotenv: dict[str, str]) -> dict[str, str]:
    """The variables that deployment addresses commonly use."""
    name = plan.environment.name if plan.environment is not None else ""
    known = {
        "CI_COMMIT_REF_NAME": job.ref,
        "CI_COMMIT_REF_SLUG": ref_slug(job.ref),
        "CI_COMMIT_SHA": sha,
        "CI_COMMIT_SHORT_SHA": sha[:8],
        "CI_ENVIRONMENT_NAME": name,
        "CI_ENVIRONMENT_SLUG": environment_slug(name),
        "CI_JOB_ID": str(job.id),
        "CI_JOB_NAME": job.name,
        "CI_PIPELINE_ID": str(job.pipeline_id),
        **{variable.key: variable.value for variable in plan.variables},
        **dotenv,
    }
    return expand_scope(known)
