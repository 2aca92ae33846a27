"""Repositories over the API: branches, tags, commits, files, trees, comparisons, archives."""

from ingot.features.code.repository.committing import caller, commit
from ingot.features.code.repository.entities import (
    CommitBasic,
    FileDiffEntity,
    LastPipeline,
    commit_basic,
    file_diff,
    project_url,
)
from ingot.features.code.repository.families import are_related
from ingot.features.code.repository.last_pipelines import pipeline_source
from ingot.features.code.repository.sending import send_chunks

__all__ = [
    "CommitBasic", "FileDiffEntity", "LastPipeline", "are_related", "caller", "commit", "commit_basic",
    "file_diff", "pipeline_source", "project_url", "send_chunks",
]  # fmt: skip
