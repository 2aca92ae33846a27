"""Around every change of a branch or tag, by git or by an endpoint: who may make it, and what follows it."""

from ingot.features.pushing import texts
from ingot.features.pushing.first_branch import repair
from ingot.features.pushing.hooks import (
    OpenedBranch,
    PushOptions,
    apply_options,
    follows_merges,
    has_options,
    links_after_push,
    obeys_options,
    opens_branches,
    prints_links,
    witnesses_moves,
)
from ingot.features.pushing.notes import (
    Note,
    Noting,
    announce_push,
    current_note,
    may_follow,
    moving,
    note_push,
    noting,
    push_notes,
    telling_of,
    tick_off,
    tick_off_merge,
)
from ingot.features.pushing.rights import PushRights, load_rights
from ingot.features.pushing.texts import refusal

__all__ = [
    "Note", "Noting", "OpenedBranch", "PushOptions", "PushRights", "announce_push", "apply_options", "current_note",
    "follows_merges", "has_options", "links_after_push", "load_rights", "may_follow", "moving", "note_push", "noting",
    "obeys_options", "opens_branches", "prints_links", "push_notes", "refusal", "repair", "telling_of", "texts",
    "tick_off", "tick_off_merge", "witnesses_moves",
]  # fmt: skip
