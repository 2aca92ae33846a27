"""The people of a project."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, select

from ingot.access.known_members import known_member_ids
from ingot.access.subjects import Project
from ingot.access.tables import project_authorizations
from ingot.features.spaces.projects.policy import sees_all_members
from ingot.features.spaces.projects.tables import project_stars
from ingot.identity.tables import users
from ingot.kit.actor import Actor


def people_of(actor: Actor, project: Project) -> Select[Any]:
    """Effective members, direct, inherited and through shared groups; non-members see those of visible groups."""
    query = (
        select(users)
        .join(project_authorizations, project_authorizations.c.user_id == users.c.id)
        .where(project_authorizations.c.project_id == project.id)
    )
    if sees_all_members(actor, project):
        return query
    return query.where(users.c.id.in_(known_member_ids(actor, project.row)))


def starred_among(conn: Connection, user_id: int | None, project_ids: Sequence[int]) -> set[int]:
    """Which of these projects the user has starred."""
    if user_id is None or not project_ids:
        return set()
    mine = (project_stars.c.user_id == user_id) & project_stars.c.project_id.in_(project_ids)
    return set(conn.execute(select(project_stars.c.project_id).where(mine)).scalars())
