"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol

from ingot.features.planning.issuables import IssuableRow


class MergeRequestDiffRow(Protocol):
    """A row of `merge_request_diffs`."""

    id: int
    merge_request_id: int
    head_sha: str
    base_sha: str | None
    start_sha: str | None
    state: str
    real_size: str
    patch_id_sha: str | None
    created_at: datetime


class MergeRequestRow(IssuableRow, Protocol):
    """A row of `merge_requests`."""

    source_project_id: int | None
    source_branch: str
    target_branch: str
    is_draft: bool
    squash: bool
    force_remove_source_branch: bool | None
    should_remove_source_branch: bool | None
    allow_collaboration: bool
    merge_after: datetime | None
    approvals_before_merge: int | None
    auto_merge: bool
    auto_merge_user_id: int | None
    auto_merge_options: Any
    merge_status: str
    merge_error: str | None
    head_sha: str | None
    base_sha: str | None
    start_sha: str | None
    checked_target_sha: str | None
    source_branch_exists: bool
    target_branch_exists: bool
    needs_rebase: bool
    commits_count: int
    changes_count: str | None
    rebase_in_progress: bool
    head_pipeline_id: int | None
    merge_commit_sha: str | None
    squash_commit_sha: str | None
    in_progress_merge_sha: str | None
    locked_at: datetime | None
    prepared_at: datetime | None
    merged_at: datetime | None
    merged_by_id: int | None
    closed_at: datetime | None
    closed_by_id: int | None
    first_contribution: bool | None
    unresolved_threads: int
    is_labelled: bool


class MergeRequestWithProject(MergeRequestRow, Protocol):
    """A merge request with columns of its target project, as `with_project` selects it."""

    project_path: str
    project_namespace_id: int
    project_settings: dict[str, Any]
    project_default_branch: str | None
    project_archived: bool
    project_repository_storage: str


class ReviewerRow(Protocol):
    """A reviewer, with what they think."""

    user_id: int
    state: str
    created_at: datetime


class SignerRow(Protocol):
    """A user named in commits of a merge."""

    id: int
    name: str
    commit_email: str | None
    email: str


class MergeRequestStateEventRow(Protocol):
    """A row of `merge_request_state_events`."""

    id: int
    merge_request_id: int
    user_id: int | None
    state: str
    created_at: datetime
