"""Lists of projects: a base set, the filters, the order. Statements are built once for each form of the options."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, CompoundSelect, Select, String, and_, bindparam, literal, select, union_all

from ingot.access.call import Call
from ingot.access.kinds import ActorKind, actor_values, kind_of
from ingot.access.tables import project_authorizations, projects
from ingot.features.people.custom_attributes import has_attributes, project_custom_attributes
from ingot.features.spaces.projects.params.listing import SIZE_ORDERS, ListProjects
from ingot.features.spaces.projects.queries import filters, search
from ingot.features.spaces.projects.queries.search import SearchForm
from ingot.features.spaces.projects.queries.similarity import score
from ingot.features.spaces.projects.tables import project_statistics
from ingot.kit.actor import Actor
from ingot.kit.clock import through, today
from ingot.kit.list_forms import Convert, FormKey, form_of, options_of
from ingot.kit.pagination import Keyset
from ingot.kit.statements import Shapes

COLUMNS = {
    "name": projects.c.name_lower,
    "path": projects.c.path_lower,
    "updated_at": projects.c.updated_at,
    "last_activity_at": projects.c.last_activity_at,
    "star_count": projects.c.star_count,
}
# How the filters take what callers send.
CONVERSIONS: Mapping[str, Convert] = {
    "last_activity_before": through,
    "updated_before": through,
    "topic": lambda names: list(dict.fromkeys(names)),
    "with_programming_language": str.lower,
}
IGNORED = frozenset({
    "page", "per_page", "pagination", "simple", "statistics", "with_custom_attributes", "search", "custom_attributes",
    "user_id",
})  # fmt: skip


class Base(NamedTuple):
    """The set that a list starts from where the endpoint has one of its own, with the values of its parameters.

    Its condition depends on the kind of actor and the form of the options alone; `today` is a parameter too.
    """

    condition: Callable[[Actor, Any], ColumnElement[bool]]
    values: Mapping[str, object] = {}


class Listed(NamedTuple):
    """The rows of a list, and where that is cheaper another statement to count them by."""

    rows: Select[Any]
    counted: CompoundSelect[Any] | None
    values: dict[str, Any] = {}


class _Key(NamedTuple):
    """What a statement depends on."""

    base: Callable[[Actor, Any], ColumnElement[bool]] | None
    kind: ActorKind
    options: FormKey
    search: SearchForm | None
    is_licensed: bool


_shapes: Shapes[Listed] = Shapes()


def listing(call: Call[ListProjects], base: Base | None = None) -> Listed:
    """The projects that the caller asked for. The caller is the parameter `actor_id`."""
    actor, options = call.actor, call.params
    form = form_of(options, CONVERSIONS, IGNORED)
    found = search.find(call.conn, options.search, in_namespaces=bool(options.search_namespaces))
    key = _Key(
        None if base is None else base.condition,
        kind_of(actor),
        form.key,
        None if found is None else found.form,
        call.services.settings.has_tier("premium"),
    )
    values = {**form.values}
    if found is not None:
        values |= {**found.values, "similar_to": options.search}
    # Who asks and where come last: nothing that was sent can stand in for them.
    values |= {"today": today(), **({} if base is None else base.values), **actor_values(actor)}
    if options.custom_attributes and actor.is_admin:
        # Names and values come in any number, and only administrators ask for them.
        result = _build(key, options.custom_attributes)
    elif form.key.is_common and (found is None or found.form.is_common):
        result = _shapes.get(key, lambda: _build(key))
    else:
        result = _build(key)
    return result._replace(values=values)


def _build(key: _Key, attributes: Mapping[str, object] | None = None) -> Listed:
    actor, options = key.kind.anybody(), options_of(key.options)
    conditions = [
        *filters.alive(actor, options),
        *filters.plain(options),
        *filters.moments(options),
        *filters.personal(actor, options),
        *filters.related(options),
        *(filters.licensed(options) if key.is_licensed else []),
        *filters.administrative(actor, options),
    ]
    if attributes:
        conditions.append(has_attributes(project_custom_attributes, projects.c.id, attributes))
    if key.search is not None:
        conditions.append(search.condition(key.search))
    if _by_similarity(key, options):
        conditions += [filters.belongs(actor)] if key.base is None else []
    start = filters.base_set(actor, options) if key.base is None else key.base(actor, options)
    rights = project_authorizations
    statement = select(*projects.c, rights.c.access_level.label("actor_level")).join_from(
        projects,
        rights,
        and_(rights.c.project_id == projects.c.id, rights.c.user_id == bindparam("actor_id")),
        isouter=True,
    )
    counted = None
    if key.base is None and filters.is_everything_visible(actor, options):
        # Public projects first: a large count is reached before rights are checked.
        counted = union_all(*(select(literal(1)).where(part, *conditions) for part in filters.visible_parts(actor)))
    return Listed(_ordered(key, options, statement.where(start, *conditions)), counted)


def _by_similarity(key: _Key, options: ListProjects) -> bool:
    """Whether the caller may order by similarity and asks for it."""
    return options.order_by == "similarity" and key.search is not None and not key.kind.is_anonymous


def _ordered(key: _Key, options: ListProjects, statement: Select[Any]) -> Select[Any]:
    """The requested order; by creation if the caller may not use it. Similarity without a search orders by name."""
    if _by_similarity(key, options):
        # spec: similarity - best first, whatever `sort` says
        return statement.order_by(score(bindparam("similar_to", type_=String)).desc(), projects.c.id.desc())
    if options.order_by == "similarity" and key.search is None:
        return statement.order_by(COLUMNS["name"], projects.c.id)
    order: Any = None
    if options.order_by in SIZE_ORDERS and key.kind.is_admin:
        statement = statement.join(project_statistics, project_statistics.c.project_id == projects.c.id)
        order = project_statistics.c[options.order_by]
    else:
        order = COLUMNS.get(options.order_by)
    columns = [projects.c.id] if order is None else [order, projects.c.id]
    is_descending = options.sort == "desc"
    return statement.order_by(*(column.desc() if is_descending else column.asc() for column in columns))


def keyset_of(call: Call[ListProjects]) -> Keyset:
    """Continuing by id; other orders have no keyset form."""
    options = call.params
    return Keyset(projects.c.id, descending=options.sort == "desc", by_cursor=False, available=options.order_by == "id")
