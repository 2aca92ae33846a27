"""Who, of some people, can read an issue or merge request: nobody is told about what they may not see."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, or_, select

from ingot.access.levels import GUEST, PLANNER, REPORTER, Feature, Visibility
from ingot.access.tables import project_authorizations, projects
from ingot.features.notes import Target
from ingot.identity.tables import users
from ingot.kit.db import metadata


def allowed(tx: Connection, target: Target, user_ids: Iterable[int]) -> list[int]:
    """The active people among these who can read the thing, in the order given."""
    wanted = list(dict.fromkeys(user_ids))
    if not wanted:
        return []
    project = tx.execute(select(projects).where(projects.c.id == target.project_id)).one()
    level, is_open = _needed(project, target)
    special: list[int] = []
    if target.type == "Issue":
        level, is_open, special = _of_issue(tx, target, level, is_open=is_open)
    members = select(project_authorizations.c.user_id).where(
        project_authorizations.c.project_id == target.project_id, project_authorizations.c.access_level >= level
    )
    ways = [users.c.id.in_(members), users.c.is_admin, users.c.id.in_(special)]
    found = select(users.c.id).where(users.c.id.in_(wanted), users.c.state == "active")
    if is_open and project.visibility == Visibility.INTERNAL:
        ways.append(~users.c.is_external)
    if not (is_open and project.visibility == Visibility.PUBLIC):
        found = found.where(or_(*ways))
    able = set(tx.execute(found).scalars())
    return [user_id for user_id in wanted if user_id in able]


def _needed(project: Any, target: Target) -> tuple[int, bool]:
    """The role that members need, and whether people without a role may read too."""
    if target.type == "Issue":
        return GUEST, project.issues_access_level >= Feature.ENABLED and project.visibility > Visibility.PRIVATE
    narrow = min(project.merge_requests_access_level, project.repository_access_level) < Feature.ENABLED
    return (REPORTER if narrow else PLANNER), not narrow and project.visibility > Visibility.PRIVATE


def _of_issue(tx: Connection, target: Target, level: int, *, is_open: bool) -> tuple[int, bool, list[int]]:
    issues, assignees = metadata.tables["issues"], metadata.tables["issue_assignees"]
    row = tx.execute(select(issues.c.confidential, issues.c.author_id).where(issues.c.id == target.id)).one()
    if not row.confidential:
        return level, is_open, []
    people = tx.execute(select(assignees.c.user_id).where(assignees.c.issue_id == target.id)).scalars()
    return PLANNER, False, [user for user in (row.author_id, *people) if user is not None]
