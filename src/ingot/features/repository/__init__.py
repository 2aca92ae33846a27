"""Repositories over the API: branches, tags, commits, files, trees, comparisons, archives."""

from ingot.features.repository.entities import (
    CommitBasic,
    FileDiffEntity,
    commit_basic,
    commit_url,
    file_diff,
    project_url,
)

__all__ = ["CommitBasic", "FileDiffEntity", "commit_basic", "commit_url", "file_diff", "project_url"]
