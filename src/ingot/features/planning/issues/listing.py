"""The three lists: one base set each, the same filters."""

from typing import Any

from sqlalchemy import Select, select

from ingot.access.call import Call
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.planning.issues import filters, orders
from ingot.features.planning.issues.filters import ISSUES
from ingot.features.planning.issues.params import Filters, ListFilters
from ingot.features.planning.issues.policy import readable_issues
from ingot.features.planning.issues.queries import with_project
from ingot.features.planning.issues.tables import issues


def everywhere(call: Call[Filters]) -> Select[Any]:
    """All issues that the caller may read."""
    query = with_project().where(readable_issues(call.actor))
    if getattr(call.params, "non_archived", True):
        query = query.where(~projects.c.archived)
    return _filtered(call, query)


def in_project(call: Call[Filters]) -> Select[Any]:
    """Issues of one project."""
    return _filtered(call, with_project().where(issues.c.project_id == call.project.id, readable_issues(call.actor)))


def in_group(call: Call[Filters]) -> Select[Any]:
    """Issues of the projects of a group and its subgroups."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == call.group.id)
    query = with_project().where(projects.c.namespace_id.in_(below), readable_issues(call.actor))
    if getattr(call.params, "non_archived", True):
        query = query.where(~projects.c.archived)
    return _filtered(call, query)


def _filtered(call: Call[Filters], query: Select[Any]) -> Select[Any]:
    """All filters; statistics have neither state nor order."""
    options, user_id = call.params, call.actor.user_id
    query = ISSUES.by_scope(query, user_id, options.scope)
    query = ISSUES.by_state(query, options.state if isinstance(options, ListFilters) else None)
    query = filters.by_marks(query, options)
    query = ISSUES.by_people(query, options, paid=call.services.settings.has_tier("premium"))
    milestone = filters.milestone_of(options)
    if milestone is not None and milestone != "":
        query = query.where(ISSUES.in_milestone(milestone))
    query = ISSUES.by_reaction(query, user_id, options.my_reaction_emoji)
    query = ISSUES.by_times(query, options)
    query = filters.by_due(query, options.due_date)
    query = filters.by_search(query, options.search, options.in_)
    query = filters.negated(call.conn, query, user_id, options.not_)
    query, _ = ISSUES.by_labels(call.conn, query, options.labels)
    return orders.ordered(query, options.order_by, options.sort) if isinstance(options, ListFilters) else query
