"""Stopping environments: by the job that the configuration names for it, or at once."""

from sqlalchemy import Connection, select

from ingot.access.subjects import find_project
from ingot.features.ci.deployments import (
    EnvironmentRow,
    deployments,
    environments,
    last_successful,
    set_auto_stop,
    update_environment,
)
from ingot.features.ci.engine import JOB_COLUMNS, JobRow, actor_by_id, ci_jobs, get_plan, is_playable, play_job
from ingot.features.ci.environments.policy import CHANGE_ENVIRONMENTS
from ingot.features.ci.protected_environments import protected_from
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.services import Services


def stop(services: Services, environment: EnvironmentRow, actor: Actor, *, force: bool = False) -> None:
    """Stop an environment; with a stop job it is `stopping` until that has succeeded."""
    if environment.state == "stopped":
        return
    with services.db.write() as tx:
        job = None if force else _stop_job(tx, environment.id)
        if job is None:
            update_environment(tx, environment.id, state="stopped", auto_stop_at=None)
        else:
            update_environment(tx, environment.id, state="stopping", auto_stop_at=None)
            play_job(tx, services, job, actor, [])


def _stop_job(tx: Connection, environment_id: int) -> JobRow | None:
    """The stop job of the last deployment, if it can be started."""
    last = last_successful(tx, environment_id)
    if last is None or last.job_id is None:
        return None
    deployed_by = tx.execute(select(ci_jobs.c.pipeline_id).where(ci_jobs.c.id == last.job_id)).scalar_one_or_none()
    plan = get_plan(tx, last.job_id) if deployed_by is not None else None
    name = plan.environment.on_stop if plan is not None and plan.environment is not None else None
    if name is None:
        return None
    row = tx.execute(
        select(*JOB_COLUMNS).where(
            ci_jobs.c.pipeline_id == deployed_by, ci_jobs.c.name == name, ci_jobs.c.is_retried.is_(False)
        )
    ).one_or_none()
    return row if row is not None and is_playable(row) else None


def stop_due(services: Services) -> int:
    """Stop the environments whose time is up; returns how many were looked at."""
    with services.db.read() as conn:
        due = conn.execute(
            select(environments)
            .where(environments.c.state == "available", environments.c.auto_stop_at <= now())
            .order_by(environments.c.id)
            .limit(100)
        ).all()
        actors, spared = {}, set()
        for row in due:
            last = last_successful(conn, row.id)
            actors[row.id] = actor_by_id(conn, last.user_id if last is not None else None)
            if row.auto_stop_setting == "with_action" and _stop_job(conn, row.id) is None:
                spared.add(row.id)
    for row in due:
        if row.id in spared:
            with services.db.write() as tx:
                set_auto_stop(tx, row.id, None)
        else:
            stop(services, row, actors[row.id])
    return len(due)


def stop_of_ref(services: Services, project_id: int, ref: str, user_id: int) -> int:
    """The branch or merge request is gone: run the stop jobs of what it deployed last; returns how many."""
    with services.db.read() as conn:
        actor = actor_by_id(conn, user_id)
        project = find_project(conn, actor, project_id)
        if project is None or not CHANGE_ENVIRONMENTS.allows(actor, project):
            return 0
        deployed = select(deployments.c.environment_id).where(
            deployments.c.project_id == project_id, deployments.c.ref == ref, deployments.c.is_tag.is_(False)
        )
        candidates = conn.execute(
            select(environments).where(environments.c.state == "available", environments.c.id.in_(deployed))
        ).all()
        protected = {row.id for row in protected_from(conn, project_id, user_id, candidates)}
        stoppable = [
            row
            for row in candidates
            if row.id not in protected and _is_last_of(conn, row.id, ref) and _stop_job(conn, row.id) is not None
        ]
    for row in stoppable:
        stop(services, row, actor)
    return len(stoppable)


def _is_last_of(conn: Connection, environment_id: int, ref: str) -> bool:
    last = last_successful(conn, environment_id)
    return last is not None and last.ref == ref and not last.is_tag
