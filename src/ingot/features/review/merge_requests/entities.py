"""Merge requests on the wire: the list form, the simple view, and the single form, which extends the list form."""

from datetime import datetime
from typing import Any

from ingot.features.people.users import UserBasic
from ingot.features.planning.issuables import References, TaskCompletion
from ingot.features.planning.labels import LabelDetail
from ingot.features.planning.milestones import Milestone
from ingot.features.planning.time_tracking import TimeStats
from ingot.kit.entity import UNSET, Entity, UnsetType


class MergeRequestSimple(Entity):
    """`view=simple`."""

    id: int
    iid: int
    project_id: int
    title: str
    description: str | None
    state: str
    created_at: datetime
    updated_at: datetime
    web_url: str


class MergeRequestBasic(Entity, kw_only=True):
    """The list form."""

    id: int
    iid: int
    project_id: int
    title: str
    description: str | None
    state: str
    created_at: datetime
    updated_at: datetime
    title_html: str | UnsetType = UNSET
    description_html: str | UnsetType = UNSET
    merged_by: UserBasic | None
    merge_user: UserBasic | None
    merged_at: datetime | None
    closed_by: UserBasic | None
    closed_at: datetime | None
    target_branch: str
    source_branch: str
    user_notes_count: int
    upvotes: int
    downvotes: int
    author: UserBasic | None
    assignees: list[UserBasic]
    assignee: UserBasic | None
    reviewers: list[UserBasic]
    source_project_id: int | None
    target_project_id: int
    labels: list[str | LabelDetail]
    draft: bool
    imported: bool
    imported_from: str
    work_in_progress: bool
    milestone: Milestone | None
    merge_when_pipeline_succeeds: bool
    merge_status: str
    detailed_merge_status: str
    merge_after: datetime | None
    sha: str | None
    merge_commit_sha: str | None
    squash_commit_sha: str | None
    discussion_locked: bool | None
    should_remove_source_branch: bool | None
    force_remove_source_branch: bool | None
    prepared_at: datetime | None
    allow_collaboration: bool | UnsetType = UNSET
    allow_maintainer_to_push: bool | UnsetType = UNSET
    reference: str
    references: References
    web_url: str
    time_stats: TimeStats
    squash: bool
    squash_on_merge: bool
    task_completion_status: TaskCompletion
    has_conflicts: bool
    blocking_discussions_resolved: bool
    approvals_before_merge: int | UnsetType | None = UNSET
    group_id: int | UnsetType = UNSET


class DiffRefs(Entity):
    """The three commits that a diff is made of."""

    base_sha: str | None
    head_sha: str | None
    start_sha: str | None


class CallerRights(Entity):
    """What the caller may do."""

    can_merge: bool


class MergeRequest(MergeRequestBasic, kw_only=True):
    """The single form."""

    subscribed: bool
    changes_count: str | None
    latest_build_started_at: datetime | UnsetType | None = UNSET
    latest_build_finished_at: datetime | UnsetType | None = UNSET
    first_deployed_to_production_at: datetime | UnsetType | None = UNSET
    pipeline: dict[str, Any] | UnsetType | None = UNSET
    head_pipeline: dict[str, Any] | UnsetType | None = UNSET
    diff_refs: DiffRefs | None
    merge_error: str | None
    rebase_in_progress: bool | UnsetType = UNSET
    diverged_commits_count: int | UnsetType = UNSET
    first_contribution: bool | UnsetType = UNSET
    user: CallerRights
