"""Converts a planned job and its facts to the answer for the runner."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID, uuid5

import msgspec

from ingot.features.ci.config import Artifacts, Cache, Image, PlannedJob, Service
from ingot.features.ci.engine import RUNNER_FAILURE_REASONS
from ingot.features.ci.job_outputs import DEFAULT_FILE_NAMES, FORMATS
from ingot.features.ci.runners.job_facts import Assignment, Dependency, GitFacts
from ingot.features.ci.runners.response import (
    ArchiveFile,
    ArtifactInfo,
    CacheInfo,
    Credential,
    DependencyInfo,
    Features,
    GitInfo,
    Hook,
    ImageInfo,
    JobInfo,
    JobResponse,
    RunnerInfo,
    ServiceInfo,
    Step,
)
from ingot.features.ci.variables import from_plan


def job_response(given: Assignment) -> JobResponse:
    """The complete answer to a runner that was given this job."""
    plan = given.plan
    return JobResponse(
        id=given.job_id,
        token=given.token,
        allow_git_fetch=given.reuses_clone,
        job_info=_job_info(given),
        git_info=_git_info(given),
        runner_info=RunnerInfo(given.timeout, _runner_uuid(given)),
        variables=tuple(given.variables),
        steps=_steps(plan, given.timeout),
        run=msgspec.UNSET if plan.run is None else msgspec.json.encode(plan.run).decode(),
        hooks=(Hook("pre_get_sources_script", plan.pre_get_sources_script),) if plan.pre_get_sources_script else (),
        image=None if plan.image is None else _image(plan.image),
        services=tuple(_service(service) for service in plan.services),
        artifacts=artifact_entries(plan.artifacts) or None,
        cache=tuple(_cache(cache, given) for cache in plan.caches),
        credentials=_credentials(given),
        dependencies=tuple(_dependency(dependency, given.token) for dependency in given.dependencies),
        features=Features(
            trace_sections=True,
            token_mask_prefixes=("glpat-", "glcbt-", "glrt-", "gldt-", "glptt-"),
            failure_reasons=RUNNER_FAILURE_REASONS,
        ),
    )


def required_features(plan: PlannedJob, ref: str) -> frozenset[str]:
    """The features that a runner needs to get this job."""
    # Old runners fetch all branches and tags themselves; for what is neither they need the ref.
    needed = {"refspecs"} if ref.startswith("refs/") else set()
    if plan.artifacts is not None:
        if plan.artifacts.reports:
            needed.add("upload_multiple_artifacts")
        if plan.artifacts.exclude:
            needed.add("artifacts_exclude")
    if plan.release is not None:
        needed.add("multi_build_steps")
    if plan.allow_failure_exit_codes or plan.retry.exit_codes:
        needed.add("return_exit_code")
    return frozenset(needed)


def artifact_entries(artifacts: Artifacts | None) -> tuple[ArtifactInfo, ...]:
    """One upload for the archive and one for each kind of report."""
    if artifacts is None:
        return ()
    entries = []
    if artifacts.has_archive:
        entries.append(
            ArtifactInfo(
                name=artifacts.name,
                untracked=artifacts.untracked,
                paths=artifacts.paths,
                exclude=artifacts.exclude,
                when=artifacts.when,
                expire_in=artifacts.expire_in,
                artifact_type="archive",
                artifact_format="zip",
            )
        )
    entries += [
        ArtifactInfo(
            name=DEFAULT_FILE_NAMES[kind],
            paths=paths,
            when="always",
            expire_in=artifacts.expire_in,
            artifact_type=kind,
            artifact_format=FORMATS[kind],
        )
        for kind, paths in artifacts.reports.items()
    ]
    return tuple(entries)


def refspecs(git: GitFacts, depth: int) -> tuple[str, ...]:
    """What to fetch: the ref of the pipeline, or everything when the job needs the whole history."""
    extra = tuple(f"+{ref}:{ref}" for ref in git.extra_refs)
    # Asking for a ref that is gone would fail the whole fetch.
    gone = bool(extra) and not git.ref_exists
    if git.ref.startswith("refs/") and not gone:
        extra = (*extra, f"+{git.ref}:{git.ref}")
    if depth == 0:
        return (*extra, "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
    if git.ref.startswith("refs/") or gone:
        return extra
    if git.is_tag:
        return (*extra, f"+refs/tags/{git.ref}:refs/tags/{git.ref}")
    return (*extra, f"+refs/heads/{git.ref}:refs/remotes/origin/{git.ref}")


def _depth(given: Assignment) -> int:
    options = next((variable.value for variable in reversed(given.variables) if variable.key == "GIT_DEPTH"), "")
    return int(options) if options.isascii() and options.isdigit() and len(options) < 10 else given.git.default_depth


def _git_info(given: Assignment) -> GitInfo:
    depth = _depth(given)
    return GitInfo(
        repo_url=given.git.repo_url,
        repo_object_format="sha1" if len(given.git.sha) == 40 else "sha256",
        ref=given.git.ref,
        sha=given.git.sha,
        before_sha=given.git.before_sha,
        ref_type="tag" if given.git.is_tag else "branch",
        refspecs=refspecs(given.git, depth),
        depth=depth,
        protected=given.git.is_protected,
    )


def _runner_uuid(given: Assignment) -> str:
    """Identifies the runner in its logs and usage records: the same for every job, and unique among instances."""
    return str(uuid5(UUID(given.instance_uuid), f"runner {given.runner_id}"))


def _job_info(given: Assignment) -> JobInfo:
    running = given.queue.running_on_instance_runners
    return JobInfo(
        id=given.job_id,
        name=given.plan.name,
        stage=given.plan.stage,
        pipeline_id=given.pipeline_id,
        project_id=given.project_id,
        project_name=given.project_name,
        project_full_path=given.project_full_path,
        namespace_id=given.namespace_id,
        root_namespace_id=given.root_namespace_id,
        organization_id=1,
        instance_id=given.instance_uuid,
        instance_uuid=given.instance_uuid,
        user_id=given.user_id,
        time_in_queue_seconds=given.queue.seconds,
        project_jobs_running_on_instance_runners_count="+Inf" if running is None else str(running),
        queue_size=given.queue.size,
        queue_depth=given.queue.size,
    )


def _steps(plan: PlannedJob, timeout: int) -> tuple[Step, ...]:
    steps = []
    if plan.run is None:
        steps.append(Step("script", (*plan.before_script, *plan.script), timeout))
    if plan.release is not None:
        steps.append(Step("release", (_release_line(plan.release),), timeout))
    if plan.after_script:
        steps.append(Step("after_script", plan.after_script, timeout, when="always", allow_failure=True))
    return tuple(steps)


def _release_line(release: Mapping[str, object]) -> str:
    words = ["release-cli", "create"]
    words += [
        f"--{key.replace('_', '-')} {_quoted(str(release[key]))}"
        for key in ("name", "description", "tag_name", "tag_message", "ref", "released_at")
        if release.get(key)
    ]
    milestones = release.get("milestones")
    if isinstance(milestones, list | tuple):
        words += [f"--milestone {_quoted(str(name))}" for name in milestones]
    assets = release.get("assets")
    links = assets.get("links") if isinstance(assets, dict) else None
    if isinstance(links, list | tuple):
        words += [f"--assets-link {_quoted(msgspec.json.encode(link).decode())}" for link in links]
    return " ".join(words)


def _quoted(text: str) -> str:
    """Double quotes, so that the runner's shell still fills in $VARIABLES, but runs nothing."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`").replace("$(", "\\$(")
    return f'"{escaped}"'


def _image(image: Image) -> ImageInfo:
    return ImageInfo(
        name=image.name,
        entrypoint=image.entrypoint,
        ports=image.ports,
        executor_opts=image.executor_opts,
        pull_policy=image.pull_policy,
    )


def _service(service: Service) -> ServiceInfo:
    return ServiceInfo(
        name=service.name,
        entrypoint=service.entrypoint,
        ports=service.ports,
        executor_opts=service.executor_opts,
        pull_policy=service.pull_policy,
        alias=service.alias,
        command=service.command,
        variables=tuple(from_plan(service.variables)),
    )


def _cache(cache: Cache, given: Assignment) -> CacheInfo:
    key = cache.key or "default"
    if cache.key_files:
        digest = given.file_digests.get(cache.key_files, "default")
        key = f"{cache.key_prefix}-{digest}" if cache.key_prefix else digest
    suffix = ""
    if given.separate_caches:
        suffix = "-protected" if given.git.is_protected and not cache.unprotect else "-non_protected"
    return CacheInfo(
        key=key + suffix,
        untracked=cache.untracked,
        policy=cache.policy,
        paths=cache.paths,
        when=cache.when,
        fallback_keys=tuple(fallback + suffix for fallback in cache.fallback_keys),
    )


def _credentials(given: Assignment) -> tuple[Credential, ...]:
    return () if given.registry is None else (Credential("registry", given.registry, "gitlab-ci-token", given.token),)


def _dependency(dependency: Dependency, token: str) -> DependencyInfo:
    archive = None if dependency.filename is None else ArchiveFile(dependency.filename, dependency.size)
    # The token of the running job, not of the one that made the archive: that one's has expired.
    return DependencyInfo(id=dependency.id, name=dependency.name, token=token, artifacts_file=archive)
