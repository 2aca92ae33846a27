"""The body of a job handed to a runner, type by type."""

from __future__ import annotations

from typing import Any

import msgspec

from ingot.features.ci.variables import CiVariable


class Step(msgspec.Struct, frozen=True):
    name: str
    script: tuple[str, ...]
    timeout: int
    when: str = "on_success"
    allow_failure: bool = False


class Hook(msgspec.Struct, frozen=True):
    name: str
    script: tuple[str, ...]


class JobInfo(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    stage: str
    pipeline_id: int
    project_id: int
    project_name: str
    project_full_path: str
    namespace_id: int
    root_namespace_id: int
    organization_id: int
    instance_id: str
    instance_uuid: str
    user_id: int | None
    time_in_queue_seconds: float
    project_jobs_running_on_instance_runners_count: str
    queue_size: int
    queue_depth: int


class GitInfo(msgspec.Struct, frozen=True, kw_only=True):
    repo_url: str
    repo_object_format: str
    ref: str
    sha: str
    before_sha: str
    ref_type: str
    refspecs: tuple[str, ...]
    depth: int
    protected: bool


class RunnerInfo(msgspec.Struct, frozen=True):
    timeout: int
    uuid: str
    runner_session_url: str | None = None


class ImageInfo(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    entrypoint: tuple[str, ...] | None
    ports: tuple[Any, ...]
    executor_opts: dict[str, Any]
    pull_policy: tuple[str, ...] | None


class ServiceInfo(ImageInfo, frozen=True, kw_only=True):
    alias: str | None
    command: tuple[str, ...] | None
    variables: tuple[CiVariable, ...]


class ArtifactInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str | None
    untracked: bool | msgspec.UnsetType = msgspec.UNSET  # of the archive only
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    when: str | None = None
    expire_in: str | None = None
    artifact_type: str
    artifact_format: str


class CacheInfo(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    untracked: bool
    policy: str
    paths: tuple[str, ...]
    when: str
    fallback_keys: tuple[str, ...]


class Credential(msgspec.Struct, frozen=True):
    type: str
    url: str
    username: str
    password: str


class ArchiveFile(msgspec.Struct, frozen=True):
    filename: str
    size: int


class DependencyInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: int
    name: str
    token: str
    artifacts_file: ArchiveFile | None = None


class Features(msgspec.Struct, frozen=True):
    trace_sections: bool
    token_mask_prefixes: tuple[str, ...]
    failure_reasons: tuple[str, ...]


class PolicyOptions(msgspec.Struct, frozen=True):
    execution_policy_job: bool = False
    policy_name: str = ""


class JobResponse(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    token: str
    allow_git_fetch: bool
    job_info: JobInfo
    git_info: GitInfo
    runner_info: RunnerInfo
    inputs: tuple[Any, ...] = ()
    variables: tuple[CiVariable, ...]
    steps: tuple[Step, ...]
    run: str | msgspec.UnsetType = msgspec.UNSET
    hooks: tuple[Hook, ...]
    image: ImageInfo | None
    services: tuple[ServiceInfo, ...]
    artifacts: tuple[ArtifactInfo, ...] | None
    cache: tuple[CacheInfo, ...]
    credentials: tuple[Credential, ...]
    dependencies: tuple[DependencyInfo, ...]
    features: Features
    secrets: dict[str, Any] = {}
    policy_options: PolicyOptions = PolicyOptions()
