"""Endpoints that say what is wrong with a CI configuration."""

from typing import Any

from ingot.access.policy import READ_CODE
from ingot.access.subjects import Project
from ingot.features.ci_lint.entities import Lint, result
from ingot.features.pipelines import PipelineWish, Ref, find_ref
from ingot.features.pipelines.commands.compiling import config_text, event_for
from ingot.features.pipelines.commands.create import is_protected
from ingot.features.pipelines.config import PipelineEvent, lint
from ingot.features.pipelines.policy import CREATE_PIPELINE
from ingot.features.projects import repository_of
from ingot.features.protected_branches import load as load_protection
from ingot.gitstore import revisions
from ingot.kit.call import Call
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound
from ingot.kit.params import Param, Params

routes = Routes("CI lint")


class LintFile(Params):
    """Which file of the project to check."""

    content_ref: str | None = Param("Commit, branch or tag whose file is checked; the default branch if absent.")
    sha: str | None = Param("The older name of `content_ref`.")
    dry_run: bool = Param("Also create the pipeline in thought.", default=False)
    dry_run_ref: str | None = Param("Branch or tag of that pipeline; the default branch if absent.")
    ref: str | None = Param("The older name of `dry_run_ref`.")
    include_jobs: bool = Param("List the jobs.", default=False)


class LintText(Params):
    """A text to check."""

    content: str = Param("The configuration.", required=True)
    dry_run: bool = Param("Also create the pipeline in thought.", default=False)
    ref: str | None = Param("Branch or tag of that pipeline; the default branch if absent.")
    include_jobs: bool = Param("List the jobs.", default=False)


def _event(call: Call, project: Project, ref: Ref | None) -> PipelineEvent:
    """The event as a push of this ref; without commits there is nothing to include."""
    if ref is None:
        return PipelineEvent(ref=project.default_branch or "main", project_path=project.full_path)
    wish = PipelineWish(source="push", ref=ref)
    protected = is_protected(load_protection(call.conn, call.actor, project), wish)
    return event_for(call.services, call.conn, call.actor, project, wish, protected)


def _checked(call: Call, text: str, ref: Ref | None, content_sha: str | None) -> Lint:
    checked = lint(text, _event(call, call.project, ref), simulate=call.params.dry_run)
    return result(call, checked, content_sha, include_jobs=call.params.include_jobs)


@routes.get("/projects/{id}/ci/lint", guard=READ_CODE, params=LintFile, returns=Lint, waits=True, guard_first=True)
def lint_project_configuration(call: Call) -> Answer:
    """Check the project's own configuration."""
    wish: Any = call.params
    repository = repository_of(call.services, call.project)
    wanted = wish.content_ref or wish.sha or call.project.default_branch or ""
    sha = revisions.find(repository, wanted) if repository.exists() else None
    if sha is None:
        raise NotFound("Commit")
    text = config_text(call.services, call.conn, call.actor, call.project, sha)
    if text is None:
        return Lint(valid=False, merged_yaml=None, errors=["Please provide content of .gitlab-ci.yml"], warnings=[],
                    includes=[])  # fmt: skip
    ref = find_ref(repository, wish.dry_run_ref or wish.ref or call.project.default_branch or "")
    name, is_tag = (ref.name, ref.is_tag) if ref is not None else (wanted, False)
    return _checked(call, text, Ref(name, sha, is_tag), sha)


@routes.post(
    "/projects/{id}/ci/lint", guard=CREATE_PIPELINE, params=LintText, returns=Lint, status=200, guard_first=True
)
def lint_text(call: Call) -> Answer:
    """Check a text as if it were the project's configuration."""
    repository = repository_of(call.services, call.project)
    ref = find_ref(repository, call.params.ref or call.project.default_branch or "")
    return _checked(call, call.params.content, ref, ref.sha if ref is not None else None)
