"""Publishing draft notes: all become notes in one transaction, or none."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, update

from ingot.access.call import Call
from ingot.features.planning.issuables import Noteable, Target
from ingot.features.planning.notes import (
    NewNote,
    add_system_note,
    announce_change,
    announce_text,
    create_note,
    may_resolve,
    notes,
    prepare,
    reply_note,
    resolve,
    run_actions,
    unresolve,
)
from ingot.features.planning.quick_actions import Command
from ingot.features.review.approvals import judge
from ingot.features.review.draft_notes.commands import find_thread
from ingot.features.review.draft_notes.rows import DraftNoteRow
from ingot.features.review.draft_notes.tables import draft_notes
from ingot.features.review.merge_requests import merge_request_reviewers
from ingot.kit.changes import Change, report_change
from ingot.kit.errors import BadRequest

# Comments do not change an approval or a request for changes.
UNDECIDED = ("unreviewed", "review_started")
REQUESTED_CHANGES = "requested_changes"


class _Ready(NamedTuple):
    """A draft (none for a summary), the note that it becomes, and the quick actions that were in its text."""

    draft: DraftNoteRow | None
    note: NewNote
    actions: Sequence[Command]


def publish(
    call: Call,
    noteable: Noteable,
    drafts: Sequence[DraftNoteRow],
    summary: str | None = None,
    verdict: str | None = None,
) -> None:
    """Turn drafts into notes in one transaction; then announce them and run their quick actions."""
    ready = [_prepare(call, noteable, draft) for draft in drafts]
    if summary and summary.strip():
        note = NewNote(summary)
        ready.append(_Ready(None, note, prepare(call, noteable, note)))
    if not ready and verdict is None:
        return
    changed = verdict is not None
    with call.write() as tx:
        # Two requests that publish the same draft: the one that removes it writes the note.
        gone = delete(draft_notes).where(draft_notes.c.id.in_([draft.id for draft in drafts]))
        removed = set(tx.execute(gone.returning(draft_notes.c.id)).scalars())
        published = [one for one in ready if one.draft is None or one.draft.id in removed]
        _gather([one.note for one in published], verdict)
        gathered = []
        for one in published:
            if one.note.body.strip():
                created = create_note(tx, call.actor.id, noteable, one.note)
                gathered += [created] if one.note.in_review else []
            changed = _set_resolved(tx, call, noteable, one) or changed
        if gathered or verdict == REQUESTED_CHANGES:
            _report_review(tx, call, noteable, gathered, verdict)
        if published:
            _mark_reviewed(tx, noteable, call.actor.id)
        if verdict is not None:
            _judge(tx, call, noteable, verdict)
    for one in published:
        if not one.note.internal:
            announce_text(call, noteable, one.note.body)
    if changed:
        announce_change(call, noteable, "resolved")
    # All at once: each run sees the request as it was found.
    actions = [action for one in published for action in one.actions]
    if actions:
        run_actions(call, noteable, actions)


def _gather(written: Sequence[NewNote], verdict: str | None) -> None:
    """Mark the comments of which people hear together; of an internal one only those hear who may read it."""
    gathered = [note for note in written if note.body.strip() and not note.internal]
    for note in gathered if len(gathered) > 1 or verdict == REQUESTED_CHANGES else []:
        note.in_review = True


def _report_review(tx: Connection, call: Call, noteable: Noteable, note_ids: list[int], verdict: str | None) -> None:
    details = {"notes": note_ids, "verdict": verdict}
    place, user_id = noteable.project.id, call.actor.user_id
    report_change(tx, Change("review", "publish", noteable.row.id, project_id=place, user_id=user_id, details=details))


def _prepare(call: Call, noteable: Noteable, draft: DraftNoteRow) -> _Ready:
    if draft.discussion_id is not None:
        note = reply_note(call, noteable, find_thread(call, noteable, draft.discussion_id), draft.note)
    else:
        kind = "DiffNote" if draft.position is not None else "DiscussionNote"
        note = NewNote(draft.note, type=kind, position=draft.position, line_code=draft.line_code)
    note.commit_id = draft.commit_id or note.commit_id
    return _Ready(draft, note, prepare(call, noteable, note))


def _set_resolved(tx: Connection, call: Call, noteable: Noteable, one: _Ready) -> bool:
    """An answer resolves its thread or reopens it, as the draft says; returns whether that changed it."""
    first = one.note.thread
    if first is None or one.draft is None or not may_resolve(call.actor, noteable, first):
        return False
    change = resolve if one.draft.resolve_discussion else unresolve
    return change(tx, call.actor.id, noteable, notes.c.discussion_id == first.discussion_id) > 0


def _judge(tx: Connection, call: Call, noteable: Noteable, verdict: str) -> None:
    """The caller's verdict; only reviewers have one."""
    if not judge(tx, noteable.row, call.actor.id, verdict):
        raise BadRequest("Reviewer not found")
    if verdict == REQUESTED_CHANGES:
        target = Target("MergeRequest", noteable.row.id, noteable.row.project_id)
        add_system_note(tx, target, call.actor.user_id, verdict, "requested changes")


def _mark_reviewed(tx: Connection, noteable: Noteable, user_id: int) -> None:
    table = merge_request_reviewers
    own_review = (table.c.merge_request_id == noteable.id) & (table.c.user_id == user_id)
    tx.execute(update(table).where(own_review, table.c.state.in_(UNDECIDED)).values(state="reviewed"))
