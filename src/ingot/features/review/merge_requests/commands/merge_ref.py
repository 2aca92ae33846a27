"""The merge ref of a request: source merged into target, without touching the target branch."""

from sqlalchemy import Connection

from ingot.features.review.merge_requests import states
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.gitstore import GitError, Person, objects, refs
from ingot.gitstore.errors import PassingFault
from ingot.gitstore.merge_commit import merge_commit
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.refs import RefUpdate
from ingot.kit.errors import Failure
from ingot.kit.services import Services


def update_merge_ref(services: Services, conn: Connection, row: MergeRequestWithProject) -> str:
    """The commit at the merge ref, created anew where a branch has moved; 400 where the request cannot be merged."""
    row = check.check(services, conn, row)
    repository = check.target_repository(services, row)
    ref = check.merge_ref(row.iid)
    current = refs.find_ref(repository, ref)
    if row.merge_status != states.CAN_BE_MERGED or row.checked_target_sha is None or row.head_sha is None:
        raise Failure(400, "Merge request is not mergeable")
    parents = (row.checked_target_sha, row.head_sha)
    if row.state != states.OPENED:
        if current is None:
            raise Failure(400, "Merge ref cannot be updated")
        return current
    if current is not None and objects.get_commit(repository, current).parent_ids == parents:
        return current
    message = f"Merge branch '{row.source_branch}' into '{row.target_branch}'"
    try:
        created = merge_commit(repository, *parents, message, Person.now("Ingot", "noreply@localhost"))
        refs.update(repository, [RefUpdate(ref, created, current or ZERO_ID)])
    except PassingFault:
        raise
    except GitError:
        raise Failure(400, "Merge ref cannot be updated") from None
    return created
