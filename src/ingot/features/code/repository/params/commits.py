"""Parameters of commits."""

from datetime import datetime
from typing import ClassVar

from ingot.kit.params import Paging, Param, Params
from ingot.kit.spool import Spool

ACTIONS = ("create", "update", "move", "delete", "chmod")


class CommitPaging(Paging):
    """Pages of commits: numbers below one are refused before anything else."""

    page: int = Param("Page number.", default=1)
    per_page: int = Param("Records per page, at most 100.", default=20)


class ListCommits(CommitPaging):
    """Which commits."""

    ref_name: str | None = Param("Branch, tag or range; the default branch when absent.")
    since: datetime | None = Param("Only commits at or after this time.")
    until: datetime | None = Param("Only commits at or before this time.")
    path: str | None = Param("Only commits that changed this path.")
    follow: bool | None = Param("Follow renames of `path`.")
    author: str | None = Param("Part of the author's name or address.")
    all: bool | None = Param("Commits of every branch and tag.")
    with_stats: bool | None = Param("Include the line counts of each commit.")
    first_parent: bool | None = Param("Follow only the first parent of merges.")
    order: str = Param("Order.", default="default", one_of=("default", "topo"))
    trailers: bool | None = Param("Parse trailers (they are always there).", default=False)


class OneCommit(Params):
    """A single commit."""

    stats: bool = Param("Include the line counts.", default=True)


class Action(Params):
    """One change of a file."""

    action: str = Param("create, update, move, delete or chmod.", required=True, blank=False, one_of=ACTIONS)
    file_path: str = Param("Full path of the file.", required=True, blank=False)
    previous_path: str | None = Param("Where the file is now (move).")
    content: str | Spool | None = Param("The new content.", spooled=True)
    encoding: str = Param("How the content is written.", default="text", one_of=("text", "base64"))
    last_commit_id: str | None = Param("The version that the caller edited.")
    execute_filemode: bool | None = Param("Whether the file can be executed.")


class CreateCommit(Params):
    """A commit of several actions."""

    branch: str = Param("Branch to commit to.", required=True, blank=False)
    commit_message: str = Param("The message.", required=True, blank=False)
    actions: list[Action] = Param("Changes.", required=True)
    start_branch: str | None = Param("Branch to start the new branch from.", blank=False)
    start_sha: str | None = Param("Commit to start the new branch from.", blank=False)
    start_project: str | None = Param("Project of `start_branch` or `start_sha`.", blank=False)
    author_email: str | None = Param("Author's address.")
    author_name: str | None = Param("Author's name.")
    stats: bool = Param("Include the line counts.", default=True)
    force: bool = Param("Overwrite the branch with a new commit based on the start.", default=False)

    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (("start_branch", "start_sha"),)


class PickCommit(Params):
    """Where to apply a commit."""

    branch: str = Param("Branch to change.", required=True, blank=False)
    dry_run: bool = Param("Dry run: change nothing.", default=False)


class CherryPickCommit(PickCommit):
    """Where and how to apply a commit."""

    message: str | None = Param("Another message for the new commit.")


class CommitRefs(Paging):
    """Which refs contain the commit."""

    type: str = Param("Kind of refs.", default="all", one_of=("branch", "tag", "all"))


class CommitDiff(CommitPaging):
    """How a diff is shown."""

    unidiff: bool = Param("Diffs with file headers.", default=False)


class Sequence(Params):
    """How commits are counted."""

    first_parent: bool = Param("Follow only the first parent of merges.", default=False)
