"""Cherry-picks and reverts of commits on a branch."""

from collections.abc import Callable
from functools import partial

from ingot.access.call import Call
from ingot.events import RefChange
from ingot.features.code.pushing import Noting, noting
from ingot.features.code.repository.committing import announce_change, caller, refusing
from ingot.features.code.repository.entities import CommitBasic, commit_basic
from ingot.features.code.repository.opening import get_commit, open_repository
from ingot.features.code.repository.params.commits import CherryPickCommit, PickCommit
from ingot.features.code.repository.policy import CHANGE_CODE, require_push_to
from ingot.features.code.repository.routes.commits import MEMBER
from ingot.gitstore import Person, Repository, names, objects, pick, refs
from ingot.gitstore.errors import PickFailed, RefChanged
from ingot.gitstore.refs import RefUpdate
from ingot.kit.endpoint import Answer, Reply, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Body, NotFound

routes = Routes("Commits", guard_first=True, waits=True)
ATTEMPTS = 5


class DryRun(Entity):
    """The result of a dry run."""

    dry_run: str


@routes.post(
    MEMBER + "/cherry_pick", guard=CHANGE_CODE, params=CherryPickCommit, returns=CommitBasic, also={200: DryRun}
)
def cherry_pick_commit(call: Call[CherryPickCommit]) -> Answer:
    """Apply a commit to a branch."""
    repository, sha, committer = _prepare(call)
    message = call.params.message or None
    return _apply(call, repository, lambda onto: pick.cherry_pick(repository, sha, onto, committer, message))


@routes.post(MEMBER + "/revert", guard=CHANGE_CODE, params=PickCommit, returns=CommitBasic, also={200: DryRun})
def revert_commit(call: Call[PickCommit]) -> Answer:
    """Revert a commit on a branch."""
    repository, sha, author = _prepare(call)
    return _apply(call, repository, lambda onto: pick.revert(repository, sha, onto, author))


def _prepare(call: Call[PickCommit]) -> tuple[Repository, str, Person]:
    require_push_to(call, call.params.branch)
    repository = open_repository(call)
    sha = get_commit(repository, call.path["sha"]).id
    if refs.find_branch(repository, call.params.branch) is None:
        raise NotFound("Branch")
    return repository, sha, caller(call)


def _apply(call: Call[PickCommit], repository: Repository, make: Callable[[str], str]) -> Reply:
    if call.params.dry_run:
        refusing(lambda: _move(call, repository, make, None))
        return Reply(DryRun(dry_run="success"), status=200)
    ref = names.BRANCHES + call.params.branch
    with noting(call.services, call.project.id, call.actor.user_id, partial(refs.find_ref, repository)) as push_note:
        created, old = refusing(lambda: _move(call, repository, make, push_note))
    announce_change(call, push_note.note, RefChange(ref, old, created))
    return Reply(commit_basic(objects.get_commit(repository, created), call.base_url, call.project))


def _move(
    call: Call[PickCommit], repository: Repository, make: Callable[[str], str], push_note: Noting | None
) -> tuple[str, str]:
    """Create the commit on the branch's head and move the branch; retries after a concurrent push.

    A dry run has no note.
    """
    ref = names.BRANCHES + call.params.branch
    for attempt in range(ATTEMPTS):
        head = refs.find_branch(repository, call.params.branch)
        if head is None:
            raise NotFound("Branch")
        try:
            created = make(head)
            if push_note is not None:
                push_note.about_to_move(ref, head, created)
                refs.update(repository, [RefUpdate(ref, created, head)])
        except PickFailed as failed:
            body = {"message": failed.message, "error_code": failed.code}
            raise Body(400, {**body, "dry_run": "error"} if call.params.dry_run else body) from failed
        except RefChanged:
            if attempt == ATTEMPTS - 1:
                raise
            continue
        return created, head
    raise AssertionError("unreachable")
