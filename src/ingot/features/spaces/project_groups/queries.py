"""Groups of a project, and the sets of projects that belong to a group."""

from datetime import date
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Select, Table, and_, bindparam, func, or_, select

from ingot.access.levels import MAINTAINER, NO_ACCESS, OWNER
from ingot.access.namespaces import CREATION_LEVELS
from ingot.access.subjects import Project
from ingot.access.tables import (
    group_authorizations,
    group_group_links,
    namespace_ancestors,
    namespaces,
    project_group_links,
    projects,
)
from ingot.access.visibility import visible_groups
from ingot.features.spaces.project_groups.params import GroupProjects, InvitedGroups, ProjectGroups
from ingot.kit.actor import Actor
from ingot.kit.clock import today


def _live(table: Table, day: date | BindParameter[date]) -> ColumnElement[bool]:
    return or_(table.c.expires_at.is_(None), table.c.expires_at > day)


def _groups() -> Select[Any]:
    return select(namespaces).where(namespaces.c.kind == "group", namespaces.c.pending_delete.is_(False))


def inside(group_id: BindParameter[int], options: GroupProjects) -> ColumnElement[bool]:
    """Projects of the group and, on request, of subgroups, parent groups, and those shared with it."""
    below, above = namespace_ancestors.alias("below"), namespace_ancestors.alias("above")
    places = select(below.c.namespace_id).where(below.c.ancestor_id == group_id)
    if not options.include_subgroups:
        places = places.where(below.c.depth == 0)
    parts: list[ColumnElement[bool]] = [projects.c.namespace_id.in_(places)]
    if options.include_ancestor_groups:
        higher = select(above.c.ancestor_id).where(above.c.namespace_id == group_id)
        parts.append(projects.c.namespace_id.in_(higher))
    if options.with_shared:
        parts.append(shared_with(places))
    return or_(*parts)


def shared_with(groups: Select[Any] | list[BindParameter[int]]) -> ColumnElement[bool]:
    """Projects that were shared with one of these groups, still on the day of the parameter `today`."""
    links = project_group_links
    shared = select(links.c.project_id).where(links.c.group_id.in_(groups), _live(links, bindparam("today")))
    return projects.c.id.in_(shared)


def groups_of(actor: Actor, project: Project, options: ProjectGroups) -> Select[Any]:
    """The parent groups of a project and, on request, groups it is shared with."""
    above = select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == project.namespace_id)
    part: ColumnElement[bool] = namespaces.c.id.in_(above)
    if options.with_shared:
        links = project_group_links
        invited = select(links.c.group_id).where(links.c.project_id == project.id, _live(links, today()))
        if options.shared_min_access_level is not None:
            invited = invited.where(links.c.access_level >= options.shared_min_access_level)
        shared: ColumnElement[bool] = namespaces.c.id.in_(invited)
        # Members know with whom the project was shared; others learn of groups that they may see.
        knows_all = actor.is_admin or project.level > NO_ACCESS
        if options.shared_visible_only or not knows_all:
            shared = and_(shared, visible_groups(actor))
        part = or_(part, shared)
    query = _groups().where(part)
    if options.skip_groups:
        query = query.where(namespaces.c.id.not_in(options.skip_groups))
    return query.order_by(namespaces.c.id.desc())


def invited(actor: Actor, project: Project, options: InvitedGroups) -> Select[Any]:
    """Groups that were invited to the project (direct) or to a group above it (inherited), if the actor sees them."""
    links, higher = project_group_links, group_group_links
    direct = select(links.c.group_id).where(links.c.project_id == project.id, _live(links, today()))
    inherited = (
        select(higher.c.invited_group_id)
        .join(namespace_ancestors, namespace_ancestors.c.ancestor_id == higher.c.group_id)
        .where(namespace_ancestors.c.namespace_id == project.namespace_id, _live(higher, today()))
    )
    relations = set(options.relation) or {"direct", "inherited"}
    parts = []
    if "direct" in relations:
        parts.append(namespaces.c.id.in_(direct))
    if "inherited" in relations:
        parts.append(namespaces.c.id.in_(inherited))
    query = _groups().where(or_(*parts), visible_groups(actor))
    if options.min_access_level is not None:
        query = query.where(namespaces.c.id.in_(_groups_with_level(actor, options.min_access_level)))
    return query.order_by(namespaces.c.id.desc())


def share_locations(actor: Actor, project: Project) -> Select[Any]:
    """Groups that the project can be shared with: not those above it, not those that have it already."""
    above = select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == project.namespace_id)
    links = project_group_links
    already = select(links.c.group_id).where(links.c.project_id == project.id)
    query = _groups().where(namespaces.c.id.not_in(above), namespaces.c.id.not_in(already))
    if not actor.is_admin:
        query = query.where(namespaces.c.id.in_(_groups_with_level(actor, 10)))
    return query.order_by(namespaces.c.id.desc())


def transfer_locations(actor: Actor, project: Project, default_creation: int) -> Select[Any]:
    """Groups that the actor may move the project into."""
    own = func.coalesce(namespaces.c.settings["project_creation_level"].as_string(), CREATION_LEVELS[default_creation])
    query = _groups().where(
        namespaces.c.id != project.namespace_id, namespaces.c.marked_for_deletion_on.is_(None), own != "noone"
    )
    if not actor.is_admin:
        maintained = and_(
            own.in_(["maintainer", "developer"]), namespaces.c.id.in_(_groups_with_level(actor, MAINTAINER))
        )
        owned = and_(own == "owner", namespaces.c.id.in_(_groups_with_level(actor, OWNER)))
        query = query.where(or_(maintained, owned))
    return query.order_by(namespaces.c.id.desc())


def _groups_with_level(actor: Actor, level: int) -> Select[Any]:
    rights = group_authorizations
    return select(rights.c.group_id).where(rights.c.user_id == (actor.user_id or 0), rights.c.access_level >= level)
