"""The actor of background work: the person for whom a push, schedule or job acts."""

from sqlalchemy import Connection, bindparam, select

from ingot.access.subjects import Project, find_project
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.actor import ANONYMOUS, Actor

_ACTIVE = select(users).where(users.c.id == bindparam("user_id"), users.c.state == "active")


def actor_by_id(conn: Connection, user_id: int | None) -> Actor:
    """The user as an actor; removed or blocked users may do nothing."""
    if user_id is None:
        return ANONYMOUS
    row = conn.execute(_ACTIVE, {"user_id": user_id}).one_or_none()
    return ANONYMOUS if row is None else actor_of_user(row)


def project_as(conn: Connection, user_id: int | None, project_id: int | str) -> tuple[Actor, Project | None]:
    """The person, and the project as they see it."""
    actor = actor_by_id(conn, user_id)
    return actor, find_project(conn, actor, project_id)
