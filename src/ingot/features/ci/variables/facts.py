"""The facts behind predefined variables: server, project, user, commit, merge request, pipeline, job, runner."""

from __future__ import annotations

import msgspec


class ServerFacts(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    version: str
    revision: str = ""
    name: str = "GitLab"
    """Existing scripts check this value to learn which API they talk to."""


class ProjectFacts(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    path: str
    full_path: str
    title: str
    namespace_id: int
    url: str
    visibility: str
    default_branch: str | None = None
    config_path: str = ".gitlab-ci.yml"
    description: str = ""

    @property
    def namespace(self) -> str:
        return self.full_path.rpartition("/")[0]


class UserFacts(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    username: str
    name: str
    email: str


class CommitFacts(msgspec.Struct, frozen=True, kw_only=True):
    sha: str
    before_sha: str
    message: str
    author: str
    timestamp: str


class MergeRequestFacts(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    iid: int
    title: str
    description: str
    is_draft: bool
    is_approved: bool
    is_squashed: bool
    source_branch: str
    source_sha: str
    source_is_protected: bool
    source_project: ProjectFacts
    target_branch: str
    target_sha: str
    target_is_protected: bool
    target_project: ProjectFacts
    diff_id: int
    diff_base_sha: str
    event_type: str = "detached"
    labels: tuple[str, ...] = ()
    milestone: str | None = None
    assignees: tuple[str, ...] = ()


class PipelineFacts(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    iid: int
    source: str
    url: str
    created_at: str
    ref: str
    is_tag: bool
    is_protected: bool
    commit: CommitFacts
    name: str | None = None
    schedule_description: str | None = None
    tag_message: str | None = None
    trigger_short_token: str | None = None
    merge_request: MergeRequestFacts | None = None
    open_merge_requests: tuple[str, ...] = ()
    is_frozen: bool = False


class RunnerFacts(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    description: str
    tags: tuple[str, ...]


class EnvironmentFacts(msgspec.Struct, frozen=True, kw_only=True):
    id: int | None
    name: str
    action: str = "start"
    url: str | None = None
    tier: str | None = None


class JobFacts(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    group_name: str
    stage: str
    url: str
    token: str
    repository_url: str
    timeout: int
    started_at: str | None = None
    is_manual: bool = False
    image: str | None = None
    parallel_index: int | None = None
    parallel_total: int | None = None
    environment: EnvironmentFacts | None = None
