"""Projects of a user: their own, those they starred, those they contributed to."""

from typing import Any

from sqlalchemy import ColumnElement, and_, false, select

from ingot.access.call import Call
from ingot.access.policy import ANYONE
from ingot.access.tables import namespaces, projects
from ingot.features.spaces.projects import policy
from ingot.features.spaces.projects.entities import ProjectFull
from ingot.features.spaces.projects.params.listing import ListUserProjects
from ingot.features.spaces.projects.queries.filters import base_set, visible_from_level
from ingot.features.spaces.projects.queries.paging import page_of_projects
from ingot.features.spaces.projects.tables import project_contributions, project_stars
from ingot.identity.authentication import user_by_name_or_id
from ingot.identity.rows import UserRow
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound

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
    owner = _user(call)
    own = select(namespaces.c.id).where(namespaces.c.owner_id == owner.id, namespaces.c.kind == "user")
    reach = visible_from_level(call.actor, call.params)
    return page_of_projects(call, _shown(call, owner, and_(projects.c.namespace_id.in_(own), reach)))


@routes.get("/users/{user_id}/starred_projects", **OPTIONS)
def list_starred_projects(call: Call[ListUserProjects]) -> Answer:
    """Projects that a user starred and the caller may see."""
    owner = _user(call)
    starred = select(project_stars.c.project_id).where(project_stars.c.user_id == owner.id)
    base = and_(projects.c.id.in_(starred), base_set(call.actor, call.params))
    return page_of_projects(call, _shown(call, owner, base))


@routes.get("/users/{user_id}/contributed_projects", **OPTIONS)
def list_contributed_projects(call: Call[ListUserProjects]) -> Answer:
    """Projects that a user contributed to and the caller may see."""
    owner = _user(call)
    contributed = select(project_contributions.c.project_id).where(project_contributions.c.user_id == owner.id)
    base = and_(projects.c.id.in_(contributed), base_set(call.actor, call.params))
    return page_of_projects(call, _shown(call, owner, base))


def _user(call: Call[ListUserProjects]) -> UserRow:
    row = user_by_name_or_id(call.conn, call.params.user_id)
    if row is None:
        raise NotFound("User")
    return row


def _shown(call: Call, owner: UserRow, base: ColumnElement[bool]) -> ColumnElement[bool]:
    """Private profiles, blocked and unconfirmed users are shown only to themselves and administrators."""
    if policy.sees_everything_of(call.actor, owner):
        return base
    is_open = owner.state == "active" and owner.confirmed_at is not None and not owner.private_profile
    return base if is_open else and_(base, false())
