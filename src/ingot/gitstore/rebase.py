"""Replays the commits of a branch on another commit, keeping their authors."""

from __future__ import annotations

from pygit2.enums import ObjectType

from ingot.gitstore.commit_objects import write_commit, write_object
from ingot.gitstore.errors import UnrelatedHistories
from ingot.gitstore.log import LogQuery, commits
from ingot.gitstore.model import Commit, Person
from ingot.gitstore.objects import get_commit, merge_base
from ingot.gitstore.repository import Repository
from ingot.gitstore.three_way import merge_trees


def rebase(repo: Repository, source: str, onto: str, committer: Person) -> str:
    """Head of the replayed branch. Moves no ref. Stops at a MergeConflict, without visible changes.

    Merge commits are left out, as are commits whose changes `onto` has already. A branch that already stands on
    `onto` without merges of its own stays as it is.
    """
    base = merge_base(repo, source, onto)
    if base is None:
        raise UnrelatedHistories
    query = LogQuery(include=[source], exclude=[onto], topological=True, reverse=True)
    own = commits(repo, query)
    if base == onto and not any(commit.is_merge for commit in own):
        return source
    head, tree = onto, get_commit(repo, onto).tree_id
    for commit in own:
        if commit.is_merge:
            continue
        head, tree = _replay(repo, commit, head, tree, committer)
    return head


def _replay(repo: Repository, commit: Commit, head: str, tree: str, committer: Person) -> tuple[str, str]:
    before = get_commit(repo, commit.parent_ids[0]).tree_id if commit.parent_ids else _empty_tree(repo)
    after = merge_trees(repo, before, tree, commit.tree_id)
    if after == tree and before != commit.tree_id:  # became empty: its changes exist already
        return head, tree
    return write_commit(repo, after, [head], commit.message, commit.author, committer), after


def _empty_tree(repo: Repository) -> str:
    return write_object(repo, ObjectType.TREE, b"")
