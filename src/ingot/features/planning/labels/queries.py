"""Finding labels: those of a project with the groups above it, those of a group."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, or_, select

from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import namespace_ancestors
from ingot.access.visibility import visible_groups_above, visible_groups_below, visible_projects_below
from ingot.features.planning.labels.params import ListGroupLabels
from ingot.features.planning.labels.rows import LabelRow
from ingot.features.planning.labels.tables import labels
from ingot.kit.actor import Actor
from ingot.kit.ids import parse_id
from ingot.kit.letter_case import contains


def _groups_above(namespace_id: int) -> Any:
    return select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == namespace_id)


def usable_in_project(project: ProjectRow, *, ancestors: bool = True) -> ColumnElement[bool]:
    """Condition on `labels`: the project's own, and those of all groups above it."""
    own = labels.c.project_id == project.id
    return or_(own, labels.c.group_id.in_(_groups_above(project.namespace_id))) if ancestors else own


def in_project(project: ProjectRow, *, ancestors: bool, search: str | None) -> Select[Any]:
    """Labels that can be used in a project, by name."""
    query = select(labels).where(usable_in_project(project, ancestors=ancestors))
    return _by_search(query, search).order_by(labels.c.name, labels.c.id)


def in_group(actor: Actor, group: NamespaceRow, options: ListGroupLabels) -> Select[Any]:
    """Labels of a group, optionally of those above and below and of the projects below that the actor may see."""
    conditions: list[Any] = [labels.c.group_id == group.id]
    if options.include_ancestor_groups:
        conditions.append(labels.c.group_id.in_(visible_groups_above(actor, group.id)))
    if options.include_descendant_groups:
        conditions.append(labels.c.group_id.in_(visible_groups_below(actor, group.id)))
    if not options.only_group_labels:
        conditions.append(labels.c.project_id.in_(visible_projects_below(actor, group.id)))
    return _by_search(select(labels).where(or_(*conditions)), options.search).order_by(labels.c.name, labels.c.id)


def _by_search(query: Select[Any], search: str | None) -> Select[Any]:
    if not search:
        return query
    return query.where(or_(*(contains(column, search) for column in (labels.c.name, labels.c.description))))


def find_in(conn: Connection, condition: ColumnElement[bool], name_or_id: str) -> LabelRow | None:
    """A label by id or exact name; a project's own wins over a group's of the same name."""
    query = select(labels).where(condition).order_by(labels.c.project_id.is_(None), labels.c.id).limit(1)
    if (label_id := parse_id(name_or_id)) is not None:
        row = conn.execute(query.where(labels.c.id == label_id)).one_or_none()
        if row is not None:
            return row
    return conn.execute(query.where(labels.c.name == name_or_id)).one_or_none()
