"""Visibility as SQL: single look-ups and lists use the same conditions, so they cannot disagree."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, literal, or_, select

from ingot.access.levels import Feature, Visibility
from ingot.access.tables import group_authorizations, namespace_ancestors, namespaces, project_authorizations, projects
from ingot.kit.actor import Actor


def open_levels(actor: Actor) -> list[int]:
    """The visibility levels that need no membership."""
    if actor.is_anonymous or actor.is_external:
        return [int(Visibility.PUBLIC)]
    return [int(Visibility.INTERNAL), int(Visibility.PUBLIC)]


# An alias, because the statement around it may join the rights of its own. It is used in `is_member` only, so that no
# statement around an `EXISTS` has it too. Making one for each condition was half the cost of building lists.
_OWN_RIGHTS = project_authorizations.alias("own_rights")


def is_member(actor: Actor, min_level: int = 0) -> ColumnElement[bool]:
    """The actor has at least this effective level on the project row."""
    if actor.user_id is None:
        return false()
    rights = _OWN_RIGHTS.c
    query = select(literal(1)).where(rights.project_id == projects.c.id, rights.user_id == actor.user_id)
    if min_level:
        query = query.where(rights.access_level >= min_level)
    # Said aloud: by itself it would find only the statement directly around it, and ask about any project else.
    return query.correlate(projects).exists()


def is_let_in(actor: Actor, namespace: ColumnElement[Any]) -> list[ColumnElement[bool]]:
    """Conditions on a column with ids of namespaces: none of the groups above is closed to the actor's address."""
    if actor.is_admin or (isinstance(actor.closed_groups, tuple) and not actor.closed_groups):
        return []
    closed = namespace_ancestors.alias("closed")
    inside = select(closed.c.namespace_id).where(closed.c.ancestor_id.in_(actor.closed_groups))
    return [namespace.not_in(inside)]


def visible_projects(actor: Actor) -> ColumnElement[bool]:
    """Condition on `projects`: the actor may know that it exists."""
    alive = and_(projects.c.pending_delete.is_(false()), projects.c.hidden.is_(false()))
    if actor.is_admin:
        return alive
    return and_(
        alive,
        *is_let_in(actor, projects.c.namespace_id),
        or_(projects.c.visibility.in_(open_levels(actor)), is_member(actor)),
    )


def feature_readable(actor: Actor, feature: str, member_level: int) -> ColumnElement[bool]:
    """Condition on visible `projects`: the feature is open to this actor."""
    column = projects.c[f"{feature}_access_level"]
    if actor.is_admin:
        return column > int(Feature.DISABLED)
    return or_(
        column >= int(Feature.ENABLED) if member_level <= 10 else _enabled_for_outsiders(actor, column, member_level),
        and_(column == int(Feature.PRIVATE), is_member(actor, member_level)),
    )


def _enabled_for_outsiders(actor: Actor, column: ColumnElement[int], member_level: int) -> ColumnElement[bool]:
    # In a private project even an enabled feature asks for the role (a Guest reads no code and no merge requests).
    return and_(
        column >= int(Feature.ENABLED),
        or_(projects.c.visibility.in_(open_levels(actor)), is_member(actor, member_level)),
    )


def visible_groups(actor: Actor) -> ColumnElement[bool]:
    """Condition on `namespaces` of kind group: open to all, a member of it, or of something below it.

    Asked row by row: right where few groups are looked at. Lists of all groups use `listed_groups`.
    """
    return _visible_groups(actor, belongs_to_group)


def listed_groups(actor: Actor) -> ColumnElement[bool]:
    """The same set as `visible_groups`, found from the actor's own rights: right for lists over all groups."""
    return _visible_groups(actor, among_own_groups)


def _visible_groups(actor: Actor, belongs: Callable[[Actor], ColumnElement[bool]]) -> ColumnElement[bool]:
    base = and_(namespaces.c.kind == "group", namespaces.c.pending_delete.is_(false()))
    if actor.is_admin:
        return base
    base = and_(base, *is_let_in(actor, namespaces.c.id))
    if actor.user_id is None:
        return and_(base, namespaces.c.visibility.in_(open_levels(actor)))
    return and_(base, or_(namespaces.c.visibility.in_(open_levels(actor)), belongs(actor)))


def visible_groups_below(actor: Actor, group_id: int) -> Select[Any]:
    """Ids of the group and its descendants, as far as the actor may see them."""
    below = namespace_ancestors.alias("visible_below")
    return (
        select(namespaces.c.id)
        .join_from(namespaces, below, below.c.namespace_id == namespaces.c.id)
        .where(below.c.ancestor_id == group_id, visible_groups(actor))
    )


def visible_groups_above(actor: Actor, namespace_id: int) -> Select[Any]:
    """Ids of the group and its ancestors, as far as the actor may see them."""
    above = namespace_ancestors.alias("visible_above")
    return (
        select(namespaces.c.id)
        .join_from(namespaces, above, above.c.ancestor_id == namespaces.c.id)
        .where(above.c.namespace_id == namespace_id, visible_groups(actor))
    )


def visible_projects_below(actor: Actor, group_id: int) -> Select[Any]:
    """Ids of the projects in the group and its descendants, as far as the actor may see them."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group_id)
    return select(projects.c.id).where(projects.c.namespace_id.in_(below), visible_projects(actor))


def belongs_to_group(actor: Actor) -> ColumnElement[bool]:
    """The actor is a member of the group, of one above, or of a project or group below it."""
    if actor.user_id is None:
        return false()
    below, inside = namespace_ancestors.alias("below"), projects.alias("inside")
    rights = group_authorizations.alias("own_group_rights")
    project_rights = project_authorizations.alias("own_rights_inside")
    # Nested, not joined: SQLite then goes from the group to its contents and looks each up among the actor's rights.
    groups = select(below.c.namespace_id).where(below.c.ancestor_id == namespaces.c.id).correlate(namespaces)
    in_group = select(literal(1)).where(rights.c.user_id == actor.user_id, rights.c.group_id.in_(groups))
    within = select(inside.c.id).where(inside.c.namespace_id.in_(groups)).correlate(namespaces)
    in_project = select(literal(1)).where(
        project_rights.c.user_id == actor.user_id, project_rights.c.project_id.in_(within)
    )
    return or_(in_group.exists(), in_project.exists())


def among_own_groups(actor: Actor) -> ColumnElement[bool]:
    """The same as `belongs_to_group`, as one set for all rows."""
    if actor.user_id is None:
        return false()
    above, inside = namespace_ancestors.alias("above"), projects.alias("inside")
    rights = group_authorizations.alias("own_group_rights")
    project_rights = project_authorizations.alias("own_rights_inside")
    by_groups = select(rights.c.group_id).where(rights.c.user_id == actor.user_id)
    by_projects = (
        select(inside.c.namespace_id)
        .join_from(project_rights, inside, inside.c.id == project_rights.c.project_id)
        .where(project_rights.c.user_id == actor.user_id)
    )
    own = select(above.c.ancestor_id).where(
        or_(above.c.namespace_id.in_(by_groups), above.c.namespace_id.in_(by_projects))
    )
    return namespaces.c.id.in_(own)
