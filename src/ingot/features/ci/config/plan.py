"""The result of compiling: plain values, ready to be stored as JSON and read back."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

When = Literal["on_success", "on_failure", "always", "manual", "delayed", "never"]


class PlannedVariable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    key: str
    value: str
    raw: bool = False
    """Not to be expanded by the runner (`expand: false`)."""
    description: str | None = None
    options: tuple[str, ...] = ()


class Image(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    entrypoint: tuple[str, ...] | None = None
    pull_policy: tuple[str, ...] | None = None
    ports: tuple[Any, ...] = ()
    executor_opts: dict[str, Any] = {}


class Service(Image, frozen=True, kw_only=True, omit_defaults=True):
    alias: str | None = None
    command: tuple[str, ...] | None = None
    variables: tuple[PlannedVariable, ...] = ()


class Artifacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str | None = None
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    untracked: bool = False
    when: str = "on_success"
    expire_in: str | None = None
    """As written; `never` included. None: the instance's default."""
    expose_as: str | None = None
    access: Literal["all", "developer", "maintainer", "none"] = "all"
    reports: dict[str, tuple[str, ...]] = {}
    """Artifact type (junit, dotenv, cobertura, ...) to paths."""

    @property
    def has_archive(self) -> bool:
        return bool(self.paths) or self.untracked


class Cache(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    key: str | None = None
    key_files: tuple[str, ...] = ()
    key_files_commits: bool = False
    key_prefix: str | None = None
    paths: tuple[str, ...] = ()
    untracked: bool = False
    policy: str = "pull-push"
    when: str = "on_success"
    fallback_keys: tuple[str, ...] = ()
    unprotect: bool = False


class Retry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    max: int = 0
    when: tuple[str, ...] = ("always",)
    exit_codes: tuple[int, ...] = ()


class Environment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    """Variables already expanded; `template` keeps what was written."""
    template: str
    url: str | None = None
    action: Literal["start", "stop", "prepare", "verify", "access"] = "start"
    on_stop: str | None = None
    auto_stop_in: str | None = None
    deployment_tier: str | None = None


class Need(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One job this one waits for, by its final name (parallel jobs are written out)."""

    name: str
    artifacts: bool = True
    optional: bool = False


class CrossNeed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Artifacts needed from another pipeline or project; nothing to wait for in this pipeline."""

    job: str
    pipeline: str | None = None
    project: str | None = None
    ref: str | None = None
    artifacts: bool = True
    optional: bool = False


class TriggerInclude(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One source of a child pipeline's configuration."""

    local: str | None = None
    artifact: str | None = None
    job: str | None = None
    project: str | None = None
    remote: str | None = None
    component: str | None = None
    file: tuple[str, ...] = ()
    ref: str | None = None
    inputs: dict[str, Any] = {}


class Trigger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    project: str | None = None
    branch: str | None = None
    include: tuple[TriggerInclude, ...] = ()
    strategy: Literal["depend", "mirror"] | None = None
    forward_yaml_variables: bool = True
    forward_pipeline_variables: bool = False
    inputs: dict[str, Any] = {}
    upstream: str | None = None
    """Project whose latest pipeline status the bridge copies (`needs:pipeline` on a bridge)."""

    @property
    def is_child(self) -> bool:
        return bool(self.include)

    def child_source(self) -> dict[str, Any]:
        """What to compile for the child pipeline: a configuration of includes only."""
        entries = []
        for include in self.include:
            entry = {
                key: value for key, value in msgspec.structs.asdict(include).items() if value not in (None, (), {}, "")
            }
            if include.file:
                entry["file"] = list(include.file)
            entries.append(entry)
        return {"include": entries}


class PlannedJob(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    group_name: str
    """The name in the file, without the parallel part."""
    stage: str
    stage_index: int
    kind: Literal["build", "bridge"] = "build"
    when: When = "on_success"
    start_in: int | None = None
    """Seconds to wait, for delayed jobs."""
    allow_failure: bool = False
    allow_failure_exit_codes: tuple[int, ...] = ()
    script: tuple[str, ...] = ()
    before_script: tuple[str, ...] = ()
    after_script: tuple[str, ...] = ()
    run: tuple[dict[str, Any], ...] | None = None
    pre_get_sources_script: tuple[str, ...] = ()
    image: Image | None = None
    services: tuple[Service, ...] = ()
    variables: tuple[PlannedVariable, ...] = ()
    tags: tuple[str, ...] = ()
    needs: tuple[Need, ...] | None = None
    """None: waits for all earlier stages. Empty: starts immediately."""
    cross_needs: tuple[CrossNeed, ...] = ()
    dependencies: tuple[str, ...] | None = None
    """None: archives of all earlier stages, or of the needed jobs."""
    artifacts: Artifacts | None = None
    caches: tuple[Cache, ...] = ()
    environment: Environment | None = None
    trigger: Trigger | None = None
    retry: Retry = Retry()
    timeout: int | None = None
    interruptible: bool = False
    resource_group: str | None = None
    coverage: str | None = None
    parallel_index: int | None = None
    parallel_total: int | None = None
    release: dict[str, Any] | None = None
    id_tokens: dict[str, str | list[str]] = {}
    """Variables that hold a signed token, with its audience as written."""
    pages: dict[str, Any] | None = None
    manual_confirmation: str | None = None

    @property
    def uses_needs(self) -> bool:
        return self.needs is not None


class PipelinePlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    stages: tuple[str, ...]
    """Stages that have jobs, in order, `.pre` first and `.post` last."""
    jobs: tuple[PlannedJob, ...]
    variables: tuple[PlannedVariable, ...] = ()
    name: str | None = None
    auto_cancel_on_new_commit: str = "conservative"
    auto_cancel_on_job_failure: str = "none"
    warnings: tuple[str, ...] = ()

    def job(self, name: str) -> PlannedJob:
        return next(job for job in self.jobs if job.name == name)
