"""Comments and discussions on issuables and commits.

For other features: `note_routes`, `discussion_routes` and `note_award_routes` are the endpoints of a kind of noteable;
`add_system_note` records what happened to it, `record_changes` what a change changed, `recount` keeps the counts after
bulk changes. A note is written in three steps: `prepare`, `create_note` in a transaction,
`announce_text` and `run_actions`.
"""

from ingot.features.planning.notes.awards import note_award_routes
from ingot.features.planning.notes.commands import NewNote, check_body, create_note, resolve, unresolve
from ingot.features.planning.notes.counts import forget, open_internal_threads, recount
from ingot.features.planning.notes.embedding import notes_by_id
from ingot.features.planning.notes.entities import Note, Suggestion, suggestion
from ingot.features.planning.notes.history import record_changes
from ingot.features.planning.notes.params import Position
from ingot.features.planning.notes.policy import (
    may_edit_of,
    may_resolve,
    may_resolve_among,
    readable_notes,
    reads_internal,
)
from ingot.features.planning.notes.positions import checked_position
from ingot.features.planning.notes.proposals import LARGEST_FILE, file_lines, suggestion_blocks
from ingot.features.planning.notes.queries import edited_among, first_note, last_events
from ingot.features.planning.notes.routes.discussions import discussion_routes
from ingot.features.planning.notes.routes.notes import note_routes
from ingot.features.planning.notes.rows import NoteRow, SuggestionRow
from ingot.features.planning.notes.system import add_system_note, new_discussion_id
from ingot.features.planning.notes.tables import NAMES_PEOPLE, notes, suggestions
from ingot.features.planning.notes.writing import (
    announce_change,
    announce_text,
    can_be_answered,
    checked_commit,
    prepare,
    reply_note,
    run_actions,
)

__all__ = [
    "LARGEST_FILE", "NAMES_PEOPLE", "NewNote", "Note", "NoteRow", "Position", "Suggestion", "SuggestionRow",
    "add_system_note", "announce_change", "announce_text", "can_be_answered", "check_body", "checked_commit",
    "checked_position", "create_note", "discussion_routes", "edited_among", "file_lines", "first_note", "forget",
    "last_events",
    "may_edit_of", "may_resolve", "may_resolve_among", "new_discussion_id", "note_award_routes", "note_routes", "notes",
    "notes_by_id",
    "open_internal_threads", "prepare", "readable_notes",
    "reads_internal", "record_changes", "recount", "reply_note", "resolve", "run_actions",
    "suggestion", "suggestion_blocks", "suggestions",
    "unresolve",
]  # fmt: skip
