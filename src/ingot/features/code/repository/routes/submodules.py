"""Submodules: move one to another commit."""

from ingot.access.call import Call
from ingot.features.code.repository.committing import caller, commit
from ingot.features.code.repository.entities import CommitDetail
from ingot.features.code.repository.opening import open_repository
from ingot.features.code.repository.params.submodules import UpdateSubmodule
from ingot.features.code.repository.policy import CHANGE_CODE, require_push_to
from ingot.features.code.repository.presenting import commit_detail
from ingot.gitstore import objects
from ingot.gitstore.commit import MOVE_SUBMODULE, CommitOptions, FileAction
from ingot.gitstore.names import is_sha
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Failure

routes = Routes("Repository submodules", waits=True)


@routes.put(
    "/projects/{id}/repository/submodules/{submodule}",
    guard=CHANGE_CODE,
    guard_first=True,
    params=UpdateSubmodule,
    returns=CommitDetail,
)
def update_submodule(call: Call[UpdateSubmodule]) -> Answer:
    """Let a submodule point to another commit of its repository."""
    options = call.params
    require_push_to(call, options.branch)
    repository = open_repository(call)
    if repository.is_empty():
        raise Failure(400, "The repository is empty")
    sha = options.commit_sha.lower()
    if not is_sha(sha) or set(sha) == {"0"}:
        raise Failure(400, "Invalid parameters")
    message = options.commit_message or f"Update submodule {options.submodule} with oid {sha}"
    action = FileAction(MOVE_SUBMODULE, options.submodule, sha)
    person = caller(call)
    created = commit(call, repository, CommitOptions(options.branch, message, [action], person, person))
    return commit_detail(call, repository, objects.get_commit(repository, created.sha))
