"""The environment of a job and what it deployed there, for the job's page; and when environments will be deleted."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import Connection, select

from ingot.features.ci.deployments import deployments, environments, last_successful
from ingot.features.ci.engine import JobRow, awaits_approval, get_plan

# What a job does with an environment to which it deploys nothing.
ACTIONS = {
    "stop": "This job stops the environment.",
    "prepare": "This job prepares the environment.",
    "verify": "This job verifies the environment.",
    "access": "This job accesses the environment.",
}


class JobEnvironment(msgspec.Struct, frozen=True):
    """The environment that a job names."""

    name: str
    id: int | None  # None while nobody has created it
    state: str
    deployment: int | None  # the number of what the job deployed, within the project
    status: str  # of that deployment
    words: str


def environment_of_job(conn: Connection, job: JobRow) -> JobEnvironment | None:
    """The environment of a job, with its deployment; None for jobs without one."""
    plan = get_plan(conn, job.id) if job.has_environment else None
    options = plan.environment if plan is not None else None
    if options is None:
        return None
    place = conn.execute(
        select(environments.c.id, environments.c.state).where(
            environments.c.project_id == job.project_id, environments.c.name == options.name[:255]
        )
    ).one_or_none()
    deployment = conn.execute(
        select(deployments.c.id, deployments.c.iid, deployments.c.status).where(deployments.c.job_id == job.id)
    ).first()
    words = ACTIONS.get(options.action, "")
    if job.status == "manual" and awaits_approval(conn, job):
        words = "The deployment must be approved before the job can run."
    elif deployment is not None and deployment.status == "success" and place is not None:
        last = last_successful(conn, place.id)
        is_last = last is not None and last.id == deployment.id
        words = "Currently deployed." if is_last else "Replaced by a later deployment."
    return JobEnvironment(
        name=options.name,
        id=None if place is None else place.id,
        state="" if place is None else place.state,
        deployment=None if deployment is None else deployment.iid,
        status="" if deployment is None else deployment.status,
        words=words,
    )


def deletion_times(conn: Connection, environment_ids: Sequence[int]) -> dict[int, datetime]:
    """When stopped environments that somebody cleaned up will be deleted."""
    if not environment_ids:
        return {}
    query = select(environments.c.id, environments.c.auto_delete_at).where(
        environments.c.id.in_(environment_ids), environments.c.auto_delete_at.is_not(None)
    )
    return {row.id: row.auto_delete_at for row in conn.execute(query)}
