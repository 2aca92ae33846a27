"""The three lists: one base set each, the same filters."""

from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Select, bindparam, select

from ingot.access.call import Call
from ingot.access.kinds import actor_values, kind_of
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.planning.issues import filters, orders
from ingot.features.planning.issues.filters import ISSUES
from ingot.features.planning.issues.params import Filters, ListFilters
from ingot.features.planning.issues.policy import readable_issues
from ingot.features.planning.issues.queries import with_project
from ingot.features.planning.issues.tables import issues
from ingot.kit.actor import Actor
from ingot.kit.statements import Shapes


class Listed(NamedTuple):
    """The rows of a list, and the parameters of the statement."""

    rows: Select[Any]
    values: dict[str, object]


# Options with few values: statements of lists with only these are cached.
_CACHE_KEY = ("state", "scope", "order_by", "sort", "confidential", "issue_type")
_PLAIN = frozenset(_CACHE_KEY) | {"page", "per_page", "with_labels_details"}
_shapes: Shapes[Select[Any]] = Shapes()


def everywhere(call: Call[Filters]) -> Select[Any]:
    """All issues that the caller may read."""
    query = with_project().where(readable_issues(call.actor))
    if getattr(call.params, "non_archived", True):
        query = query.where(~projects.c.archived)
    return _filtered(call, query, call.actor)


def in_project(call: Call[Filters]) -> Select[Any]:
    """Issues of one project."""
    return _in_project(call, call.project.id, call.actor)


def page_in_project(call: Call[ListFilters]) -> Listed:
    """The same, built once for all projects and callers of a kind where the options allow it."""
    actor, options = call.actor, call.params
    if not options.sent <= _PLAIN:
        return Listed(in_project(call), {})
    kind = kind_of(actor)
    key = (kind, *(getattr(options, name) for name in _CACHE_KEY))
    rows = _shapes.get(key, lambda: _in_project(call, bindparam("in_project"), kind.anybody()))
    return Listed(rows, {"in_project": call.project.id, **actor_values(actor)})


def _in_project(call: Call[Filters], project_id: int | BindParameter[int], actor: Actor) -> Select[Any]:
    return _filtered(call, with_project().where(issues.c.project_id == project_id, readable_issues(actor)), actor)


def in_group(call: Call[Filters]) -> Select[Any]:
    """Issues of the projects of a group and its subgroups."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == call.group.id)
    query = with_project().where(projects.c.namespace_id.in_(below), readable_issues(call.actor))
    if getattr(call.params, "non_archived", True):
        query = query.where(~projects.c.archived)
    return _filtered(call, query, call.actor)


def _filtered(call: Call[Filters], query: Select[Any], actor: Actor) -> Select[Any]:
    """All filters; statistics have neither state nor order."""
    options, user_id = call.params, actor.user_id
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
