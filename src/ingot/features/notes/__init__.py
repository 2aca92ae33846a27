"""Comments and discussions on merge requests, issues, commits and snippets.

For other features: `add_system_note` records what happened to a thing, `snapshot` and
`record_changes` tell what a change changed, `recount` keeps the counts after bulk changes.
"""

from ingot.features.notes.counts import commented_on, forget, recount, restart_threads, threads_started_by
from ingot.features.notes.history import Snapshot, record_changes, snapshot
from ingot.features.notes.system import Target, add_system_note, new_discussion_id
from ingot.features.notes.tables import notes, suggestions

__all__ = [
    "Snapshot", "Target", "add_system_note", "commented_on", "forget", "new_discussion_id", "notes", "record_changes",
    "recount", "restart_threads", "snapshot", "suggestions", "threads_started_by",
]  # fmt: skip
