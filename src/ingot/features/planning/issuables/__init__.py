"""What issues and merge requests have in common, and the registry of both kinds.

Labels, milestones, notes, reactions, time tracking and to-do items work on any registered kind, and know neither issues
nor merge requests.
"""

from ingot.features.planning.issuables.entities import References, StateEvent, TaskCompletion
from ingot.features.planning.issuables.naming import may_name, name_in, path_of, references
from ingot.features.planning.issuables.policy import may_comment
from ingot.features.planning.issuables.registry import (
    Audience,
    Commentable,
    IssuableKind,
    Noteable,
    Shown,
    Source,
    Target,
    find_kind,
    get_kind,
    kinds,
    register,
)
from ingot.features.planning.issuables.rows import IssuableRow
from ingot.features.planning.issuables.texts import text_problems
from ingot.features.planning.issuables.titles import count_tasks, is_draft, with_draft, without_draft

__all__ = [
    "Audience", "Commentable", "IssuableKind", "IssuableRow", "Noteable", "References", "Shown", "Source",
    "StateEvent", "Target", "TaskCompletion", "count_tasks", "find_kind", "get_kind", "is_draft", "kinds",
    "may_comment", "may_name", "name_in", "path_of", "references", "register", "text_problems", "with_draft",
    "without_draft",
]  # fmt: skip
