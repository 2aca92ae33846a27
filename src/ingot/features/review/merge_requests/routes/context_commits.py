"""Context commits: older commits shown to reviewers."""

import json
from collections.abc import Iterable

from sqlalchemy import delete, func, insert, select

from ingot.access.call import Call
from ingot.features.code.repository import CommitBasic, commit_basic
from ingot.features.review.merge_requests import lookup, policy
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.params_single import OneMergeRequest
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_request_context_commits as context_commits
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.gitstore import GitError, objects, revisions
from ingot.kit.db import hold_row
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Failure
from ingot.kit.params import Paging, Param

routes = Routes("Merge requests", guard=policy.FIND_MERGE_REQUEST, waits=True)
PATH = "/projects/{id}/merge_requests/{merge_request_iid}/context_commits"
MOST = 20


class ContextCommits(OneMergeRequest):
    """Which commits."""

    commits: list[str] = Param("Commit ids.", required=True, comma=True, blank=False)


class ListContextCommits(OneMergeRequest, Paging):
    """A page of them."""


def _shown(call: Call, row: MergeRequestWithProject, ids: Iterable[str]) -> list[CommitBasic]:
    repository = check.target_repository(call.services, row)
    commits = [objects.get_commit(repository, sha) for sha in ids]
    return [commit_basic(commit, call.base_url, call.project) for commit in commits]


def _resolved(call: Call[ContextCommits], row: MergeRequestWithProject) -> list[str]:
    """Full ids of commits that the target repository has."""
    if len(call.params.commits) > MOST:
        raise Failure(400, f"Context commits array size should not be more than {MOST}")
    repository = check.target_repository(call.services, row)
    try:
        resolved = [revisions.resolve(repository, revision) for revision in call.params.commits]
    except GitError:
        raise Failure(400, "One or more context commits' sha is not valid.") from None
    return list(dict.fromkeys(resolved))


@routes.get(PATH, params=ListContextCommits, returns=list[CommitBasic])
def list_context_commits(call: Call[ListContextCommits]) -> Answer:
    """Context commits of a merge request."""
    row, table = lookup.find_then_authorize(call), context_commits
    query = select(table.c.sha).where(table.c.merge_request_id == row.id).order_by(table.c.position)
    ids = list(call.conn.execute(query).scalars())
    return call.page_of_list(ids, lambda inner, part: _shown(inner, row, part))


@routes.post(PATH, params=ContextCommits, returns=list[CommitBasic])
def add_context_commits(call: Call[ContextCommits]) -> Answer:
    """Add context commits to a merge request."""
    row = lookup.find_for_update(call)
    shas, table = _resolved(call, row), context_commits
    with call.write() as tx:
        hold_row(tx, merge_requests, row.id)  # one at a time: two calls must not take the same position
        condition = table.c.merge_request_id == row.id
        known = set(tx.execute(select(table.c.sha).where(condition)).scalars())
        if repeated := [sha for sha in shas if sha in known]:
            raise Failure(400, f"Context commits: {json.dumps(repeated)} are already created")
        last = tx.execute(select(func.max(table.c.position)).where(condition)).scalar_one()
        for position, sha in enumerate(shas, start=0 if last is None else last + 1):
            tx.execute(insert(table).values(merge_request_id=row.id, sha=sha, position=position))
    return _shown(call, row, shas)


@routes.delete(PATH, params=ContextCommits)
def delete_context_commits(call: Call[ContextCommits]) -> None:
    """Remove context commits from a merge request."""
    row = lookup.find_for_update(call)
    call.require_unmodified(row.updated_at)
    shas, table = _resolved(call, row), context_commits
    with call.write() as tx:
        condition = (table.c.merge_request_id == row.id) & table.c.sha.in_(shas)
        if tx.execute(delete(table).where(condition)).rowcount < len(shas):
            raise Failure(400, "One or more context commits' sha is not valid.")
