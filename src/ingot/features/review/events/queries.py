"""Reading events: one builder, one step per filter."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select

from ingot.access.tables import projects
from ingot.features.code.wikis import WIKI_PAGE_TARGET
from ingot.features.people.event_log import events
from ingot.features.review.events.params import TARGETS, ListEvents
from ingot.features.review.events.policy import visible_events
from ingot.kit.actor import Actor
from ingot.kit.pagination import Keyset

COLUMNS = (*events.c, projects.c.import_type)
_NEWEST = (
    select(func.max(events.c.id))
    .where(events.c.target_type == WIKI_PAGE_TARGET, events.c.target_id.in_(bindparam("ids", expanding=True)))
    .group_by(events.c.target_id)
)
_GONE = select(events.c.target_id).where(events.c.id.in_(_NEWEST), events.c.action == "destroyed")


def listed(actor: Actor, options: ListEvents) -> Select[Any]:
    """The events that the actor may see, filtered."""
    query = select(*COLUMNS).join_from(events, projects, projects.c.id == events.c.project_id)
    query = by_day(by_kind(query.where(visible_events(actor)), options), options)
    return query.order_by(events.c.id.asc() if options.sort == "asc" else events.c.id.desc())


def by_id(options: ListEvents) -> Keyset:
    """How the lists continue by key."""
    return Keyset(events.c.id, options.sort == "desc")


def by_kind(query: Select[Any], options: ListEvents) -> Select[Any]:
    """By what was done, and to what."""
    if options.action is not None:
        query = query.where(events.c.action == options.action)
    if options.target_type is not None:
        query = query.where(events.c.target_type == TARGETS[options.target_type])
    return query


def by_day(query: Select[Any], options: ListEvents) -> Select[Any]:
    """Before the beginning of a day, after the end of another."""
    if options.before is not None:
        query = query.where(events.c.created_at < _beginning(options.before))
    if options.after is not None and options.after < date.max:
        query = query.where(events.c.created_at >= _beginning(options.after + timedelta(days=1)))
    return query


def _beginning(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def gone_wiki_pages(conn: Connection, ids: set[int]) -> set[int]:
    """Those of the pages whose newest event is their removal."""
    return set(conn.execute(_GONE, {"ids": sorted(ids)}).scalars()) if ids else set()
