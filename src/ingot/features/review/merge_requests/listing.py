"""The three lists: one base set each, the same filters. Statements are built once for each form of the options."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import CompoundSelect, Connection, Select, bindparam, select

from ingot.access.kinds import ActorKind, actor_values, kind_of
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.planning.issuable_lists import LabelForm, check_assignees
from ingot.features.review.merge_requests import filters, orders, search
from ingot.features.review.merge_requests.extensions import ListContext, by_registered, registered_conversions
from ingot.features.review.merge_requests.filters import REQUEST_CONVERSIONS, REQUEST_IGNORED, REQUESTS
from ingot.features.review.merge_requests.params import GlobalFilters, GroupFilters, ListFilters
from ingot.features.review.merge_requests.policy import readable_merge_requests
from ingot.features.review.merge_requests.queries import with_project
from ingot.features.review.merge_requests.search import SearchForm
from ingot.features.review.merge_requests.tables import merge_request_reviewers, merge_requests
from ingot.kit.actor import Actor
from ingot.kit.clock import today
from ingot.kit.list_forms import FormKey, form_of, options_of
from ingot.kit.params import Sentinel
from ingot.kit.statements import Shapes


class Listed(NamedTuple):
    """The rows of a list, and the same rows in a form that is cheaper to count, if there is one."""

    rows: Select[Any]
    counted: Select[Any] | CompoundSelect[Any] | None
    values: dict[str, Any] = {}


class Switches(NamedTuple):
    """What the instance allows."""

    approved_flag: bool
    paid: bool


# What a list starts from, for an actor and the options of the list.
Base = Callable[..., Select[Any]]


class _Key(NamedTuple):
    """What a statement depends on."""

    base: Base
    kind: ActorKind
    switches: Switches
    options: FormKey
    labels: LabelForm | Sentinel | None
    other_labels: LabelForm | None
    search: SearchForm | None


_shapes: Shapes[Listed] = Shapes()


def everywhere(conn: Connection, actor: Actor, options: GlobalFilters, switches: Switches) -> Listed:
    """All requests that the actor may read."""
    return _listed(conn, actor, options, switches, _everywhere)


def in_project(conn: Connection, project: ProjectRow, actor: Actor, options: ListFilters, switches: Switches) -> Listed:
    """Requests into one project; the guard has checked that the actor may read them."""
    return _listed(conn, actor, options, switches, _in_project, project.id)


def in_group(conn: Connection, group: NamespaceRow, actor: Actor, options: GroupFilters, switches: Switches) -> Listed:
    """Requests into projects of a group and its subgroups."""
    return _listed(conn, actor, options, switches, _in_group, group.id)


def _everywhere(actor: Actor, _options: ListFilters) -> Select[Any]:
    return with_project().where(readable_merge_requests(actor))


def _in_project(_actor: Actor, _options: ListFilters) -> Select[Any]:
    return with_project().where(merge_requests.c.project_id == bindparam("place_id"))


def _in_group(actor: Actor, options: GroupFilters) -> Select[Any]:
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == bindparam("place_id"))
    query = with_project().where(projects.c.namespace_id.in_(below), readable_merge_requests(actor))
    return query.where(~projects.c.archived) if options.non_archived else query


def _listed(
    conn: Connection, actor: Actor, options: ListFilters, switches: Switches, base: Base, place_id: int = 0
) -> Listed:
    check_assignees(options, paid=switches.paid)
    convert = {**REQUEST_CONVERSIONS, **registered_conversions(paid=switches.paid)}
    form = form_of(options, convert, REQUEST_IGNORED)
    others = options.not_.labels if options.not_ is not None else None
    labels = REQUESTS.labelled.choose(conn, options.labels, others, place_id if base is _in_project else None)
    found = search.find(conn, options.search, options.order_by)
    kind = kind_of(actor)
    key = _Key(base, kind, switches, form.key, labels.form, labels.others, found and found.form)
    # Whether a request is approved depends on settings of the instance, which are part of the condition.
    is_common = form.key.is_common and not (switches.approved_flag and options.approved)
    if is_common and (found is None or found.form.is_common):
        result = _shapes.get(key, lambda: _build(conn, key))
    else:
        result = _build(conn, key)
    values = {**form.values, **labels.values, **({} if found is None else found.values)}
    # Who asks and where come last: nothing that was sent can stand in for them.
    return result._replace(values={**values, "today": today(), "place_id": place_id, **actor_values(actor)})


def _build(conn: Connection, key: _Key) -> Listed:
    actor, options = key.kind.anybody(), options_of(key.options)
    in_state = REQUESTS.by_state(key.base(actor, options), options.state)
    result = REQUESTS.by_scope(in_state, actor.user_id, options.scope, merge_request_reviewers)
    result = filters.by_places(result, options)
    result = filters.by_people(result, options)
    if options.milestone:
        result = result.where(REQUESTS.in_milestone(options.milestone))
    result = REQUESTS.by_reaction(result, actor.user_id, options.my_reaction_emoji)
    result = REQUESTS.by_times(result, options)
    result = filters.negated(result, actor.user_id, options.not_, key.other_labels)
    result = by_registered(result, ListContext(conn, options, key.switches.paid, key.switches.approved_flag))
    if key.search is not None:
        result = result.where(search.condition(key.search, options.in_))
    # Every filter returns its input when it has nothing to do.
    is_whole = result is in_state and key.base is _in_project
    result, counted = REQUESTS.by_labels(result, key.labels, is_whole=is_whole, state=options.state)
    return Listed(orders.ordered(result, options.order_by, options.sort), counted)
