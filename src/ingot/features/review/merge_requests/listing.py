"""The three lists: one base set each, the same filters."""

from typing import Any, NamedTuple

from sqlalchemy import BindParameter, CompoundSelect, Connection, Select, bindparam, select

from ingot.access.kinds import actor_values, kind_of
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.review.merge_requests import filters, orders, search
from ingot.features.review.merge_requests.extensions import ListContext, by_registered
from ingot.features.review.merge_requests.filters import REQUESTS
from ingot.features.review.merge_requests.params import GlobalFilters, GroupFilters, ListFilters
from ingot.features.review.merge_requests.policy import readable_merge_requests
from ingot.features.review.merge_requests.queries import with_project
from ingot.features.review.merge_requests.tables import merge_request_reviewers, merge_requests
from ingot.kit.actor import Actor
from ingot.kit.statements import Shapes


class Listed(NamedTuple):
    """The rows of a list, and the same rows in a form that is cheaper to count, if there is one."""

    rows: Select[Any]
    counted: Select[Any] | CompoundSelect[Any] | None
    values: dict[str, object] = {}


# Options with few values: statements of lists with only these are cached.
_CACHE_KEY = ("state", "scope", "order_by", "sort", "wip")
_PLAIN = frozenset(_CACHE_KEY) | {"page", "per_page", "view", "with_labels_details", "with_merge_status_recheck"}
_shapes: Shapes[Listed] = Shapes()


def everywhere(conn: Connection, actor: Actor, options: GlobalFilters, *, approved_flag: bool, paid: bool) -> Listed:
    """All requests that the actor may read."""
    query = with_project().where(readable_merge_requests(actor))
    return _filtered(conn, query, actor, options, approved_flag=approved_flag, paid=paid)


def in_project(
    conn: Connection, project: ProjectRow, actor: Actor, options: ListFilters, *, approved_flag: bool, paid: bool
) -> Listed:
    """Requests into one project; the guard has checked that the actor may read them."""

    def build(project_id: int | BindParameter[int], actor: Actor) -> Listed:
        query = with_project().where(merge_requests.c.project_id == project_id)
        return _filtered(conn, query, actor, options, approved_flag=approved_flag, paid=paid, project_id=project_id)

    if not options.sent <= _PLAIN:
        return build(project.id, actor)
    kind = kind_of(actor)
    key = (kind, paid, approved_flag, *(getattr(options, name) for name in _CACHE_KEY))
    result = _shapes.get(key, lambda: build(bindparam("in_project"), kind.anybody()))
    return result._replace(values={"in_project": project.id, **actor_values(actor)})


def in_group(
    conn: Connection, group: NamespaceRow, actor: Actor, options: GroupFilters, *, approved_flag: bool, paid: bool
) -> Listed:
    """Requests into projects of a group and its subgroups."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group.id)
    query = with_project().where(projects.c.namespace_id.in_(below), readable_merge_requests(actor))
    if options.non_archived:
        query = query.where(~projects.c.archived)
    return _filtered(conn, query, actor, options, approved_flag=approved_flag, paid=paid)


def _filtered(
    conn: Connection,
    base: Select[Any],
    actor: Actor,
    options: ListFilters,
    *,
    approved_flag: bool,
    paid: bool,
    project_id: int | BindParameter[int] | None = None,
) -> Listed:
    in_state = REQUESTS.by_state(base, options.state)
    result = REQUESTS.by_scope(in_state, actor.user_id, options.scope, merge_request_reviewers)
    result = filters.by_places(result, options)
    result = filters.by_people(result, options, paid=paid)
    if options.milestone is not None and options.milestone != "":
        result = result.where(REQUESTS.in_milestone(options.milestone))
    result = REQUESTS.by_reaction(result, actor.user_id, options.my_reaction_emoji)
    result = REQUESTS.by_times(result, options)
    result = filters.negated(conn, result, actor.user_id, options.not_)
    result = by_registered(result, ListContext(conn, options, paid, approved_flag))
    if (
        options.search
        and (matching := search.condition(conn, options.search, options.in_, options.order_by)) is not None
    ):
        result = result.where(matching)
    is_whole = result is in_state  # every filter returns its input when it has nothing to do
    whole_id = project_id if is_whole and isinstance(project_id, int) else None  # cached statements have no labels
    result, counted = REQUESTS.by_labels(conn, result, options.labels, whole_id, options.state)
    return Listed(orders.ordered(result, options.order_by, options.sort), counted)
