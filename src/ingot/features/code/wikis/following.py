"""What follows from a write to a wiki: events, messages to hooks, and the record of its pages.

The row of a wiki says up to which commit that was done. A write marks the row before it moves the branch; a process
that dies in between leaves the mark, and a periodic job completes the work.
"""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, insert, select, update

from ingot.features.code.wikis.names import LONGEST_SLUG, format_of
from ingot.features.code.wikis.packing import queue_packing
from ingot.features.code.wikis.reading import WikiPage
from ingot.features.code.wikis.rows import WikiPageRow, WikiRow
from ingot.features.code.wikis.tables import wiki_pages, wikis
from ingot.features.code.wikis.wiki import Wiki
from ingot.features.people.event_log import record_event
from ingot.features.spaces.projects import queue_refresh, touch_activity
from ingot.gitstore import GitError, objects
from ingot.gitstore.diff import changed_paths
from ingot.gitstore.listing import branch_names
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.services import Services
from ingot.kit.upsert import upsert

TARGET = "WikiPage::Meta"
MOST_CHANGES = 100  # pages of one write that get events
_ACTIONS = {"A": "create", "M": "update", "T": "update", "R": "update", "D": "delete"}
_EVENTS = {"create": "created", "update": "updated", "delete": "destroyed"}


class PageChange(msgspec.Struct, frozen=True):
    """What a write did to one page; `old_slug` differs from the page's own after a rename."""

    action: str  # create | update | delete
    page: WikiPage
    old_slug: str


def begin_write(tx: Connection, wiki: Wiki, user_id: int | None, head: str | None) -> None:
    """Mark that the branch is about to move. The changes before the first marked write are not recorded."""
    started = {"writing_since": now(), "writer_id": user_id}
    key = ["project_id"] if wiki.project_id is not None else ["group_id"]
    statement = upsert(tx.dialect.name, wikis).values(**wiki.owner, head=head, **started)
    tx.execute(statement.on_conflict_do_update(index_elements=key, set_=started))


def settle_branch(wiki: Wiki, pushed: Sequence[str]) -> None:
    """Let the first branch that arrives in an empty wiki be the one that is shown."""
    repository = wiki.repository
    names = branch_names(repository)
    if repository.default_branch() not in names:
        shown = [name for name in ("main", "master", *pushed) if name in names and name in pushed]
        if shown:
            repository.set_default_branch(shown[0])


def follow(services: Services, wiki: Wiki, user_id: int | None, old: str | None, new: str | None) -> None:
    """Record the changes up to `new`; those before `old` that somebody else left unrecorded are nobody's."""
    while True:
        with services.db.read() as conn:
            row = _find(conn, wiki)
        if row is None:
            return  # the project or group was deleted meanwhile
        known = row.head
        is_done = new == known or (new is not None and known is not None and _contains(wiki, known, new))
        steps = [] if is_done else _steps(wiki, user_id, known, old, new)
        with services.db.write() as tx:
            head = wikis.c.head.is_(None) if known is None else wikis.c.head == known
            same = update(wikis).where(wikis.c.id == row.id, head)
            target = known if is_done else new
            if tx.execute(same.values(head=target, writing_since=None, writer_id=None)).rowcount == 0:
                continue  # somebody else was faster
            for writer_id, changes in steps:
                _record(tx, wiki, writer_id, changes, new)
            if wiki.project_id is not None and steps:
                touch_activity(tx, wiki.project_id, user_id)
                queue_refresh(tx, wiki.project_id)
        queue_packing(services, wiki.owner, wiki.repository)
        return


def _find(conn: Connection, wiki: Wiki) -> WikiRow | None:
    row: WikiRow | None = conn.execute(select(wikis).where(wiki.owns(wikis))).one_or_none()
    return row


def _contains(wiki: Wiki, head: str, sha: str) -> bool:
    try:
        return objects.is_ancestor(wiki.repository, sha, head)
    except (GitError, ValueError, KeyError):
        return False


def _steps(
    wiki: Wiki, user_id: int | None, known: str | None, old: str | None, new: str | None
) -> list[tuple[int | None, list[PageChange]]]:
    if known == old or old is None:
        return [(user_id, page_changes(wiki, known, new))]
    return [(None, page_changes(wiki, known, old)), (user_id, page_changes(wiki, old, new))]


def page_changes(wiki: Wiki, old: str | None, new: str | None) -> list[PageChange]:
    """The pages that differ between two commits, at most a hundred."""
    try:
        paths = changed_paths(wiki.repository, old or EMPTY_TREE_ID, new or EMPTY_TREE_ID)
        result = []
        for one in paths:
            change = _change(wiki, one.status, one.old_path, one.new_path, old if one.status == "D" else new)
            if change is not None:
                result.append(change)
            if len(result) == MOST_CHANGES:
                break
    except GitError:
        return []  # the objects are gone, or too many paths changed
    return result


def _change(wiki: Wiki, status: str, old_path: str, new_path: str, sha: str | None) -> PageChange | None:
    was_page, is_page = format_of(old_path) is not None, format_of(new_path) is not None
    if status == "R" and was_page != is_page:  # moved out of the pages, or into them
        status, new_path = ("D", old_path) if was_page else ("A", new_path)
    if status not in _ACTIONS or format_of(new_path) is None or sha is None:
        return None
    entry = objects.find_entry(wiki.repository, sha, new_path)
    page = WikiPage(new_path, "" if entry is None else entry.id)
    before = WikiPage(old_path if was_page else new_path, "")
    if len(page.slug.encode("utf-8", "replace")) > LONGEST_SLUG:
        return None
    return PageChange(_ACTIONS[status], page, before.slug)


def _record(tx: Connection, wiki: Wiki, user_id: int | None, changes: Sequence[PageChange], sha: str | None) -> None:
    for change in changes:
        row_id = _keep_page(tx, wiki, change)
        if wiki.project_id is not None:
            record_event(tx, _EVENTS[change.action], wiki.project_id, user_id, (TARGET, row_id))
        details = {
            "blob_id": change.page.blob_id,
            "sha": sha,
            "branch": wiki.repository.default_branch(),
        }
        report_change(tx, Change("wiki_page", change.action, row_id, **wiki.owner, user_id=user_id, details=details))


def _keep_page(tx: Connection, wiki: Wiki, change: PageChange) -> int:
    """The row of the page, which a rename keeps; a page that comes back gets its old row."""
    values = {"slug": change.page.slug, "title": change.page.title, "format": change.page.format}
    rows: dict[str, WikiPageRow] = {
        row.slug: row
        for row in tx.execute(
            select(wiki_pages).where(wiki.owns(wiki_pages), wiki_pages.c.slug.in_({change.old_slug, values["slug"]}))
        )
    }
    row = rows.get(values["slug"]) or rows.get(change.old_slug)
    if row is None:
        created = insert(wiki_pages).values(**wiki.owner, **values).returning(wiki_pages.c.id)
        return int(tx.execute(created).scalar_one())
    tx.execute(update(wiki_pages).where(wiki_pages.c.id == row.id).values(**values))
    return row.id
