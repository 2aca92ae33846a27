"""Which merge request brought a commit to the branch."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, or_, select

from ingot.features.review.merge_requests import merge_requests
from ingot.gitstore import Commit

BATCH = 5_000  # each statement reads all merged requests of the project


def origins_of(conn: Connection, project_id: int, commits: Sequence[Commit]) -> dict[str, int]:
    """Of each commit the number of the request that brought it: by its merge, its squashing or its head."""
    columns = merge_requests.c
    direct: dict[str | None, int] = {}
    for start in range(0, len(commits), BATCH):
        ids = [commit.id for commit in commits[start : start + BATCH]]
        created = or_(columns.merge_commit_sha.in_(ids), columns.squash_commit_sha.in_(ids), columns.head_sha.in_(ids))
        query = select(columns.iid, columns.merge_commit_sha, columns.squash_commit_sha, columns.head_sha)
        for row in conn.execute(query.where(columns.project_id == project_id, columns.state == "merged", created)):
            direct |= dict.fromkeys((row.merge_commit_sha, row.squash_commit_sha, row.head_sha), row.iid)
    return {**_merged(commits, direct), **{sha: number for sha, number in direct.items() if sha is not None}}


def _merged(commits: Sequence[Commit], direct: Mapping[str | None, int]) -> dict[str, int]:
    """The commits that merges brought to the branch: those below their other parents that nobody brought before."""
    known = {commit.id: commit for commit in commits}
    chain, place = [], commits[0] if commits else None
    while place is not None:
        chain.append(place)
        place = known.get(place.parent_ids[0]) if place.parent_ids else None
    seen = {commit.id for commit in chain}
    result: dict[str, int] = {}
    for merge in reversed(chain):
        number, waiting = direct.get(merge.id), list(merge.parent_ids[1:])
        while waiting:
            sha = waiting.pop()
            if sha in seen or sha not in known:
                continue
            seen.add(sha)
            waiting += known[sha].parent_ids
            if number is not None:
                result[sha] = number
    return result
