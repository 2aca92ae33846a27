"""Snippets of users and projects."""

from ingot.features.spaces.snippets.archived import named_snippets, replace_files, snippet_digest
from ingot.features.spaces.snippets.commands import LONGEST, MOST_FILES
from ingot.features.spaces.snippets.tables import snippet_files, snippets

__all__ = [
    "LONGEST",
    "MOST_FILES",
    "named_snippets",
    "replace_files",
    "snippet_digest",
    "snippet_files",
    "snippets",
]
