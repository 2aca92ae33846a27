"""What is mailed: changes of records as happenings, small enough for the arguments of a job."""

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, select

from ingot.features.ci.engine import pipelines
from ingot.features.planning.issuable_changes import Snapshot
from ingot.features.planning.issuables import kinds
from ingot.features.planning.notes import notes
from ingot.features.planning.todos import mentioned_people
from ingot.kit.changes import Change

MOVES = {"closed": "close", "reopened": "reopen", "merged": "merge", "approved": "approve", "unapproved": "unapprove"}


class Happening(msgspec.Struct, frozen=True):
    """`event` is named as in notification settings where those have it."""

    event: str
    type: str  # Issue | MergeRequest | Pipeline | Release | Project
    record_id: int
    project_id: int
    user_id: int | None = None
    note_id: int | None = None
    # New assignees or reviewers, or people whom an edit mentions.
    added: list[int] = msgspec.field(default_factory=list)
    removed: list[int] = msgspec.field(default_factory=list)
    labels: list[int] = msgspec.field(default_factory=list)  # whose subscribers are told
    note_ids: list[int] = msgspec.field(default_factory=list)  # of a review
    requests_changes: bool = False
    # The heads before and after a push.
    old_sha: str = ""
    new_sha: str = ""


def happenings(tx: Connection, change: Change) -> Iterator[Happening]:
    """What a change means; nothing for most."""
    if change.kind == "note":
        yield from _comment(tx, change)
    elif change.kind == "pipeline":
        yield from _pipeline(tx, change)
    elif change.kind == "release" and change.action == "create":
        yield Happening("new_release", "Release", change.record_id, change.project_id or 0, change.user_id)
    elif change.kind == "project" and change.action in ("rename", "transfer"):
        yield Happening("moved_project", "Project", change.record_id, change.record_id, change.user_id)
    elif change.kind == "auto_merge":
        place = change.project_id or 0
        yield Happening("merge_when_pipeline_succeeds", "MergeRequest", change.record_id, place, change.user_id)
    elif change.kind == "review":
        yield _review(change)
    elif change.kind in ("issue", "merge_request"):
        yield from _issuable(tx, change)


def _comment(tx: Connection, change: Change) -> Iterator[Happening]:
    if change.action not in ("create", "update") or change.details.get("in_review"):
        return
    columns = notes.c
    query = select(columns.noteable_type, columns.noteable_id, columns.system, columns.body)
    row = tx.execute(query.where(columns.id == change.record_id)).one_or_none()
    if row is None or row.system or row.noteable_id is None or row.noteable_type not in {kind.type for kind in kinds()}:
        return
    about = (row.noteable_type, row.noteable_id, change.project_id or 0, change.user_id, change.record_id)
    if change.action == "create":
        yield Happening("new_note", *about)
    elif mentioned := _newly_named(tx, str(change.details.get("body") or ""), row.body):
        yield Happening("mention_in_note", *about, added=mentioned)


def _review(change: Change) -> Happening:
    """Comments that came together are mailed together."""
    noted = change.details.get("notes")
    note_ids = [number for number in noted if isinstance(number, int)] if isinstance(noted, list) else []
    return Happening(
        "new_review", "MergeRequest", change.record_id, change.project_id or 0, change.user_id, note_ids=note_ids,
        requests_changes=change.details.get("verdict") == "requested_changes",
    )  # fmt: skip


def _newly_named(tx: Connection, before: str | None, after: str | None) -> list[int]:
    """People whom a text names, and did not name before."""
    if before == after:
        return []
    known, named = (mentioned_people(tx, text).values() for text in (before, after))
    return sorted(set(named) - set(known))


def _pipeline(tx: Connection, change: Change) -> Iterator[Happening]:
    if change.action not in ("failed", "success"):
        return
    columns = pipelines.c
    row = tx.execute(select(pipelines).where(columns.id == change.record_id)).one_or_none()
    if row is None or row.parent_id is not None or row.user_id is None:
        return
    event = "failed_pipeline"
    if change.action == "success":
        earlier = select(columns.status).where(
            columns.project_id == row.project_id,
            columns.ref == row.ref,
            columns.id < row.id,
            columns.parent_id.is_(None),
            columns.status.in_(("failed", "success")),
        )
        last = tx.execute(earlier.order_by(columns.id.desc()).limit(1)).scalar_one_or_none()
        event = "fixed_pipeline" if last == "failed" else "success_pipeline"
    yield Happening(event, "Pipeline", row.id, row.project_id)


def _issuable(tx: Connection, change: Change) -> Iterator[Happening]:
    kind = next(kind for kind in kinds() if kind.word == change.kind)
    about = (kind.type, change.record_id, change.project_id or 0, change.user_id)
    if change.action == "open":
        yield Happening(f"new_{kind.word}", *about)
    elif change.action in MOVES and "system_action" not in change.details:
        yield Happening(f"{MOVES[change.action]}_{kind.word}", *about)
    elif "oldrev" in change.details:
        head = tx.execute(select(kind.table.c.head_sha).where(kind.table.c.id == change.record_id)).scalar_one_or_none()
        yield Happening("push_to_merge_request", *about, old_sha=str(change.details["oldrev"]), new_sha=head or "")
    before, after = change.details.get("before"), change.details.get("after")
    if not isinstance(before, Snapshot) or not isinstance(after, Snapshot):
        return
    for event, old, new in (
        (f"reassign_{kind.word}", before.assignees, after.assignees),
        (f"change_reviewer_{kind.word}", before.reviewers, after.reviewers),
    ):
        added, removed = [one for one in new if one not in old], [one for one in old if one not in new]
        if added or removed:
            yield Happening(event, *about, added=added, removed=removed)
    if mentioned := _newly_named(tx, before.row.description, after.row.description):
        yield Happening(f"mention_in_{kind.word}", *about, added=mentioned)
    labels = [label_id for label_id in after.labels if label_id not in before.labels]
    if labels:
        yield Happening(f"relabel_{kind.word}", *about, labels=labels)
