"""Files: create, update, delete. Each is a commit on a branch."""

from ingot.access.call import Call
from ingot.features.code.repository.committing import caller, commit
from ingot.features.code.repository.opening import open_repository
from ingot.features.code.repository.params.files import ChangeFile, DeleteFile, UpdateFile, WriteFile
from ingot.features.code.repository.policy import CHANGE_CODE, require_change_in
from ingot.gitstore import Person, log, objects
from ingot.gitstore.commit import CommitOptions, FileAction
from ingot.gitstore.refs import find_branch
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity

routes = Routes("Repository files", waits=True, scopes=("read_repository",))
MEMBER = "/projects/{id}/repository/files/{file_path}"


class FileChanged(Entity):
    """The changed file and branch."""

    file_path: str
    branch: str


@routes.post(MEMBER, guard=CHANGE_CODE, params=WriteFile, returns=FileChanged)
def create_file(call: Call[WriteFile]) -> Answer:
    """Create a file."""
    return _change(call, call.params, "create")


@routes.put(MEMBER, guard=CHANGE_CODE, params=UpdateFile, returns=FileChanged)
def update_file(call: Call[UpdateFile]) -> Answer:
    """Change the content of a file."""
    return _change(call, call.params, "update")


@routes.delete(MEMBER, guard=CHANGE_CODE, params=DeleteFile)
def delete_file(call: Call[DeleteFile]) -> Answer:
    """Delete a file."""
    _change(call, call.params, "delete")


def _require_unmodified(call: Call, options: ChangeFile) -> None:
    """The time of a file is that of its last commit; one that is not there is refused later."""
    repository = open_repository(call)
    head = find_branch(repository, options.start_branch or options.branch)
    sha = log.last_commit_of_path(repository, head, options.file_path) if head is not None else None
    if sha is not None:
        call.require_unmodified(objects.get_commit(repository, sha).committer.when)


def _change(call: Call, options: ChangeFile, verb: str) -> FileChanged:
    require_change_in(call, options.branch)
    if verb == "delete" and call.is_conditional:
        _require_unmodified(call, options)
    committer = caller(call)
    action = FileAction(
        verb,
        options.file_path,
        content=getattr(options, "content", None),
        encoding=getattr(options, "encoding", None) or "text",
        last_commit_id=getattr(options, "last_commit_id", None),
        execute_filemode=getattr(options, "execute_filemode", None),
    )
    commit(
        call,
        open_repository(call),
        CommitOptions(
            branch=options.branch,
            message=options.commit_message,
            actions=[action],
            author=Person(
                options.author_name or committer.name, options.author_email or committer.email, committer.when
            ),
            committer=committer,
            start_branch=options.start_branch or None,
        ),
    )
    return FileChanged(file_path=options.file_path, branch=options.branch)
