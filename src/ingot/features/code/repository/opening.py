"""The repository of a call's project, and names in it turned into commits."""

from ingot.access.call import Call
from ingot.features.code.pushing import repair
from ingot.features.spaces.projects import offers_lfs, project_settings, repository_of
from ingot.gitstore import Commit, Repository, objects, revisions
from ingot.kit.errors import NotFound


def open_repository(call: Call) -> Repository:
    """The project's repository; 404 if it was never created."""
    repository = repository_of(call.services, call.project)
    if not repository.exists():
        raise NotFound("Repository")
    repair(call.services, call.project, repository)
    return repository


def get_commit(repository: Repository, revision: str) -> Commit:
    """The commit that a sha, branch or tag names; 404 otherwise."""
    result = revisions.find(repository, revision)
    if result is None:
        raise NotFound("Commit")
    return objects.get_commit(repository, result)


def default_branch(call: Call, repository: Repository) -> str:
    """The default branch's name."""
    return str(call.project.default_branch or repository.default_branch())


def offers_large_files(call: Call) -> bool:
    """The project offers Git LFS."""
    return offers_lfs(call.services, call.conn, project_settings(call.project), call.project.namespace_id)
