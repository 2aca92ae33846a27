"""The three lists: one base set each, the same filters."""

from typing import Any

from sqlalchemy import Select, select

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.planning.issues import filters, orders
from ingot.features.planning.issues.filters import ISSUES
from ingot.features.planning.issues.policy import readable_issues
from ingot.features.planning.issues.queries import with_project
from ingot.features.planning.issues.tables import issues
from ingot.kit.call import Call


def everywhere(call: Call) -> Select[Any]:
    """All issues that the caller may read."""
    found = with_project().where(readable_issues(call.actor))
    if getattr(call.params, "non_archived", True):
        found = found.where(~projects.c.archived)
    return _filtered(call, found)


def in_project(call: Call) -> Select[Any]:
    """Issues of one project."""
    return _filtered(call, with_project().where(issues.c.project_id == call.project.id, readable_issues(call.actor)))


def in_group(call: Call) -> Select[Any]:
    """Issues of the projects of a group and its subgroups."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == call.group.id)
    found = with_project().where(projects.c.namespace_id.in_(below), readable_issues(call.actor))
    if getattr(call.params, "non_archived", True):
        found = found.where(~projects.c.archived)
    return _filtered(call, found)


def _filtered(call: Call, found: Select[Any]) -> Select[Any]:
    """All filters; statistics have neither state nor order."""
    wish, user_id = call.params, call.actor.user_id
    found = ISSUES.by_scope(found, user_id, wish.scope)
    found = ISSUES.by_state(found, getattr(wish, "state", None))
    found = filters.by_marks(found, wish)
    found = ISSUES.by_people(found, wish, paid=call.services.settings.has_tier("premium"))
    milestone = filters.milestone_of(wish)
    if milestone is not None and milestone != "":
        found = found.where(ISSUES.in_milestone(milestone))
    found = ISSUES.by_reaction(found, user_id, wish.my_reaction_emoji)
    found = ISSUES.by_times(found, wish)
    found = filters.by_due(found, wish.due_date)
    found = filters.by_search(found, wish.search, wish.in_)
    found = filters.negated(call.conn, found, user_id, wish.not_)
    found, _ = ISSUES.by_labels(call.conn, found, wish.labels)
    order_by = getattr(wish, "order_by", None)
    return found if order_by is None else orders.ordered(found, order_by, wish.sort)
