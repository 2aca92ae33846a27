"""Repositories over the API: branches, tags, commits, files, trees, comparisons, archives."""

from ingot.features.code.repository.commit_lists import list_in_parts
from ingot.features.code.repository.committing import caller, commit
from ingot.features.code.repository.entities import (
    CommitBasic,
    CommitDetail,
    FileDiffEntity,
    LastPipeline,
    commit_basic,
    commit_url,
    file_diff,
    project_url,
)
from ingot.features.code.repository.families import are_related
from ingot.features.code.repository.large_files import can_be_sent
from ingot.features.code.repository.params.commits import ListCommits
from ingot.features.code.repository.pipeline_sources import last_pipelines, pipeline_source
from ingot.features.code.repository.policy import CHANGE_CODE
from ingot.features.code.repository.presenting import present_commits, present_details
from ingot.features.code.repository.sending import send_blob, send_chunks
from ingot.features.code.repository.signatures import signature_statuses
from ingot.features.code.repository.tag_releases import TagReleases, release_source
from ingot.features.code.repository.tagging import make_tag

__all__ = [
    "CHANGE_CODE",
    "CommitBasic",
    "CommitDetail",
    "FileDiffEntity",
    "LastPipeline",
    "ListCommits",
    "TagReleases",
    "are_related",
    "caller",
    "can_be_sent",
    "commit",
    "commit_basic",
    "commit_url",
    "file_diff",
    "last_pipelines",
    "list_in_parts",
    "make_tag",
    "pipeline_source",
    "present_commits",
    "present_details",
    "project_url",
    "release_source",
    "send_blob",
    "send_chunks",
    "signature_statuses",
]  # fmt: skip
