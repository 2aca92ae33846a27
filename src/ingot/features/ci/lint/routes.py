"""Endpoints that check CI configuration."""

from typing import Any

from msgspec.structs import replace

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.access.subjects import Project
from ingot.features.ci.config import PipelineEvent, lint
from ingot.features.ci.engine import (
    CREATE_PIPELINE,
    PipelineOptions,
    PipelineRefused,
    Ref,
    check_rights,
    config_text,
    event_for,
    find_ref,
    is_protected,
)
from ingot.features.ci.lint.entities import Lint, result
from ingot.features.code.protected_branches import Protection
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import revisions
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound
from ingot.kit.params import Param, Params

routes = Routes("CI lint")


class LintFile(Params):
    """Which file of the project to check."""

    content_ref: str | None = Param("Commit, branch or tag whose file is checked; the default branch if absent.")
    sha: str | None = Param("The older name of `content_ref`.")
    dry_run: bool = Param("Also simulate the pipeline.", default=False)
    dry_run_ref: str | None = Param("Branch or tag of that pipeline; the default branch if absent.")
    ref: str | None = Param("The older name of `dry_run_ref`.")
    include_jobs: bool = Param("List the jobs.", default=False)


class LintText(Params):
    """A text to check."""

    content: str = Param("The configuration.", required=True)
    dry_run: bool = Param("Also simulate the pipeline.", default=False)
    ref: str | None = Param("Branch or tag of that pipeline; the default branch if absent.")
    include_jobs: bool = Param("List the jobs.", default=False)


def _check(call: Call[LintFile | LintText], text: str, ref: Ref | None, *, is_own: bool) -> Lint:
    """Check a text as the file of a push to this ref; `is_own`: the ref holds this very text and all it includes."""
    project: Project = call.project
    if ref is None:
        # Without commits there is nothing to include.
        event = PipelineEvent(ref=project.default_branch or "main", project_path=project.full_path)
    else:
        options = PipelineOptions(source="push", ref=ref)
        protection = load_protection(call.conn, call.actor, project)
        event = event_for(
            call.services,
            call.conn,
            call.actor,
            project,
            options,
            is_protected(protection, options),
            sees_variables=is_own and _may_run(call, options, protection),
        )
    checked = lint(text, event, simulate=call.params.dry_run)
    return result(call, checked, ref.sha if ref is not None else None, include_jobs=call.params.include_jobs)


def _may_run(call: Call, options: PipelineOptions, protection: Protection) -> bool:
    """The caller could run the file and read its variables in the job, so checking it reveals nothing new.

    A read-only token cannot start pipelines either.
    """
    try:
        check_rights(call.actor, call.project, options, protection)
    except PipelineRefused:
        return False
    return "api" in call.actor.scopes


@routes.get("/projects/{id}/ci/lint", guard=READ_CODE, params=LintFile, returns=Lint, waits=True, guard_first=True)
def lint_project_configuration(call: Call[LintFile]) -> Answer:
    """Check the project's own configuration.

    CI/CD variables have values only at the head of a branch or tag that the caller may run a pipeline for.
    """
    options: Any = call.params
    repository = repository_of(call.services, call.project)
    revision = options.content_ref or options.sha or call.project.default_branch or ""
    sha = revisions.find(repository, revision) if repository.exists() else None
    if sha is None:
        raise NotFound("Commit")
    text = config_text(call.services, call.conn, call.actor, call.project, sha)
    if text is None:
        return Lint(valid=False, merged_yaml=None, errors=["Please provide content of .gitlab-ci.yml"], warnings=[],
                    includes=[])  # fmt: skip
    ref = find_ref(repository, options.dry_run_ref or options.ref or call.project.default_branch or "")
    if ref is None:
        return _check(call, text, Ref(revision, sha), is_own=False)
    return _check(call, text, replace(ref, sha=sha), is_own=sha == ref.sha)


@routes.post(
    "/projects/{id}/ci/lint", guard=CREATE_PIPELINE, params=LintText, returns=Lint, status=200, guard_first=True
)
def lint_text(call: Call[LintText]) -> Answer:
    """Check a text as if it were the project's configuration.

    CI/CD variables have values only where the text is what the branch or tag holds, and the caller may run it there.
    """
    repository = repository_of(call.services, call.project)
    ref = find_ref(repository, call.params.ref or call.project.default_branch or "")
    own = None if ref is None else config_text(call.services, call.conn, call.actor, call.project, ref.sha)
    return _check(call, call.params.content, ref, is_own=call.params.content == own)
