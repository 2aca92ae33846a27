"""One comment from an endpoint's parameters to the stored note: rights, position, suggestions, announcements."""

from typing import Any

from ingot.access.events import MergeRequestChanged
from ingot.features.notes import commands, policy, positions, proposals, queries
from ingot.features.notes.commands import NewNote
from ingot.features.notes.entities import Note, PageLoads, note
from ingot.features.notes.errors import invalid_note
from ingot.features.notes.noteables import Noteable, repository
from ingot.gitstore import revisions
from ingot.kit.call import Call
from ingot.kit.errors import Forbidden
from ingot.kit.events import announce


def write(call: Call, noteable: Noteable, new: NewNote) -> Any:
    """Store a new note and show it."""
    if not policy.may_comment(call.actor, noteable):
        raise Forbidden
    if new.internal and not policy.reads_internal(call.actor, call.project):
        raise Forbidden
    if new.internal and not noteable.has_threads:
        raise invalid_note(confidential=["can not be set for this type of note"])
    if new.created_at is not None and not policy.may_set_times(call.actor, call.project):
        new.created_at = None
    commands.check_body(new.body)
    if new.thread is not None and new.thread.internal:
        new.internal = True
    if new.position is not None:
        new.proposals = proposals.proposed(repository(call), new.body, new.position)
    with call.write() as tx:
        made = commands.create_note(tx, call.actor.id, noteable, new)
    tell(call, noteable, "commented")
    return shown(call, noteable, made)


def shown(call: Call, noteable: Noteable, note_id: int, changes: dict[str, Any] | None = None) -> Note:
    """One note as it is now."""
    row = queries.get_by_id(call.conn, note_id)
    return note(row, noteable, PageLoads(call, [row]), changes)


def tell(call: Call, noteable: Noteable, what: str) -> None:
    """Announce that threads of a merge request changed: auto-merge may wait for it."""
    if noteable.type == "MergeRequest" and noteable.id is not None:
        announce(call.services, MergeRequestChanged(noteable.id, call.project.id, what, call.actor.user_id))


def diff_note(call: Call, noteable: Noteable, wish: Any) -> NewNote:
    """The start of a thread, in a diff where `position` says so."""
    new = NewNote(
        wish.body,
        type="DiscussionNote",
        internal=bool(wish.internal),
        created_at=wish.created_at,
    )
    if wish.commit_id and noteable.type == "MergeRequest":
        new.commit_id = revisions.find(repository(call), wish.commit_id)
        if new.commit_id is None:
            raise invalid_note(commit_id=["does not exist"])
    if wish.position is not None:
        if noteable.type == "Issue":
            raise invalid_note(noteable=["doesn't support new-style diff notes"])
        new.type = "DiffNote"
        new.position, new.line_code = positions.checked_position(repository(call), wish.position)
    return new
