"""Lists of projects: a base set, the filters, the order."""

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, select

from ingot.access.tables import project_authorizations, projects
from ingot.features.projects.params.listing import SIZE_ORDERS, ListProjects
from ingot.features.projects.queries import filters
from ingot.features.projects.queries.search import matching, terms_of
from ingot.features.projects.queries.similarity import score
from ingot.features.projects.tables import project_statistics
from ingot.kit.call import Call
from ingot.kit.pagination import Keyset

COLUMNS = {
    "name": projects.c.name_lower,
    "path": projects.c.path_lower,
    "updated_at": projects.c.updated_at,
    "last_activity_at": projects.c.last_activity_at,
    "star_count": projects.c.star_count,
}


def listing(call: Call, base: ColumnElement[bool] | None = None) -> Select[Any]:
    """The projects that the caller asked for. `base`: the set to start from where the endpoint has one of its own."""
    is_global = base is None
    wish: ListProjects = call.params
    actor, conn = call.actor, call.conn
    conditions = [
        *filters.alive(actor, wish),
        filters.base_set(actor, wish) if base is None else base,
        *filters.plain(wish),
        *filters.moments(wish),
        *filters.personal(actor, wish),
        *filters.related(wish),
        *filters.licensed(wish, call.services.settings),
        *filters.administrative(actor, wish),
    ]
    found = matching(conn, wish.search, namespaces=bool(wish.search_namespaces))
    if found is not None:
        conditions.append(found)
    rights = project_authorizations
    statement = select(*projects.c, rights.c.access_level.label("actor_level")).join_from(
        projects,
        rights,
        and_(rights.c.project_id == projects.c.id, rights.c.user_id == (actor.user_id or 0)),
        isouter=True,
    )
    return ordered(call, statement.where(*conditions), is_global=is_global)


def ordered(call: Call, statement: Select[Any], *, is_global: bool) -> Select[Any]:
    """The order asked for; where the caller may not have it, by creation."""
    wish, actor = call.params, call.actor
    descending = wish.sort == "desc"
    key: Any = None
    if wish.order_by == "similarity" and wish.search and terms_of(wish.search) and not actor.is_anonymous:
        # spec: similarity - best first whatever `sort` says; the list of all is limited to the caller's projects
        found = statement.where(filters.belongs(actor)) if is_global else statement
        return found.order_by(score(wish.search).desc(), projects.c.id.desc())
    if wish.order_by in SIZE_ORDERS and actor.is_admin:
        statement = statement.join(project_statistics, project_statistics.c.project_id == projects.c.id)
        key = project_statistics.c[wish.order_by]
    else:
        key = COLUMNS.get(wish.order_by)
    columns = [projects.c.id] if key is None else [key, projects.c.id]
    return statement.order_by(*(column.desc() if descending else column.asc() for column in columns))


def keyset_of(call: Call) -> Keyset:
    """Continuing by id; other orders have no keyset form."""
    wish = call.params
    return Keyset(projects.c.id, descending=wish.sort == "desc", by_cursor=False, available=wish.order_by == "id")
