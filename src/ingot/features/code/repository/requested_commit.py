"""From the parameters of a call to the commit that it creates."""

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.access.subjects import find_project
from ingot.features.code.repository.committing import caller
from ingot.features.code.repository.families import are_related
from ingot.features.code.repository.params.commits import CreateCommit
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Person, Repository
from ingot.gitstore.commit import CommitOptions, FileAction
from ingot.kit.errors import Forbidden, NotFound


def requested_commit(call: Call[CreateCommit]) -> CommitOptions:
    """The commit, by the caller unless another author is named."""
    options, committer = call.params, caller(call)
    return CommitOptions(
        branch=options.branch,
        message=options.commit_message,
        actions=[_action(action) for action in options.actions],
        author=Person(options.author_name or committer.name, options.author_email or committer.email, committer.when),
        committer=committer,
        start_branch=_start_branch(options),
        start_sha=options.start_sha,
        start_repository=_start_repository(call, options.start_project),
        force=options.force,
    )


def _action(options: object) -> FileAction:
    names = ("action", "file_path", "content", "encoding", "previous_path", "last_commit_id", "execute_filemode")
    return FileAction(**{name: getattr(options, name) for name in names})


def _start_repository(call: Call, id_or_path: str | None) -> Repository | None:
    """The repository of `start_project`, which must be readable and of the same family of forks."""
    if id_or_path is None:
        return None
    project = find_project(call.conn, call.actor, id_or_path)
    if project is None:
        raise NotFound("Project")
    if project.id == call.project.id:
        return None
    if not READ_CODE.allows(call.actor, project) or not are_related(call.conn, call.project, project):
        raise Forbidden(f"Project is not included in the fork network for {project.full_name}")
    return repository_of(call.services, project)


def _start_branch(options: CreateCommit) -> str | None:
    """With only a project, its branch of the same name is used."""
    if options.start_project is not None and options.start_sha is None:
        return options.start_branch or options.branch
    return options.start_branch
