"""Comparing two revisions."""

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.access.subjects import Project, find_project
from ingot.features.code.repository.entities import CommitBasic, FileDiffEntity, commit_basic, file_diff, project_url
from ingot.features.code.repository.families import are_related
from ingot.features.code.repository.opening import open_repository
from ingot.features.code.repository.params.trees import Compare
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, log, objects, revisions
from ingot.gitstore.diff import DiffLimits, diff
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.gitstore.scratch import view_of
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Failure, NotFound

routes = Routes("Repositories", guard_first=True, waits=True)


class Comparison(Entity):
    """The difference of two revisions."""

    commit: CommitBasic | None
    commits: list[CommitBasic]
    diffs: list[FileDiffEntity]
    compare_timeout: bool
    compare_same_ref: bool
    web_url: str


@routes.get("/projects/{id}/repository/compare", guard=READ_CODE, params=Compare, returns=Comparison)
def compare_revisions(call: Call[Compare]) -> Answer:
    """Commits and differences between two branches, tags or commits, oldest commit first."""
    repository = open_repository(call)
    options = call.params
    end = revisions.find(repository, options.to)
    if options.from_project_id in (None, call.project.id):
        return _compare(call, repository, revisions.find(repository, options.from_), end)
    source = repository_of(call.services, _source(call, options.from_project_id))
    start = revisions.find(source, options.from_) if source.exists() else None
    # Reading leaves nothing behind: commits of a fork never become commits of this project by being looked at.
    with view_of(repository, source) as both:
        return _compare(call, both, start, end)


def _compare(call: Call[Compare], repository: Repository, start: str | None, end: str | None) -> Comparison:
    options = call.params
    if start is None or end is None:
        raise NotFound("Ref")
    base = start if options.straight else objects.merge_base(repository, start, end) or EMPTY_TREE_ID
    commits = log.between(repository, start, end)[::-1]
    changes = diff(repository, base, end, limits=DiffLimits())
    shown = [commit_basic(commit, call.base_url, call.project) for commit in commits]
    dots = ".." if options.straight else "..."
    return Comparison(
        commit=shown[-1] if shown else None,
        commits=shown,
        diffs=[file_diff(entry, unidiff=options.unidiff) for entry in changes.files],
        compare_timeout=changes.overflow,
        compare_same_ref=options.from_ == options.to and options.from_project_id in (None, call.project.id),
        web_url=f"{project_url(call.base_url, call.project)}/-/compare/{options.from_}{dots}{options.to}",
    )


def _source(call: Call, project_id: int) -> Project:
    project = find_project(call.conn, call.actor, project_id)
    if (
        project is None
        or not READ_CODE.allows(call.actor, project)
        or not are_related(call.conn, call.project, project)
    ):
        raise Failure(400, f"Target project id:{project_id} is not a fork of project id:{call.project.id}")
    return project
