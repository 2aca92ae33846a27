"""Reading groups: one builder for every list, one step per filter."""

from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, case, false, func, literal, or_, select

from ingot.access.levels import MAINTAINER, OWNER, Visibility
from ingot.access.rows import NamespaceRow
from ingot.access.tables import (
    group_authorizations,
    group_group_links,
    members,
    namespace_ancestors,
    namespaces,
    projects,
)
from ingot.access.visibility import among_own_groups, listed_groups
from ingot.features.people.custom_attributes import group_custom_attributes, has_attributes
from ingot.features.spaces.groups.params import GroupFilters, ListGroups
from ingot.kit.actor import Actor
from ingot.kit.clock import today
from ingot.kit.letter_case import contains, lowered
from ingot.kit.pagination import Keyset


def groups_of(actor: Actor) -> Select[Any]:
    """The groups that the actor may see."""
    return select(namespaces).where(listed_groups(actor))


def listed(actor: Actor, options: ListGroups) -> Select[Any]:
    """The list of groups for these filters: `owned` and `min_access_level` decide before `all_available`."""
    result = groups_of(actor)
    if options.owned:
        result = result.where(is_owned(actor))
    elif options.min_access_level is not None:
        result = result.where(has_level(actor, options.min_access_level))
    elif options.all_available is False and not actor.is_anonymous:
        result = result.where(among_own_groups(actor))
    result = filtered(result, options)
    if options.top_level_only:
        result = result.where(namespaces.c.parent_id.is_(None))
    # Parameters for administrators are ignored when others send them.
    if actor.is_admin and options.repository_storage:
        result = result.where(_has_project_on(options.repository_storage))
    if actor.is_admin and options.custom_attributes:
        result = result.where(has_attributes(group_custom_attributes, namespaces.c.id, options.custom_attributes))
    return result


def related(actor: Actor, options: GroupFilters) -> Select[Any]:
    """Visible groups for the lists that follow shares."""
    result = groups_of(actor)
    if options.min_access_level is not None:
        result = result.where(has_level(actor, options.min_access_level))
    return filtered(result, options)


def filtered(query: Select[Any], options: GroupFilters) -> Select[Any]:
    """The filters that all lists of groups share."""
    if options.skip_groups:
        query = query.where(namespaces.c.id.not_in(options.skip_groups))
    if options.visibility is not None:
        query = query.where(namespaces.c.visibility == int(Visibility.of(options.visibility)))
    return by_search(query, options.search)


def by_search(query: Select[Any], text: str | None) -> Select[Any]:
    """Part of the name or path, in whatever case; a text with a slash may be part of the full path."""
    if not text:
        return query
    search = text.lower()
    path = namespaces.c.full_path_lower if "/" in search else lowered(namespaces.c.path, search)
    return query.where(or_(contains(namespaces.c.name, search), path.contains(search, autoescape=True)))


def children_of(query: Select[Any], group_id: int) -> Select[Any]:
    """Only groups directly below this one."""
    return query.where(namespaces.c.parent_id == group_id)


def descendants_of(query: Select[Any], group_id: int) -> Select[Any]:
    """Only groups below this one, at any depth."""
    below = namespace_ancestors
    inside = select(below.c.namespace_id).where(below.c.ancestor_id == group_id, below.c.depth > 0)
    return query.where(namespaces.c.id.in_(inside))


def shared_to(query: Select[Any], group_id: int) -> Select[Any]:
    """Only groups that this group was invited to."""
    links = group_group_links
    inviting = select(links.c.group_id).where(links.c.invited_group_id == group_id, _live(links))
    return query.where(namespaces.c.id.in_(inviting))


def invited_to(query: Select[Any], group_id: int, relations: list[str]) -> Select[Any]:
    """Only groups that were invited to this group, or to one above it."""
    links, above = group_group_links, namespace_ancestors
    invited = (
        select(links.c.invited_group_id)
        .join(above, above.c.ancestor_id == links.c.group_id)
        .where(above.c.namespace_id == group_id, _live(links))
    )
    if set(relations) == {"direct"}:
        invited = invited.where(above.c.depth == 0)
    elif set(relations) == {"inherited"}:
        invited = invited.where(above.c.depth > 0)
    return query.where(namespaces.c.id.in_(invited))


def transfer_locations(actor: Actor, group: NamespaceRow, search: str | None) -> Select[Any]:
    """Groups that the group can be moved below: not its own parent, not itself, nothing inside it."""
    inside = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group.id)
    query = by_search(groups_of(actor), search).where(
        namespaces.c.id.not_in(inside), namespaces.c.marked_for_deletion_on.is_(None)
    )
    if group.parent_id is not None:
        query = query.where(namespaces.c.id != group.parent_id)
    if not actor.is_admin:
        creators = func.coalesce(namespaces.c.settings["subgroup_creation_level"].as_string(), "maintainer")
        query = query.where(or_(has_level(actor, OWNER), and_(has_level(actor, MAINTAINER), creators == "maintainer")))
    return query.order_by(namespaces.c.full_path_lower)


def is_owned(actor: Actor) -> ColumnElement[bool]:
    """The actor is an Owner by a membership of the group itself."""
    if actor.user_id is None:
        return false()
    own = select(members.c.group_id).where(
        members.c.user_id == actor.user_id, members.c.group_id.is_not(None), members.c.access_level == OWNER
    )
    return namespaces.c.id.in_(own.where(_live(members)))


def has_level(actor: Actor, level: int) -> ColumnElement[bool]:
    """The actor's effective level is at least this one."""
    rights = group_authorizations
    return namespaces.c.id.in_(
        select(rights.c.group_id).where(rights.c.user_id == (actor.user_id or 0), rights.c.access_level >= level)
    )


def ordered(query: Select[Any], options: GroupFilters) -> Select[Any]:
    """In the order asked for; equal ones by id."""
    if options.order_by == "similarity" and options.search:
        return query.order_by(_likeness(options.search.lower()), namespaces.c.parent_id.is_not(None), namespaces.c.id)
    column = namespaces.c.name if options.order_by == "similarity" else namespaces.c[options.order_by]
    if options.sort == "desc":
        return query.order_by(column.desc(), namespaces.c.id.desc())
    return query.order_by(column, namespaces.c.id)


def keyset(options: GroupFilters) -> Keyset:
    """Keyset pagination by name, or by id."""
    if options.order_by == "id":
        return Keyset(namespaces.c.id, descending=options.sort == "desc")
    return Keyset(
        namespaces.c.name,
        descending=options.sort == "desc",
        label="name",
        available=options.order_by == "name",
        tie=namespaces.c.id,
    )


def _likeness(search: str) -> ColumnElement[int]:
    name, path = lowered(namespaces.c.name, search), lowered(namespaces.c.path, search)
    return case(
        (or_(name == search, path == search), literal(0)),
        (or_(name.startswith(search, autoescape=True), path.startswith(search, autoescape=True)), literal(1)),
        else_=literal(2) + func.length(namespaces.c.name),
    )


def _has_project_on(storage: str) -> ColumnElement[bool]:
    return (
        select(literal(1))
        .where(and_(projects.c.namespace_id == namespaces.c.id, projects.c.repository_storage == storage))
        .exists()
    )


def _live(table: Table) -> ColumnElement[bool]:
    return or_(table.c.expires_at.is_(None), table.c.expires_at > today())
