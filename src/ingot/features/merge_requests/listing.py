"""The three lists: one base set each, the same filters."""

from typing import Any

from sqlalchemy import Connection, Select, select

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.merge_requests import approval_filters, filters, orders, search
from ingot.features.merge_requests.approved_filter import approved_condition
from ingot.features.merge_requests.filters import REQUESTS
from ingot.features.merge_requests.policy import readable_merge_requests
from ingot.features.merge_requests.queries import with_project
from ingot.features.merge_requests.tables import merge_request_reviewers, merge_requests
from ingot.kit.actor import Actor


def everywhere(conn: Connection, actor: Actor, wish: Any, *, approved_flag: bool, paid: bool) -> Select[Any]:
    """All requests that the actor may read."""
    found = with_project().where(readable_merge_requests(actor))
    return _filtered(conn, found, actor, wish, approved_flag=approved_flag, paid=paid)


def in_project(
    conn: Connection, project: Any, actor: Actor, wish: Any, *, approved_flag: bool, paid: bool
) -> Select[Any]:
    """Requests into one project; the guard has checked that the actor may read them."""
    found = with_project().where(merge_requests.c.project_id == project.id)
    return _filtered(conn, found, actor, wish, approved_flag=approved_flag, paid=paid)


def in_group(conn: Connection, group: Any, actor: Actor, wish: Any, *, approved_flag: bool, paid: bool) -> Select[Any]:
    """Requests into projects of a group and its subgroups."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group.id)
    found = with_project().where(projects.c.namespace_id.in_(below), readable_merge_requests(actor))
    if wish.non_archived:
        found = found.where(~projects.c.archived)
    return _filtered(conn, found, actor, wish, approved_flag=approved_flag, paid=paid)


def _filtered(
    conn: Connection, found: Select[Any], actor: Actor, wish: Any, *, approved_flag: bool, paid: bool
) -> Select[Any]:
    found = REQUESTS.by_scope(found, actor.user_id, wish.scope, merge_request_reviewers)
    found = REQUESTS.by_state(found, wish.state)
    found = filters.by_places(found, wish)
    found = filters.by_people(found, wish, paid=paid)
    found = REQUESTS.by_labels(conn, found, wish.labels)
    if wish.milestone is not None and wish.milestone != "":
        found = found.where(REQUESTS.in_milestone(wish.milestone))
    found = REQUESTS.by_reaction(found, actor.user_id, wish.my_reaction_emoji)
    found = REQUESTS.by_times(found, wish)
    found = filters.by_deployment(found, wish)
    found = filters.negated(found, actor.user_id, wish.not_)
    if paid:
        found = approval_filters.by_approvals(found, wish)
    if approved_flag and wish.approved is not None:
        found = found.where(approved_condition(conn, wish.approved == "yes"))
    if wish.search and (matching := search.condition(conn, wish.search, wish.in_, wish.order_by)) is not None:
        found = found.where(matching)
    return orders.ordered(found, wish.order_by, wish.sort)
