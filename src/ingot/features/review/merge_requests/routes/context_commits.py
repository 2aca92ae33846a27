"""Context commits: older commits that reviewers should see beside the change."""

from typing import Any

from sqlalchemy import delete, insert, select

from ingot.access.call import Call
from ingot.features.code.repository import CommitBasic, commit_basic
from ingot.features.review.merge_requests import lookup, policy
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.params_single import OneMergeRequest
from ingot.features.review.merge_requests.rows import MergeRequestRow
from ingot.features.review.merge_requests.tables import merge_request_context_commits as context_commits
from ingot.gitstore import GitError, objects, revisions
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Failure
from ingot.kit.params import Param

routes = Routes("Merge requests", guard=policy.FIND_MERGE_REQUEST, waits=True)
PATH = "/projects/{id}/merge_requests/{merge_request_iid}/context_commits"
MOST = 20


class ContextCommits(OneMergeRequest):
    """Which commits."""

    commits: list[str] = Param("Commit ids.", required=True, comma=True, blank=False)


def _shown(call: Call, row: MergeRequestRow) -> list[CommitBasic]:
    table = context_commits
    query = select(table.c.sha).where(table.c.merge_request_id == row.id).order_by(table.c.position)
    repository = check.target_repository(call.services, row)
    commits = [objects.get_commit(repository, sha) for sha in call.conn.execute(query).scalars()]
    return [commit_basic(commit, call.base_url, call.project) for commit in commits]


def _resolved(call: Call, row: Any) -> list[str]:
    """Full ids of commits that the target repository has."""
    if len(call.params.commits) > MOST:
        raise Failure(400, f"Context commits array size should not be more than {MOST}")
    repository = check.target_repository(call.services, row)
    try:
        return [revisions.resolve(repository, wanted) for wanted in dict.fromkeys(call.params.commits)]
    except GitError:
        raise Failure(400, "One or more context commits' sha is not valid.") from None


@routes.get(PATH, params=OneMergeRequest, returns=list[CommitBasic])
def list_context_commits(call: Call[OneMergeRequest]) -> Answer:
    """Commits that were put beside the request."""
    return _shown(call, lookup.find_then_authorize(call))


@routes.post(PATH, params=ContextCommits, returns=list[CommitBasic])
def add_context_commits(call: Call[ContextCommits]) -> Answer:
    """Put commits beside the request."""
    row = lookup.find_for_update(call)
    wanted, table = _resolved(call, row), context_commits
    with call.write() as tx:
        known = list(tx.execute(select(table.c.sha).where(table.c.merge_request_id == row.id)).scalars())
        fresh = [sha for sha in wanted if sha not in known]
        for position, sha in enumerate(fresh, start=len(known)):
            tx.execute(insert(table).values(merge_request_id=row.id, sha=sha, position=position))
    return _shown(call, row)


@routes.delete(PATH, params=ContextCommits)
def delete_context_commits(call: Call[ContextCommits]) -> None:
    """Take commits away from the request."""
    row = lookup.find_for_update(call)
    wanted, table = _resolved(call, row), context_commits
    with call.write() as tx:
        mine = (table.c.merge_request_id == row.id) & table.c.sha.in_(wanted)
        if tx.execute(delete(table).where(mine)).rowcount < len(wanted):
            raise Failure(400, "One or more context commits' sha is not valid.")
