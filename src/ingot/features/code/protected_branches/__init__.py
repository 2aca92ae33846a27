"""Protected branches and tags: who may push, merge and create."""

from ingot.features.code.protected_branches.commands import has_access
from ingot.features.code.protected_branches.inherited import all_protected_branches
from ingot.features.code.protected_branches.patterns import matches
from ingot.features.code.protected_branches.protection import Protection, load, load_for, protect_default_branch
from ingot.features.code.protected_branches.roles import protect_for_roles, unprotect
from ingot.features.code.protected_branches.tables import (
    protected_branch_access_levels,
    protected_branches,
    protected_tag_access_levels,
    protected_tags,
)

__all__ = [
    "Protection", "all_protected_branches", "has_access", "load", "load_for", "matches", "protect_default_branch",
    "protect_for_roles", "protected_branch_access_levels", "protected_branches", "protected_tag_access_levels",
    "protected_tags", "unprotect",
]  # fmt: skip
