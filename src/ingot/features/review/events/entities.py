"""Events on the wire."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.code.wikis import WIKI_PAGE_TARGET, wiki_pages
from ingot.features.people.event_log import COMMENTS
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.planning.issuables import kinds
from ingot.features.planning.milestones import milestones
from ingot.features.planning.notes import Note, notes_by_id
from ingot.features.review.events.rows import EventRow
from ingot.kit.entity import UNSET, Entity, UnsetType, wire

# Action names that differ from those of the filter.
NAMES = {
    "reopened": "opened",
    "commented": "commented on",
    "merged": "accepted",
    "expired": "removed due to membership expiration from",
}
PUSH_NAMES = {"created": "pushed new", "pushed": "pushed to", "removed": "deleted"}


class PushData(Entity):
    """The effect of a push on one ref, or on several."""

    commit_count: int
    action: str
    ref_type: str
    commit_from: str | None
    commit_to: str | None
    ref: str | None
    commit_title: str | None
    ref_count: int | None


class EventWikiPage(Entity):
    """The page that an event is about."""

    format: str
    slug: str
    title: str


class Event(Entity, kw_only=True):
    """What somebody did."""

    id: int
    project_id: int
    action_name: str
    target_id: int | None
    target_iid: int | None
    target_type: str | None
    author_id: int
    target_title: str | None
    created_at: datetime
    note: Note | UnsetType = UNSET
    author: UserBasic
    author_username: str
    push_data: PushData | UnsetType = UNSET
    wiki_page: EventWikiPage | UnsetType = UNSET
    imported: bool
    imported_from: str


Titles = dict[tuple[str, int], tuple[int, str]]  # type and id -> number and title


def present(call: Call, rows: Sequence[EventRow]) -> list[Event]:
    """A page of events: one query for each kind of record, however many there are."""
    people = users_by_id(call.conn, {row.author_id for row in rows}, call.base_url)
    titles = _titles(call, rows)
    comments = notes_by_id(call, [row.target_id for row in rows if row.target_type in COMMENTS and row.target_id])
    pages = _wiki_pages(call, [row.target_id for row in rows if row.target_type == WIKI_PAGE_TARGET])
    return [_event(row, people[row.author_id], titles, comments, pages) for row in rows]


def _wiki_pages(call: Call, ids: Sequence[int | None]) -> dict[int, EventWikiPage]:
    if not ids:
        return {}
    query = select(wiki_pages).where(wiki_pages.c.id.in_(ids))
    return {one.id: EventWikiPage(one.format, one.slug, one.title) for one in call.conn.execute(query)}


def _titles(call: Call, rows: Sequence[EventRow]) -> Titles:
    tables = {kind.type: kind.table for kind in kinds()} | {"Milestone": milestones}
    result: Titles = {}
    for name, table in tables.items():
        ids = {row.target_id for row in rows if row.target_type == name}
        if ids:
            query = select(table.c.id, table.c.iid, table.c.title).where(table.c.id.in_(ids))
            result |= {(name, one.id): (one.iid, one.title) for one in call.conn.execute(query)}
    return result


def _event(
    row: EventRow,
    author: UserBasic,
    titles: Titles,
    comments: dict[int, Note],
    pages: dict[int, EventWikiPage],
) -> Event:
    number, title = titles.get((row.target_type or "", row.target_id or 0), (row.target_id, None))
    page = pages.get(row.target_id or 0) if row.target_type == WIKI_PAGE_TARGET else None
    return Event(
        id=row.id,
        project_id=row.project_id,
        action_name=_name(row),
        target_id=row.target_id,
        target_iid=number,
        target_type=row.target_type,
        author_id=row.author_id,
        target_title=title if page is None else page.title,
        created_at=wire(row.created_at),
        note=comments.get(row.target_id or 0, UNSET) if row.target_type in COMMENTS else UNSET,
        author=author,
        author_username=author.username,
        push_data=_push(row) if row.push_action is not None else UNSET,
        wiki_page=UNSET if page is None else page,
        imported=row.imported_from != "none",
        imported_from=row.imported_from,
    )


def _name(row: EventRow) -> str:
    if row.push_action is not None:
        return PUSH_NAMES[row.push_action]
    if row.action == "created":
        if row.target_type is not None:
            return "created" if row.target_type == WIKI_PAGE_TARGET else "opened"
        return "created" if row.import_type is None else "imported"
    return NAMES.get(row.action, row.action)


def _push(row: EventRow) -> PushData:
    return PushData(
        commit_count=row.commit_count or 0,
        action=row.push_action or "",
        ref_type=row.ref_type or "",
        commit_from=row.commit_from,
        commit_to=row.commit_to,
        ref=row.ref,
        commit_title=row.commit_title,
        ref_count=row.ref_count,
    )
