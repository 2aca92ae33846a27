"""Jobs that deploy to protected environments: who may start them, and which of them wait for approval."""

from sqlalchemy import Connection, select

from ingot.features.ci.config import Environment
from ingot.features.ci.deployments import deployments
from ingot.features.ci.engine.plans import read_plan
from ingot.features.ci.engine.rows import JobRow
from ingot.features.ci.engine.tables import ci_jobs
from ingot.features.ci.protected_environments import approvals_of, is_approved, may_deploy, rules_of
from ingot.kit.environment_names import problem_of

PROTECTED = "protected_environment_failure"
NO_ENVIRONMENT = "environment_creation_failure"


def is_forbidden(conn: Connection, job: JobRow, user_id: int | None) -> bool:
    """The job's environment is protected from this person."""
    return why_refused(conn, job, user_id) == PROTECTED


def why_refused(conn: Connection, job: JobRow, user_id: int | None) -> str | None:
    """With which reason the job fails when this person starts it; None if it does not."""
    options = _environment(conn, job)
    if options is None:
        return None
    if problem_of(options.name) is not None:  # variables make names that the configuration does not show
        return NO_ENVIRONMENT
    return None if may_deploy(conn, job.project_id, options.name, user_id) else PROTECTED


def awaits_approval(conn: Connection, job: JobRow) -> bool:
    """The job deploys to an environment whose rules want approvals that its deployment does not have."""
    options = _environment(conn, job)
    if options is None or options.action != "start":
        return False
    rules = rules_of(conn, job.project_id, options.name[:255])
    if is_approved(rules, []):
        return False
    deployment_id = conn.execute(select(deployments.c.id).where(deployments.c.job_id == job.id)).scalar_one_or_none()
    return deployment_id is None or not is_approved(rules, approvals_of(conn, [deployment_id]).get(deployment_id, []))


def _environment(conn: Connection, job: JobRow) -> Environment | None:
    if not job.has_environment:
        return None
    plan = read_plan(conn.execute(select(ci_jobs.c.plan).where(ci_jobs.c.id == job.id)).scalar_one())
    return None if plan is None else plan.environment
