"""The three lists: one base set each, the same filters. Statements are built once for each form of the options."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, func, select

from ingot.access.call import Call
from ingot.access.kinds import ActorKind, actor_values, kind_of
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.planning.issuable_lists import (
    COMMON_WORDS,
    CONVERSIONS,
    IGNORED,
    LabelForm,
    WordsForm,
    check_assignees,
    form_of_words,
    terms_of,
)
from ingot.features.planning.issues import filters, orders
from ingot.features.planning.issues.filters import ISSUES
from ingot.features.planning.issues.params import Filters, ListFilters
from ingot.features.planning.issues.policy import readable_issues
from ingot.features.planning.issues.queries import with_project
from ingot.features.planning.issues.tables import issues
from ingot.kit.actor import Actor
from ingot.kit.clock import today
from ingot.kit.list_forms import FormKey, form_of, options_of
from ingot.kit.params import Sentinel
from ingot.kit.statements import Shapes


class Listed(NamedTuple):
    """The rows of a list, or their numbers by state, and the parameters of the statement."""

    rows: Select[Any]
    values: dict[str, object]


# What a list starts from, for an actor and the options of the list.
Base = Callable[..., Select[Any]]


class _Key(NamedTuple):
    """What a statement depends on."""

    base: Base
    kind: ActorKind
    options: FormKey
    labels: LabelForm | Sentinel | None
    other_labels: LabelForm | None
    words: WordsForm


_shapes: Shapes[Select[Any]] = Shapes()


def everywhere(call: Call[Filters]) -> Listed:
    """All issues that the caller may read."""
    return _listed(call, _everywhere)


def in_project(call: Call[Filters]) -> Listed:
    """Issues of one project."""
    return _listed(call, _in_project, call.project.id)


def in_group(call: Call[Filters]) -> Listed:
    """Issues of the projects of a group and its subgroups."""
    return _listed(call, _in_group, call.group.id)


def _everywhere(actor: Actor, options: Filters) -> Select[Any]:
    return _without_archived(with_project().where(readable_issues(actor)), options)


def _in_project(actor: Actor, _options: Filters) -> Select[Any]:
    return with_project().where(issues.c.project_id == bindparam("place_id"), readable_issues(actor))


def _in_group(actor: Actor, options: Filters) -> Select[Any]:
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == bindparam("place_id"))
    query = with_project().where(projects.c.namespace_id.in_(below), readable_issues(actor))
    return _without_archived(query, options)


def _without_archived(query: Select[Any], options: Filters) -> Select[Any]:
    return query.where(~projects.c.archived) if getattr(options, "non_archived", True) else query


def _listed(call: Call[Filters], base: Base, place_id: int = 0) -> Listed:
    options = call.params
    check_assignees(options, paid=call.services.settings.has_tier("premium"))
    form = form_of(options, CONVERSIONS, IGNORED)
    others = options.not_.labels if options.not_ is not None else None
    labels = ISSUES.labelled.choose(call.conn, options.labels, others)
    words, searched = form_of_words(terms_of(options.search or ""))
    key = _Key(base, kind_of(call.actor), form.key, labels.form, labels.others, words)
    is_common = form.key.is_common and len(words) <= COMMON_WORDS
    rows = _shapes.get(key, lambda: _build(key)) if is_common else _build(key)
    due = filters.due_values(options.due_date, today())
    # Who asks and where come last: nothing that was sent can stand in for them.
    values = {**form.values, **labels.values, **searched, **due, "place_id": place_id, **actor_values(call.actor)}
    return Listed(rows, values)


def _build(key: _Key) -> Select[Any]:
    actor, options = key.kind.anybody(), options_of(key.options)
    query = ISSUES.by_scope(key.base(actor, options), actor.user_id, options.scope)
    query = ISSUES.by_state(query, options.state if isinstance(options, ListFilters) else None)
    query = filters.by_marks(query, options)
    query = ISSUES.by_people(query, options)
    milestone = filters.milestone_of(options)
    if milestone:
        query = query.where(ISSUES.in_milestone(milestone))
    query = ISSUES.by_reaction(query, actor.user_id, options.my_reaction_emoji)
    query = ISSUES.by_times(query, options)
    query = filters.by_due(query, options.due_date)
    query = filters.by_search(query, key.words, options.in_)
    query = filters.negated(query, actor.user_id, options.not_, key.other_labels)
    query, _ = ISSUES.by_labels(query, key.labels)
    if isinstance(options, ListFilters):
        return orders.ordered(query, options.order_by, options.sort)
    return _numbers(query)


def _numbers(query: Select[Any]) -> Select[Any]:
    """How many are in each state, for the statistics."""
    ids = query.with_only_columns(issues.c.id, maintain_column_froms=True)
    return select(func.count(), issues.c.state).where(issues.c.id.in_(ids)).group_by(issues.c.state)
