"""Finding milestones: one filter, one function."""

from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Connection, Select, bindparam, or_, select

from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import namespace_ancestors
from ingot.access.visibility import visible_groups_above, visible_groups_below
from ingot.features.planning.milestones.entities import with_paths
from ingot.features.planning.milestones.params import ListGroupMilestones, ListMilestones
from ingot.features.planning.milestones.rows import MilestoneWithPaths
from ingot.features.planning.milestones.tables import milestones
from ingot.kit.actor import Actor
from ingot.kit.clock import through
from ingot.kit.letter_case import contains


def _groups_above(namespace_id: int) -> Any:
    return select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == namespace_id)


def usable_in_project(project: ProjectRow, *, ancestors: bool = True) -> ColumnElement[bool]:
    """Condition on `milestones`: the project's own, and those of all groups above it."""
    own = milestones.c.project_id == project.id
    return or_(own, milestones.c.group_id.in_(_groups_above(project.namespace_id))) if ancestors else own


def usable_in_group(group: NamespaceRow) -> ColumnElement[bool]:
    """Condition on `milestones`: the group's own."""
    own: ColumnElement[bool] = milestones.c.group_id == group.id
    return own


def listed_in_group(actor: Actor, group: NamespaceRow, options: ListGroupMilestones) -> ColumnElement[bool]:
    """Condition on `milestones`: the group's own, optionally of those above or below that the actor may see."""
    conditions: list[Any] = [milestones.c.group_id == group.id]
    if options.include_ancestors:
        conditions.append(milestones.c.group_id.in_(visible_groups_above(actor, group.id)))
    if options.include_descendants:
        conditions.append(milestones.c.group_id.in_(visible_groups_below(actor, group.id)))
    return or_(*conditions)


def listed(condition: ColumnElement[bool], options: ListMilestones) -> Select[Any]:
    """The list with its filters: the earliest due date last, as in GitLab."""
    query = with_paths().where(condition)
    if options.iids:
        query = query.where(milestones.c.iid.in_(options.iids))
    if options.state is not None:
        query = query.where(milestones.c.state == options.state)
    if options.title is not None:
        query = query.where(milestones.c.title == options.title)
    if options.search:
        query = query.where(or_(*(contains(c, options.search) for c in (milestones.c.title, milestones.c.description))))
    if options.updated_after is not None:
        query = query.where(milestones.c.updated_at >= options.updated_after)
    if options.updated_before is not None:
        query = query.where(milestones.c.updated_at <= through(options.updated_before))
    return query.order_by(milestones.c.due_date.is_(None), milestones.c.due_date.desc(), milestones.c.id.desc())


def ids_with_title(title: str | BindParameter[str]) -> Select[Any]:
    """Ids of milestones by exact title."""
    return select(milestones.c.id).where(milestones.c.title == title)


def upcoming_ids() -> Select[Any]:
    """Ids of open milestones that begin after the parameter `today`."""
    return select(milestones.c.id).where(milestones.c.state == "active", milestones.c.start_date > bindparam("today"))


def running_ids() -> Select[Any]:
    """Ids of open milestones that are under way on the day of the parameter `today`."""
    return select(milestones.c.id).where(
        milestones.c.state == "active",
        or_(milestones.c.start_date.is_(None), milestones.c.start_date <= bindparam("today")),
        or_(milestones.c.due_date.is_(None), milestones.c.due_date >= bindparam("today")),
        or_(milestones.c.start_date.is_not(None), milestones.c.due_date.is_not(None)),
    )


def find_one(conn: Connection, condition: ColumnElement[bool], milestone_id: int) -> MilestoneWithPaths | None:
    """A milestone by its global id, or None."""
    return conn.execute(with_paths().where(condition, milestones.c.id == milestone_id)).one_or_none()
