"""Snippets of users and projects."""

from ingot.features.spaces.snippets.archived import named_snippets, replace_files, snippet_digest
from ingot.features.spaces.snippets.commands import LONGEST, MOST_FILES
from ingot.features.spaces.snippets.entities import Snippet
from ingot.features.spaces.snippets.entities import present as present_snippets
from ingot.features.spaces.snippets.policy import READ_SNIPPETS, readable_snippets
from ingot.features.spaces.snippets.policy import may_change as may_change_snippet
from ingot.features.spaces.snippets.queries import find as find_snippet
from ingot.features.spaces.snippets.queries import readable as readable_snippets_with_project
from ingot.features.spaces.snippets.rows import StoredSnippet
from ingot.features.spaces.snippets.tables import snippet_files, snippets

__all__ = [
    "LONGEST",
    "MOST_FILES",
    "READ_SNIPPETS",
    "Snippet",
    "StoredSnippet",
    "find_snippet",
    "may_change_snippet",
    "named_snippets",
    "present_snippets",
    "readable_snippets",
    "readable_snippets_with_project",
    "replace_files",
    "snippet_digest",
    "snippet_files",
    "snippets",
]
