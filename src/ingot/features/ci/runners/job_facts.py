"""The parts of the answer to a runner's request: the job, its commit, its queue and its dependencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ingot.features.ci.config import PlannedJob
from ingot.features.ci.variables import CiVariable


class GitFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The commit to fetch. `repo_url` already carries the job's token."""

    repo_url: str
    ref: str
    sha: str
    before_sha: str
    is_tag: bool
    is_protected: bool
    default_depth: int
    extra_refs: tuple[str, ...] = ()
    """Full names of refs that exist and must be fetched too (`refs/pipelines/77`)."""
    ref_exists: bool = True


class Dependency(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier job whose archive is downloaded; without a file name the runner skips it."""

    id: int
    name: str
    filename: str | None = None
    size: int = 0


class QueueFacts(msgspec.Struct, frozen=True, kw_only=True):
    seconds: float = 0.0
    running_on_instance_runners: int | None = None
    """None for runners that are not the instance's."""
    size: int = 1


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """All parts of the answer to a runner's request."""

    job_id: int
    token: str
    plan: PlannedJob
    pipeline_id: int
    project_id: int
    project_name: str
    project_full_path: str
    namespace_id: int
    root_namespace_id: int
    user_id: int | None
    instance_uuid: str
    runner_id: int
    timeout: int
    git: GitFacts
    variables: Sequence[CiVariable]
    dependencies: Sequence[Dependency] = ()
    queue: QueueFacts = QueueFacts()
    reuses_clone: bool = True
    """Jobs fetch into the repository that an earlier one left; otherwise they clone anew."""
    separate_caches: bool = True
    """Protected refs get caches of their own."""
    file_digests: Mapping[tuple[str, ...], str] = {}
    """For `cache:key:files`: the listed files to a digest of their state."""
    registry: str | None = None
