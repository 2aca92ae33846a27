"""Comments and discussions on issuables and commits.

For other features: `note_routes`, `discussion_routes` and `note_award_routes` are the endpoints of a kind of noteable;
`add_system_note` records what happened to it, `record_changes` what a change changed, `recount` keeps the counts after
bulk changes.
"""

from ingot.features.planning.notes.awards import note_award_routes
from ingot.features.planning.notes.commands import resolve
from ingot.features.planning.notes.counts import forget, recount
from ingot.features.planning.notes.embedding import notes_by_id
from ingot.features.planning.notes.entities import Note, Suggestion, suggestion
from ingot.features.planning.notes.history import record_changes
from ingot.features.planning.notes.policy import readable_notes, reads_internal
from ingot.features.planning.notes.positions import lines_of
from ingot.features.planning.notes.proposals import LARGEST_FILE
from ingot.features.planning.notes.routes.discussions import discussion_routes
from ingot.features.planning.notes.routes.notes import note_routes
from ingot.features.planning.notes.rows import NoteRow, SuggestionRow
from ingot.features.planning.notes.system import add_system_note, new_discussion_id
from ingot.features.planning.notes.tables import NAMES_PEOPLE, notes, suggestions
from ingot.features.planning.notes.writing import announce_change

__all__ = [
    "LARGEST_FILE", "NAMES_PEOPLE", "Note", "NoteRow", "Suggestion", "SuggestionRow", "add_system_note",
    "announce_change", "discussion_routes", "forget", "lines_of", "new_discussion_id", "note_award_routes",
    "note_routes", "notes", "notes_by_id", "readable_notes", "reads_internal", "record_changes", "recount", "resolve",
    "suggestion", "suggestions",
]  # fmt: skip
