"""Repositories over the API: branches, tags, commits, files, trees, comparisons, archives."""

from ingot.features.repository.entities import (
    CommitBasic,
    FileDiffEntity,
    commit_basic,
    commit_url,
    file_diff,
    project_url,
)
from ingot.features.repository.families import are_related

__all__ = [
    "CommitBasic", "FileDiffEntity", "are_related", "commit_basic", "commit_url", "file_diff", "project_url",
]  # fmt: skip
