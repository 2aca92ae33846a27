"""Lists of projects: a base set, the filters, the order."""

from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, Select, and_, bindparam, literal, select, union_all

from ingot.access.call import Call
from ingot.access.kinds import kind_of
from ingot.access.tables import project_authorizations, projects
from ingot.features.spaces.projects.params.listing import SIZE_ORDERS, ListProjects
from ingot.features.spaces.projects.queries import filters
from ingot.features.spaces.projects.queries.search import matching, terms_of
from ingot.features.spaces.projects.queries.similarity import score
from ingot.features.spaces.projects.tables import project_statistics
from ingot.kit.actor import Actor
from ingot.kit.pagination import Keyset
from ingot.kit.statements import Shapes

COLUMNS = {
    "name": projects.c.name_lower,
    "path": projects.c.path_lower,
    "updated_at": projects.c.updated_at,
    "last_activity_at": projects.c.last_activity_at,
    "star_count": projects.c.star_count,
}


Listing = tuple[Select[Any], CompoundSelect[Any] | None]
# Options with few values: statements of lists with only these are cached.
_CACHE_KEY = (
    "archived", "active", "visibility", "owned", "starred", "membership", "min_access_level", "with_issues_enabled",
    "with_merge_requests_enabled", "order_by", "sort",
)  # fmt: skip
_PLAIN = frozenset(_CACHE_KEY) | {"page", "per_page", "pagination", "simple", "statistics", "with_custom_attributes"}
_shapes: Shapes[Listing] = Shapes()


def listing(call: Call[ListProjects], base: ColumnElement[bool] | None = None) -> Listing:
    """The projects that the caller asked for, and where that is cheaper another statement to count them by.

    `base` is the set to start from where the endpoint has one of its own. The caller is the parameter `actor_id`.
    """
    options = call.params
    if base is not None or not options.sent <= _PLAIN:
        return _build(call, call.actor, base)
    kind = kind_of(call.actor)
    key = (kind, *(getattr(options, name) for name in _CACHE_KEY))
    return _shapes.get(key, lambda: _build(call, kind.anybody(), None))


def _build(call: Call[ListProjects], actor: Actor, base: ColumnElement[bool] | None) -> Listing:
    options = call.params
    conditions = [
        *filters.alive(actor, options),
        *filters.plain(options),
        *filters.moments(options),
        *filters.personal(actor, options),
        *filters.related(options),
        *filters.licensed(options, call.services.settings),
        *filters.administrative(actor, options),
    ]
    result = matching(call.conn, options.search, in_namespaces=bool(options.search_namespaces))
    if result is not None:
        conditions.append(result)
    if by_similarity(call):
        conditions += [filters.belongs(actor)] if base is None else []
    start = filters.base_set(actor, options) if base is None else base
    rights = project_authorizations
    statement = select(*projects.c, rights.c.access_level.label("actor_level")).join_from(
        projects,
        rights,
        and_(rights.c.project_id == projects.c.id, rights.c.user_id == bindparam("actor_id")),
        isouter=True,
    )
    counted = None
    if base is None and filters.is_everything_visible(actor, options):
        # Public projects first: a large count is reached before rights are checked.
        counted = union_all(*(select(literal(1)).where(part, *conditions) for part in filters.visible_parts(actor)))
    return ordered(call, statement.where(start, *conditions)), counted


def by_similarity(call: Call[ListProjects]) -> bool:
    """Whether the caller may order by similarity and asks for it."""
    options = call.params
    return bool(options.order_by == "similarity" and terms_of(options.search) and not call.actor.is_anonymous)


def ordered(call: Call[ListProjects], statement: Select[Any]) -> Select[Any]:
    """The requested order; by creation if the caller may not use it. Similarity without a search orders by name."""
    options, actor = call.params, call.actor
    descending = options.sort == "desc"
    key: Any = None
    if by_similarity(call):
        # spec: similarity - best first, whatever `sort` says
        return statement.order_by(score(options.search or "").desc(), projects.c.id.desc())
    if options.order_by == "similarity" and not terms_of(options.search):
        return statement.order_by(COLUMNS["name"], projects.c.id)
    if options.order_by in SIZE_ORDERS and actor.is_admin:
        statement = statement.join(project_statistics, project_statistics.c.project_id == projects.c.id)
        key = project_statistics.c[options.order_by]
    else:
        key = COLUMNS.get(options.order_by)
    columns = [projects.c.id] if key is None else [key, projects.c.id]
    return statement.order_by(*(column.desc() if descending else column.asc() for column in columns))


def keyset_of(call: Call[ListProjects]) -> Keyset:
    """Continuing by id; other orders have no keyset form."""
    options = call.params
    return Keyset(projects.c.id, descending=options.sort == "desc", by_cursor=False, available=options.order_by == "id")
