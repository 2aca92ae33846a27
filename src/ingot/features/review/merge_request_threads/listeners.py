"""Reactions to changes of merge requests: system notes, and outdated threads and suggestions."""

from collections.abc import Sequence
from html import escape
from typing import Any

import msgspec
from sqlalchemy import Connection, select, update

from ingot.events import MergeRequestChanged
from ingot.features.code.pushing import current_note
from ingot.features.planning.issuables import Noteable, Target
from ingot.features.planning.notes import add_system_note, notes, resolve, suggestions
from ingot.features.review.merge_request_threads.outdated import outdated_suggestions, outdated_threads
from ingot.features.review.merge_request_threads.queries import placed_suggestions
from ingot.features.review.merge_requests import MergeRequestRow, find_by_id, merge_request_diffs
from ingot.features.spaces.projects import project_settings
from ingot.gitstore import Commit, Repository, log, storages_of
from ingot.kit.events import listen
from ingot.kit.services import Services

STATES = ("closed", "reopened", "merged")
MOST_LISTED = 100


@listen(MergeRequestChanged, order=20)
def record_state(services: Services, event: MergeRequestChanged) -> None:
    """Add a system note on closing, reopening and merging."""
    if event.what in STATES:
        target = Target("MergeRequest", event.merge_request_id, event.project_id)
        with services.db.write() as tx:
            if not _is_recorded(tx, target, event.what):
                add_system_note(tx, target, event.user_id, event.what, event.what)


@listen(MergeRequestChanged, order=21)
def record_push(services: Services, event: MergeRequestChanged) -> None:
    """Add a system note on a push, and resolve threads on changed lines if the project wants that."""
    if event.what != "pushed":
        return
    with services.db.read() as conn:
        row = find_by_id(conn, event.merge_request_id)
        heads = _two_heads(conn, event.merge_request_id)
    if row is None or len(heads) < 2 or heads[0] == heads[1]:
        return
    repository = storages_of(services).repository(row.project_repository_storage, row.project_id)
    new, old = heads
    commits = log.between(repository, old, new)
    if commits:
        with services.db.write() as tx:
            target = Target("MergeRequest", row.id, row.project_id)
            if not _is_recorded(tx, target, "commit"):
                add_system_note(tx, target, event.user_id, "commit", _added(commits), commit_count=len(commits))
    _mark_outdated(services, row.id, repository, new)
    if project_settings(_Place(row.project_id, row.project_settings)).resolve_outdated_diff_discussions:
        _resolve_outdated(services, row, repository, new, event.user_id)


def _is_recorded(tx: Connection, target: Target, action: str) -> bool:
    """The push was announced before, and already has its system note."""
    push = current_note()
    if push is None or not push.is_repeated:
        return False
    since = (notes.c.system_action == action) & (notes.c.created_at >= push.noted_at)
    place = (notes.c.noteable_type == target.type) & (notes.c.noteable_id == target.id)
    return tx.execute(select(notes.c.id).where(place, since).limit(1)).first() is not None


class _Place(msgspec.Struct, frozen=True):
    """The request's project, as far as is needed here."""

    id: int
    settings: Any = None


def _two_heads(conn: Connection, merge_request_id: int) -> list[str]:
    """The heads of the last two versions, newest first."""
    table = merge_request_diffs
    query = select(table.c.head_sha).where(table.c.merge_request_id == merge_request_id)
    return list(conn.execute(query.order_by(table.c.id.desc()).limit(2)).scalars())


def _added(commits: Sequence[Commit]) -> str:
    noun = "commit" if len(commits) == 1 else "commits"
    listed = reversed(commits[:MOST_LISTED])
    items = "".join(f"<li>{commit.short_id} - {escape(commit.title)}</li>" for commit in listed)
    return f"added {len(commits)} {noun}\n\n<ul>{items}</ul>"


def _mark_outdated(services: Services, request_id: int, repository: Repository, head: str) -> None:
    """Suggestions whose lines are different now cannot be applied; those whose lines came back can."""
    with services.db.read() as conn:
        rows = placed_suggestions(conn, (notes.c.noteable_id == request_id) & ~suggestions.c.applied)
    gone = {row.id for row in outdated_suggestions(repository, rows, head)}
    changed = [row.id for row in rows if row.outdated != (row.id in gone)]
    if changed:
        with services.db.write() as tx:
            which = suggestions.c.id.in_(changed)
            tx.execute(update(suggestions).where(which).values(outdated=suggestions.c.id.in_(gone)))


def _resolve_outdated(
    services: Services, row: MergeRequestRow, repository: Repository, head: str, user_id: int | None
) -> None:
    with services.db.read() as conn:
        open_threads = conn.execute(
            select(notes.c.discussion_id, notes.c.position).where(
                notes.c.noteable_type == "MergeRequest",
                notes.c.noteable_id == row.id,
                notes.c.type == "DiffNote",
                notes.c.resolved_at.is_(None),
            )
        ).all()
    gone = outdated_threads(repository, open_threads, head)
    if not gone:
        return
    noteable = Noteable("MergeRequest", _Place(row.project_id), id=row.id, iid=row.iid)
    with services.db.write() as tx:
        resolve(tx, user_id, noteable, notes.c.discussion_id.in_(gone), by_push=True)
