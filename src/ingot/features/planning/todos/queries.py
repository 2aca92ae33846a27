"""A user's to-do items, limited to targets that the user can read."""

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, or_, select

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.planning.issuables import IssuableKind, kinds
from ingot.features.planning.todos.params import ListTodos
from ingot.features.planning.todos.tables import todos
from ingot.kit.actor import Actor


def _readable(actor: Actor) -> ColumnElement[bool]:
    return or_(*(_readable_of_kind(kind, actor) for kind in kinds()))


def _readable_of_kind(kind: IssuableKind, actor: Actor) -> ColumnElement[bool]:
    readable = (
        select(kind.table.c.id)
        .join_from(kind.table, projects, projects.c.id == kind.table.c.project_id)
        .where(kind.table.c.id == todos.c.target_id, kind.readable(actor))
        .correlate(todos)
    )
    return and_(todos.c.target_type == kind.type, readable.exists())


def mine(actor: Actor) -> Select[Any]:
    """All of the actor's items."""
    return select(todos).where(todos.c.user_id == actor.id, _readable(actor))


def listed(actor: Actor, options: ListTodos) -> Select[Any]:
    """The list with its filters, newest first."""
    query = mine(actor).where(todos.c.state == (options.state or "pending"))
    if options.action is not None:
        query = query.where(todos.c.action == options.action)
    if options.author_id is not None:
        query = query.where(todos.c.author_id == options.author_id)
    if options.project_id is not None:
        query = query.where(todos.c.project_id == options.project_id)
    if options.group_id is not None:
        below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == options.group_id)
        query = query.where(todos.c.project_id.in_(select(projects.c.id).where(projects.c.namespace_id.in_(below))))
    if options.type is not None:
        query = query.where(todos.c.target_type == options.type)
    return query.order_by(todos.c.id.desc())
