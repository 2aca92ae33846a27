"""Projects of a user: their own, those they starred, those they contributed to."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, false, select

from ingot.access.call import Call
from ingot.access.policy import ANYONE
from ingot.access.tables import namespaces, projects
from ingot.features.spaces.projects import policy
from ingot.features.spaces.projects.entities import ProjectFull
from ingot.features.spaces.projects.params.listing import ListUserProjects
from ingot.features.spaces.projects.queries.filters import base_set, visible_from_level
from ingot.features.spaces.projects.queries.listing import Base
from ingot.features.spaces.projects.queries.paging import page_of_projects
from ingot.features.spaces.projects.tables import project_contributions, project_stars
from ingot.identity.authentication import user_by_name_or_id
from ingot.identity.rows import UserRow
from ingot.kit.actor import Actor
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound
from ingot.kit.pagination import Page

routes = Routes("Projects")
OPTIONS: dict[str, Any] = {
    "guard": ANYONE,
    "params": ListUserProjects,
    "returns": list[ProjectFull],
    "errors": (405,),
}


@routes.get("/users/{user_id}/projects", **OPTIONS)
def list_user_projects(call: Call[ListUserProjects]) -> Answer:
    """Projects in a user's personal namespace that the caller may see."""
    return _page(call, _owned)


@routes.get("/users/{user_id}/starred_projects", **OPTIONS)
def list_starred_projects(call: Call[ListUserProjects]) -> Answer:
    """Projects that a user starred and the caller may see."""
    return _page(call, _starred)


@routes.get("/users/{user_id}/contributed_projects", **OPTIONS)
def list_contributed_projects(call: Call[ListUserProjects]) -> Answer:
    """Projects that a user contributed to and the caller may see."""
    return _page(call, _contributed)


def _owned(actor: Actor, options: ListUserProjects) -> ColumnElement[bool]:
    own = select(namespaces.c.id).where(namespaces.c.owner_id == bindparam("user_id"), namespaces.c.kind == "user")
    return and_(projects.c.namespace_id.in_(own), visible_from_level(actor, options))


def _starred(actor: Actor, options: ListUserProjects) -> ColumnElement[bool]:
    starred = select(project_stars.c.project_id).where(project_stars.c.user_id == bindparam("user_id"))
    return and_(projects.c.id.in_(starred), base_set(actor, options))


def _contributed(actor: Actor, options: ListUserProjects) -> ColumnElement[bool]:
    links = project_contributions
    contributed = select(links.c.project_id).where(links.c.user_id == bindparam("user_id"))
    return and_(projects.c.id.in_(contributed), base_set(actor, options))


def _none(_actor: Actor, _options: ListUserProjects) -> ColumnElement[bool]:
    return false()


def _page(call: Call[ListUserProjects], condition: Callable[[Actor, ListUserProjects], ColumnElement[bool]]) -> Page:
    user = _user(call)
    return page_of_projects(call, Base(condition if _is_shown(call, user) else _none, {"user_id": user.id}))


def _user(call: Call[ListUserProjects]) -> UserRow:
    row = user_by_name_or_id(call.conn, call.params.user_id)
    if row is None:
        raise NotFound("User")
    return row


def _is_shown(call: Call, user: UserRow) -> bool:
    """Private profiles, blocked and unconfirmed users are shown only to themselves and administrators."""
    if policy.sees_everything_of(call.actor, user):
        return True
    return user.state == "active" and user.confirmed_at is not None and not user.private_profile
