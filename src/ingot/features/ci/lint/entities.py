"""The result of a check on the wire."""

from typing import Any
from urllib.parse import quote

from ingot.access.call import Call
from ingot.features.ci.config import Included, JobRule, LintResult, PlannedJob
from ingot.kit.entity import UNSET, Entity, UnsetType


class Include(Entity):
    """An included file."""

    type: str
    location: str
    blob: str | None
    raw: str | None
    extra: dict[str, Any]
    context_project: str | None
    context_sha: str | None


class LintJob(Entity):
    """A job of the configuration."""

    name: str
    stage: str
    before_script: list[str]
    script: list[str]
    after_script: list[str]
    tag_list: list[str]
    environment: str | None
    when: str
    allow_failure: bool
    needs: list[str] | None


class Lint(Entity, kw_only=True):
    """The result of a check."""

    valid: bool
    merged_yaml: str | None
    errors: list[str]
    warnings: list[str]
    includes: list[Include]
    jobs: list[LintJob] | UnsetType = UNSET


def result(call: Call, checked: LintResult, sha: str | None, *, include_jobs: bool) -> Lint:
    """The answer of both endpoints."""
    return Lint(
        valid=checked.valid,
        merged_yaml=checked.merged_yaml,
        errors=list(checked.errors),
        warnings=list(checked.warnings),
        includes=[_include(call, one, sha) for one in checked.included],
        jobs=_jobs(checked) if include_jobs else UNSET,
    )


def _include(call: Call, included: Included, sha: str | None) -> Include:
    project = included.project or call.project.full_path
    at = included.ref or sha
    is_file = included.kind in ("local", "file", "project") and at is not None
    where = f"{call.base_url}/{project}/-"
    path = quote(included.location.lstrip("/"))
    extra = {} if included.project is None else {"project": included.project, "ref": included.ref}
    return Include(
        type="file" if included.kind == "project" else included.kind,
        location=included.location,
        blob=f"{where}/blob/{at}/{path}" if is_file else None,
        raw=f"{where}/raw/{at}/{path}" if is_file else included.location,
        extra=extra,
        context_project=call.project.full_path,
        context_sha=sha,
    )


def _jobs(checked: LintResult) -> list[LintJob]:
    if checked.jobs:
        return [_job(job) for job in checked.jobs]
    if checked.configuration is None:
        return []
    return [_job(job) for job in checked.configuration.jobs.values()]


def _job(job: PlannedJob | JobRule) -> LintJob:
    """A job of a simulated pipeline, or as it is declared: without its needs."""
    needs = job.needs if isinstance(job, PlannedJob) else None
    return LintJob(
        name=job.name,
        stage=job.stage,
        before_script=list(job.before_script),
        script=list(job.script),
        after_script=list(job.after_script),
        tag_list=list(job.tags),
        environment=job.environment.name if job.environment is not None else None,
        when=job.when or "on_success",
        allow_failure=bool(job.allow_failure),
        needs=None if needs is None else [need.name for need in needs],
    )
