"""Lists of commits: one process for a page, unless its messages are long."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.gitstore import Commit, Repository, log, objects
from ingot.gitstore.errors import OutputTooLarge
from ingot.gitstore.log import LogQuery
from ingot.kit.page_pieces import Pieces, Present


class CommitRows:
    """Commits by their ids, to be read in parts."""

    def __init__(self, repository: Repository, ids: Sequence[str]) -> None:
        self._repository, self._ids = repository, ids

    def read(self, start: int, number: int) -> list[Commit]:
        """Some of them, from this place on."""
        return [objects.get_commit(self._repository, sha) for sha in self._ids[start : start + number]]


def list_in_parts(
    call: Call, repository: Repository, query: LogQuery | None, most: int, present: Present[Call, Commit]
) -> tuple[Sequence[object] | Pieces, int]:
    """At most so many commits, and how many the query selects. Long messages are read while they are sent."""
    if query is None:
        return [], 0
    try:
        commits = log.commits(repository, query)
        return present(call, commits[:most]), len(commits)
    except OutputTooLarge:
        ids = log.commit_ids(repository, query)
    return Pieces(call, CommitRows(repository, ids), present, min(len(ids), most)), len(ids)
