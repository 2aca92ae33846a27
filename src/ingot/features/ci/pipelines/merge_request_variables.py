"""The variables that describe a merge request to the jobs of its pipeline."""

from sqlalchemy import Connection, select

from ingot.access.subjects import Project, find_project
from ingot.features.ci.engine import base_url, project_facts
from ingot.features.ci.variables import MergeRequestFacts
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.planning.labels import labels
from ingot.features.planning.milestones import milestones
from ingot.features.review.approvals import approvals, states
from ingot.features.review.merge_requests import (
    MergeRequestRow,
    find_by_id,
    merge_request_assignees,
    merge_request_diffs,
    merge_request_labels,
    merge_requests,
)
from ingot.features.spaces.projects import project_settings, repository_of
from ingot.gitstore import refs
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.services import Services


def facts_of_merge_request(
    services: Services, conn: Connection, actor: Actor, merge_request: MergeRequestRow, source: Project, target: Project
) -> MergeRequestFacts:
    """The request in the form of the CI_MERGE_REQUEST_* variables."""
    url = base_url(services)
    diff_id = conn.execute(
        select(merge_request_diffs.c.id)
        .where(merge_request_diffs.c.merge_request_id == merge_request.id)
        .order_by(merge_request_diffs.c.id.desc())
        .limit(1)
    ).scalar_one_or_none()
    label_names, milestone, assignees = _people_and_labels(conn, merge_request)
    target_sha = refs.find_branch(repository_of(services, target), merge_request.target_branch) or ""
    return MergeRequestFacts(
        id=merge_request.id,
        iid=merge_request.iid,
        title=merge_request.title,
        description=merge_request.description or "",
        is_draft=merge_request.is_draft,
        is_approved=_is_approved(services, conn, merge_request.id),
        is_squashed=_squashes(target, merge_request),
        source_branch=merge_request.source_branch,
        source_sha=merge_request.head_sha or "",
        source_is_protected=load_protection(conn, actor, source).is_protected(merge_request.source_branch),
        source_project=project_facts(source, url),
        target_branch=merge_request.target_branch,
        target_sha=target_sha,
        target_is_protected=load_protection(conn, actor, target).is_protected(merge_request.target_branch),
        target_project=project_facts(target, url),
        diff_id=diff_id or 0,
        diff_base_sha=merge_request.base_sha or "",
        labels=tuple(label_names),
        milestone=milestone,
        assignees=tuple(assignees),
    )


def _is_approved(services: Services, conn: Connection, merge_request_id: int) -> bool:
    """No rule lacks approvals; without rules, in the free tier, somebody has approved it."""
    if not services.settings.has_tier("premium"):
        given = select(approvals.c.id).where(approvals.c.merge_request_id == merge_request_id).limit(1)
        return conn.execute(given).first() is not None
    row = find_by_id(conn, merge_request_id)
    return row is not None and states(conn, [row])[row.id].is_approved


def _squashes(target: Project, merge_request: MergeRequestRow) -> bool:
    """The request's own choice, unless the project decides."""
    return {"always": True, "never": False}.get(project_settings(target).squash_option, bool(merge_request.squash))


def _people_and_labels(conn: Connection, merge_request: MergeRequestRow) -> tuple[list[str], str | None, list[str]]:
    titles = (
        select(labels.c.name)
        .join_from(merge_request_labels, labels, labels.c.id == merge_request_labels.c.label_id)
        .where(merge_request_labels.c.merge_request_id == merge_request.id)
        .order_by(labels.c.name)
    )
    people = (
        select(users.c.username)
        .join_from(merge_request_assignees, users, users.c.id == merge_request_assignees.c.user_id)
        .where(merge_request_assignees.c.merge_request_id == merge_request.id)
        .order_by(merge_request_assignees.c.position)
    )
    title = select(milestones.c.title).where(milestones.c.id == (merge_request.milestone_id or 0))
    return (
        list(conn.execute(titles).scalars()),
        conn.execute(title).scalar_one_or_none(),
        list(conn.execute(people).scalars()),
    )


def merge_request_facts(
    services: Services, conn: Connection, actor: Actor, merge_request_id: int
) -> MergeRequestFacts | None:
    """The request of a pipeline, for the variables of its jobs; None where it is gone or hidden from the user."""
    row = load_merge_request(conn, merge_request_id)
    if row is None or row.source_project_id is None:
        return None
    source = find_project(conn, actor, row.source_project_id)
    target = find_project(conn, actor, row.project_id)
    return (
        None if source is None or target is None else facts_of_merge_request(services, conn, actor, row, source, target)
    )


def load_merge_request(conn: Connection, merge_request_id: int) -> MergeRequestRow | None:
    """The request's row, or None."""
    return conn.execute(select(merge_requests).where(merge_requests.c.id == merge_request_id)).one_or_none()
