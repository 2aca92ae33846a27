"""Repositories over the API: branches, tags, commits, files, trees, comparisons, archives."""

from ingot.features.repository.entities import (
    CommitBasic,
    FileDiffEntity,
    LastPipeline,
    commit_basic,
    commit_url,
    file_diff,
    project_url,
)
from ingot.features.repository.families import are_related
from ingot.features.repository.pipeline_source import pipeline_source

__all__ = [
    "CommitBasic", "FileDiffEntity", "LastPipeline", "are_related", "commit_basic", "commit_url", "file_diff",
    "pipeline_source", "project_url",
]  # fmt: skip
