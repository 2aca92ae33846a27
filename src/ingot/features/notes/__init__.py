"""Comments and discussions on merge requests, issues, commits and snippets.

For other features: `add_system_note` records what happened to a thing, `recount` keeps the counts after bulk changes.
"""

from ingot.features.notes.counts import forget, recount
from ingot.features.notes.system import Target, add_system_note, new_discussion_id
from ingot.features.notes.tables import notes, suggestions

__all__ = ["Target", "add_system_note", "forget", "new_discussion_id", "notes", "recount", "suggestions"]
