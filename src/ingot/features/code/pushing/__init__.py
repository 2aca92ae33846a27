"""Every change of a branch or tag, by git or by an endpoint: who may make it, and what follows."""

from ingot.features.code.pushing.first_branch import repair
from ingot.features.code.pushing.hooks import (
    OpenedBranch,
    PushOptions,
    apply_options,
    follows_merges,
    has_options,
    links_after_push,
    obeys_options,
    opens_branches,
    prints_links,
    remembers_refs,
)
from ingot.features.code.pushing.notes import (
    Note,
    Noting,
    announce_push,
    announcing,
    current_note,
    may_follow,
    moving,
    note_push,
    noting,
    remove_merge_note,
    remove_push_note,
)
from ingot.features.code.pushing.rights import PushRights, load_rights
from ingot.features.code.pushing.texts import BAD_NAME, DEFAULT_DELETE, HEX_BRANCH, HIDDEN_REF, NO_PUSH, refusal

__all__ = [
    "BAD_NAME", "DEFAULT_DELETE", "HEX_BRANCH", "HIDDEN_REF", "NO_PUSH", "Note", "Noting", "OpenedBranch",
    "PushOptions", "PushRights", "announce_push", "announcing", "apply_options", "current_note", "follows_merges",
    "has_options", "links_after_push", "load_rights", "may_follow", "moving", "note_push", "noting", "obeys_options",
    "opens_branches", "prints_links", "refusal", "remembers_refs", "remove_merge_note", "remove_push_note", "repair",
]  # fmt: skip
