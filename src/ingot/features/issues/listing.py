"""The three lists: one base set each, the same filters."""

from typing import Any

from sqlalchemy import Select, select

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.issues import filters, orders
from ingot.features.issues.policy import readable_issues
from ingot.features.issues.queries import with_project
from ingot.features.issues.tables import issues
from ingot.kit.actor import Actor


def everywhere(actor: Actor, wish: Any) -> Select[Any]:
    """All issues that the actor may read."""
    found = with_project().where(readable_issues(actor))
    if getattr(wish, "non_archived", True):
        found = found.where(~projects.c.archived)
    return filtered(found, actor, wish)


def in_project(project: Any, actor: Actor, wish: Any) -> Select[Any]:
    """Issues of one project."""
    return filtered(with_project().where(issues.c.project_id == project.id, readable_issues(actor)), actor, wish)


def in_group(group: Any, actor: Actor, wish: Any) -> Select[Any]:
    """Issues of the projects of a group and its subgroups."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group.id)
    found = with_project().where(projects.c.namespace_id.in_(below), readable_issues(actor))
    if getattr(wish, "non_archived", True):
        found = found.where(~projects.c.archived)
    return filtered(found, actor, wish)


def filtered(found: Select[Any], actor: Actor, wish: Any) -> Select[Any]:
    """All filters; statistics have neither state nor order."""
    found = filters.by_scope(found, actor.user_id, wish.scope)
    found = filters.by_state(found, getattr(wish, "state", None))
    found = filters.by_marks(found, wish)
    found = filters.by_people(found, wish)
    found = filters.by_labels(found, wish.labels)
    milestone = filters.milestone_condition(wish.milestone, wish.milestone_id)
    if milestone is not None:
        found = found.where(milestone)
    found = filters.by_reaction(found, actor.user_id, wish.my_reaction_emoji)
    found = filters.by_times(found, wish)
    found = filters.by_due(found, wish.due_date)
    found = filters.by_search(found, wish.search, wish.in_)
    found = filters.negated(found, actor.user_id, wish.not_)
    order_by = getattr(wish, "order_by", None)
    return found if order_by is None else orders.ordered(found, order_by, wish.sort)
