"""Environments and deployments on the wire."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.tables import namespaces
from ingot.access.visibility import visible_groups
from ingot.features.ci.deployments import DeploymentRow, EnvironmentRow, deployments, environments
from ingot.features.ci.engine import JOB_COLUMNS, ci_jobs, may_read_builds
from ingot.features.ci.pipelines import Job, present_jobs
from ingot.features.ci.protected_environments import (
    ApprovalRow,
    Covering,
    approvals_of,
    covering,
    entry_name,
    missing_approvals,
    project_rules,
    rules_of,
)
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


class DeploymentApproval(Entity):
    """Who approved or rejected a deployment."""

    user: UserBasic | None
    status: str
    created_at: datetime
    comment: str | None


class SummaryRule(Entity):
    """A rule about approvals, and who approved for it."""

    user_id: int | None
    group_id: int | None
    access_level: int | None
    access_level_description: str
    required_approvals: int
    deployment_approvals: list[DeploymentApproval]


class ApprovalSummary(Entity):
    """What a deployment needs, rule by rule."""

    rules: list[SummaryRule]


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
    pending_approval_count: int
    approvals: list[DeploymentApproval]
    approval_summary: ApprovalSummary | UnsetType = UNSET


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
    votes = approvals_of(conn, [row.id for row in rows])
    voters = [vote.user_id for given in votes.values() for vote in given]
    people = users_by_id(conn, [*(row.user_id for row in rows), *voters], call.base_url)
    waiting = any(row.status == "blocked" for row in rows)
    rules = project_rules(conn, call.project.id) if waiting else []
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
            pending_approval_count=_missing(rules, row, context[row.environment_id], votes.get(row.id, [])),
            approvals=[_approval(vote, people) for vote in votes.get(row.id, [])],
        )
        for row in rows
    ]


def _missing(rules: Sequence[Covering], row: DeploymentRow, place: EnvironmentRow, votes: Sequence[ApprovalRow]) -> int:
    if row.status != "blocked":
        return 0
    return missing_approvals(covering(rules, place.name, place.tier), votes)


def _approval(vote: ApprovalRow, people: Mapping[int, UserBasic]) -> DeploymentApproval:
    return DeploymentApproval(
        user=people.get(vote.user_id or 0),
        status=vote.status,
        created_at=wire(vote.created_at),
        comment=vote.comment,
    )


def present_deployment(call: Call, row: DeploymentRow) -> Deployment:
    """One deployment, with what it needs rule by rule."""
    shown = present_deployments(call, [row])[0]
    votes = approvals_of(call.conn, [row.id]).get(row.id, [])
    people = users_by_id(call.conn, [vote.user_id for vote in votes], call.base_url)
    rules = rules_of(call.conn, call.project.id, shown.environment.name)
    entries = [entry for rule in rules for entry in rule.approval]
    hidden = _hidden_groups(call, {entry.group_id for entry in entries if entry.group_id is not None})
    shown.approval_summary = ApprovalSummary(
        rules=[
            SummaryRule(
                user_id=entry.user_id,
                group_id=None if entry.group_id in hidden else entry.group_id,
                access_level=entry.access_level,
                access_level_description="Private group" if entry.group_id in hidden else entry_name(entry),
                required_approvals=entry.required_approvals,
                deployment_approvals=[_approval(vote, people) for vote in votes if vote.entry_id == entry.id],
            )
            for entry in entries
        ]
    )
    return shown


def _hidden_groups(call: Call, ids: set[int]) -> set[int]:
    """Those that the caller may not see: everybody who sees the project reads its deployments."""
    query = select(namespaces.c.id).where(namespaces.c.id.in_(ids), visible_groups(call.actor))
    return ids - set(call.conn.execute(query).scalars()) if ids else ids


def present_approval(call: Call, vote: ApprovalRow) -> DeploymentApproval:
    """One approval or rejection."""
    return _approval(vote, users_by_id(call.conn, [vote.user_id], call.base_url))


def present_basic(rows: Sequence[EnvironmentRow]) -> list[EnvironmentBasic]:
    """Environments in the short form."""
    return [EnvironmentBasic(**_basic(row)) for row in rows]
