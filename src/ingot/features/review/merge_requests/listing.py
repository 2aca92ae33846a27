"""The three lists: one base set each, the same filters."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, select

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.review.merge_requests import filters, orders, search
from ingot.features.review.merge_requests.extensions import ListContext, by_registered
from ingot.features.review.merge_requests.filters import REQUESTS
from ingot.features.review.merge_requests.policy import readable_merge_requests
from ingot.features.review.merge_requests.queries import with_project
from ingot.features.review.merge_requests.tables import merge_request_reviewers, merge_requests
from ingot.kit.actor import Actor


class Listed(NamedTuple):
    """The rows of a list, and the same rows in a form that is cheaper to count, if there is one."""

    rows: Select[Any]
    counted: Select[Any] | None


def everywhere(conn: Connection, actor: Actor, wish: Any, *, approved_flag: bool, paid: bool) -> Listed:
    """All requests that the actor may read."""
    found = with_project().where(readable_merge_requests(actor))
    return _filtered(conn, found, actor, wish, approved_flag=approved_flag, paid=paid)


def in_project(conn: Connection, project: Any, actor: Actor, wish: Any, *, approved_flag: bool, paid: bool) -> Listed:
    """Requests into one project; the guard has checked that the actor may read them."""
    found = with_project().where(merge_requests.c.project_id == project.id)
    return _filtered(conn, found, actor, wish, approved_flag=approved_flag, paid=paid, project_id=project.id)


def in_group(conn: Connection, group: Any, actor: Actor, wish: Any, *, approved_flag: bool, paid: bool) -> Listed:
    """Requests into projects of a group and its subgroups."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group.id)
    found = with_project().where(projects.c.namespace_id.in_(below), readable_merge_requests(actor))
    if wish.non_archived:
        found = found.where(~projects.c.archived)
    return _filtered(conn, found, actor, wish, approved_flag=approved_flag, paid=paid)


def _filtered(
    conn: Connection,
    base: Select[Any],
    actor: Actor,
    wish: Any,
    *,
    approved_flag: bool,
    paid: bool,
    project_id: int | None = None,
) -> Listed:
    found = REQUESTS.by_scope(base, actor.user_id, wish.scope, merge_request_reviewers)
    found = REQUESTS.by_state(found, wish.state)
    found = filters.by_places(found, wish)
    found = filters.by_people(found, wish, paid=paid)
    if wish.milestone is not None and wish.milestone != "":
        found = found.where(REQUESTS.in_milestone(wish.milestone))
    found = REQUESTS.by_reaction(found, actor.user_id, wish.my_reaction_emoji)
    found = REQUESTS.by_times(found, wish)
    found = filters.negated(conn, found, actor.user_id, wish.not_)
    found = by_registered(found, ListContext(conn, wish, paid, approved_flag))
    if wish.search and (matching := search.condition(conn, wish.search, wish.in_, wish.order_by)) is not None:
        found = found.where(matching)
    is_whole = found is base  # every filter returns its input when it has nothing to do
    found, counted = REQUESTS.by_labels(conn, found, wish.labels, project_id if is_whole else None)
    return Listed(orders.ordered(found, wish.order_by, wish.sort), counted)
