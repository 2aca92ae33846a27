"""One comment from an endpoint's parameters to the stored note: rights, quick actions, position, announcements."""

from collections.abc import Sequence
from typing import Any

from ingot.access.call import Call
from ingot.events import MergeRequestChanged, TextWritten
from ingot.features.planning.issuables import Noteable, get_kind, may_comment, may_name
from ingot.features.planning.notes import commands, policy, positions, proposals, queries
from ingot.features.planning.notes.commands import NewNote
from ingot.features.planning.notes.commits import repository
from ingot.features.planning.notes.entities import Commands, Note, PageLoads, note
from ingot.features.planning.notes.errors import invalid_note
from ingot.features.planning.notes.params import CreateDiscussion
from ingot.features.planning.notes.rows import NoteRow
from ingot.features.planning.quick_actions import Command, Outcome, split
from ingot.gitstore import revisions
from ingot.kit.endpoint import Reply
from ingot.kit.errors import BadRequest, Forbidden
from ingot.kit.events import announce


def write(call: Call, noteable: Noteable, new: NewNote) -> Any:
    """Store a new note and return its entity."""
    actions = prepare(call, noteable, new)
    if actions and not new.body.strip():
        outcome = run_actions(call, noteable, actions)
        return Reply(Commands(commands_changes=outcome.changes, summary=outcome.summary), status=202)
    with call.write() as tx:
        created = commands.create_note(tx, call.actor.id, noteable, new)
    if not new.internal:
        announce_text(call, noteable, new.body)
    changes = run_actions(call, noteable, actions).changes if actions else None
    return shown(call, noteable, created, changes)


def prepare(call: Call, noteable: Noteable, new: NewNote) -> Sequence[Command]:
    """Check a new note before it is stored.

    Returns the quick actions of its text. If the text had nothing else, there is nothing to store.
    """
    if not may_comment(call.actor, noteable):
        raise Forbidden
    if new.internal and not policy.reads_internal(call.actor, call.project):
        raise Forbidden
    if new.internal and not noteable.has_threads:
        raise invalid_note(confidential=["can not be set for this type of note"])
    if new.created_at is not None and not policy.may_set_times(call.actor, call.project):
        new.created_at = None
    new.body, actions = split(new.body, noteable.type)
    if actions and not new.body.strip():
        return actions
    commands.check_body(new.body)
    if new.thread is not None and new.thread.internal:
        new.internal = True
    if new.position is not None:
        new.proposals = proposals.proposed(repository(call), new.body, new.position)
    return actions


def run_actions(call: Call, noteable: Noteable, actions: Sequence[Command]) -> Outcome:
    """Carry out the quick actions of a comment, after it was stored."""
    outcome: Outcome = get_kind(noteable.type).run_actions(call, noteable.row, actions)
    call.tell(outcome.words())
    return outcome


def shown(call: Call, noteable: Noteable, note_id: int, changes: dict[str, object] | None = None) -> Note:
    """One note as it is now."""
    row = queries.get_by_id(call.conn, note_id)
    return note(row, noteable, PageLoads(call, [row]), changes)


def announce_text(call: Call, noteable: Noteable, text: str) -> None:
    """Announce a comment that may mention something; internal comments are not announced."""
    if not may_name(text):
        return
    if noteable.has_threads and noteable.id is not None:
        announce(call.services, TextWritten(noteable.type, noteable.id, call.project.id, text, call.actor.user_id))
    announce_change(call, noteable, "commented")


def announce_change(call: Call, noteable: Noteable, what: str) -> None:
    """Announce that threads of a merge request changed: auto-merge may wait for it."""
    if noteable.type == "MergeRequest" and noteable.id is not None:
        announce(call.services, MergeRequestChanged(noteable.id, call.project.id, what, call.actor.user_id))


def diff_note(call: Call, noteable: Noteable, options: CreateDiscussion) -> NewNote:
    """The start of a thread, in a diff where `position` says so."""
    new = NewNote(
        options.body,
        type="DiscussionNote",
        internal=bool(options.internal),
        created_at=options.created_at,
    )
    if options.commit_id and noteable.type == "MergeRequest":
        new.commit_id = checked_commit(call, options.commit_id)
    if options.position is not None:
        if noteable.type in ("Issue", "Snippet"):
            raise invalid_note(noteable=["doesn't support new-style diff notes"])
        new.type = "DiffNote"
        new.position, new.line_code = positions.checked_position(repository(call), options.position)
    return new


def checked_commit(call: Call, commit_id: str) -> str:
    """The full id of a commit that a comment is about; 400 where there is none."""
    sha = revisions.find(repository(call), commit_id)
    if sha is None:
        raise invalid_note(commit_id=["does not exist"])
    return sha


def reply_note(call: Call, noteable: Noteable, first: NoteRow, body: str) -> NewNote:
    """A reply in the thread that starts with `first`."""
    if not can_be_answered(noteable, first):
        raise BadRequest("Discussion can not be replied to.")
    return NewNote(
        body,
        type=first.type or "DiscussionNote",
        commit_id=first.commit_id,
        position=first.position,
        line_code=first.line_code,
        thread=first,
        is_resolved=first.type is not None and commands.is_resolved(call.conn, first.discussion_id),
    )


def can_be_answered(noteable: Noteable, first: NoteRow) -> bool:
    """System notes cannot be answered, nor single comments where there are no threads."""
    return not first.system and (first.type is not None or noteable.has_threads)
