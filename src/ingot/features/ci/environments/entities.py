"""Environments and deployments on the wire."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.ci.deployments import DeploymentRow, EnvironmentRow, deployments, environments
from ingot.features.ci.engine import JOB_COLUMNS, ci_jobs, may_read_builds
from ingot.features.ci.pipelines import Job, present_jobs
from ingot.features.people.users import UserBasic, users_by_id
from ingot.kit.entity import UNSET, Entity, UnsetType, by_key, wire, wire_or_none


class EnvironmentBasic(Entity):
    """An environment as deployments show it."""

    id: int
    name: str
    slug: str
    external_url: str | None
    created_at: datetime
    updated_at: datetime


class Deployment(Entity):
    """A deployment of a commit to an environment."""

    id: int
    iid: int
    ref: str
    sha: str
    created_at: datetime
    updated_at: datetime
    status: str
    user: UserBasic | None
    environment: EnvironmentBasic
    deployable: Job | None


class Environment(EnvironmentBasic, kw_only=True):
    """An environment."""

    description: str | None
    tier: str
    state: str
    auto_stop_at: datetime | None
    auto_stop_setting: str
    cluster_agent: None = None
    kubernetes_namespace: None = None
    flux_resource_path: None = None
    last_deployment: Deployment | UnsetType | None = UNSET


class DeletedReviewApps(Entity):
    """Environments that will be deleted in a week."""

    scheduled_entries: list[EnvironmentBasic]
    unprocessable_entries: list[EnvironmentBasic]


def _basic(row: EnvironmentRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "slug": row.slug,
        "external_url": row.external_url,
        "created_at": wire(row.created_at),
        "updated_at": wire(row.updated_at),
    }


def present_environments(call: Call, rows: Sequence[EnvironmentRow]) -> list[Environment]:
    """A page of environments."""
    del call
    return [_environment(row) for row in rows]


def _environment(row: EnvironmentRow) -> Environment:
    return Environment(
        **_basic(row),
        description=row.description,
        tier=row.tier,
        state=row.state,
        auto_stop_at=wire_or_none(row.auto_stop_at),
        auto_stop_setting=row.auto_stop_setting,
    )


def present_environment(call: Call, row: EnvironmentRow) -> Environment:
    """One environment with what was deployed to it last."""
    last = call.conn.execute(
        select(deployments)
        .where(deployments.c.environment_id == row.id, deployments.c.status == "success")
        .order_by(deployments.c.id.desc())
        .limit(1)
    ).all()
    shown = _environment(row)
    shown.last_deployment = next(iter(present_deployments(call, last)), None)
    return shown


def present_deployments(call: Call, rows: Sequence[DeploymentRow]) -> list[Deployment]:
    """A page of deployments, with their jobs, people and environments."""
    conn = call.conn
    people = users_by_id(conn, [row.user_id for row in rows], call.base_url)
    places = {row.environment_id for row in rows}
    query = select(environments).where(environments.c.id.in_(places))
    context = by_key(conn.execute(query) if places else (), lambda row: row.id)
    reads_jobs = may_read_builds(call.actor, call.project)
    job_ids = {row.job_id for row in rows if row.job_id is not None and reads_jobs}
    job_rows = (
        conn.execute(select(*JOB_COLUMNS).where(ci_jobs.c.id.in_(job_ids), ci_jobs.c.kind == "build")).all()
        if job_ids
        else []
    )
    builds = {job.id: job for job in present_jobs(call, job_rows)} if job_rows else {}
    return [
        Deployment(
            id=row.id,
            iid=row.iid,
            ref=row.ref,
            sha=row.sha,
            created_at=wire(row.created_at),
            updated_at=wire(row.updated_at),
            status=row.status,
            user=people.get(row.user_id or 0),
            environment=EnvironmentBasic(**_basic(context[row.environment_id])),
            deployable=builds.get(row.job_id or 0),
        )
        for row in rows
    ]


def present_basic(rows: Sequence[EnvironmentRow]) -> list[EnvironmentBasic]:
    """Environments in the short form."""
    return [EnvironmentBasic(**_basic(row)) for row in rows]
