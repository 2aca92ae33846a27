"""Cherry-picks and reverts single commits. The caller moves the branch to the returned commit."""

from __future__ import annotations

from pygit2.enums import ObjectType

from ingot.gitstore.commit_objects import write_commit, write_object
from ingot.gitstore.errors import MergeConflict, PickFailed
from ingot.gitstore.model import Commit, Person
from ingot.gitstore.objects import get_commit
from ingot.gitstore.repository import Repository
from ingot.gitstore.three_way import merge_trees


def cherry_pick(repo: Repository, sha: str, onto: str, committer: Person, message: str | None = None) -> str:
    """Apply what `sha` changed (a merge: against its first parent) on `onto`; the author stays. PickFailed."""
    commit = get_commit(repo, sha)
    text = message if message is not None else cherry_pick_message(commit)
    tree = _apply(repo, "cherry-pick", _parent_tree(repo, commit), onto, commit.tree_id)
    return write_commit(repo, tree, [onto], text, commit.author, committer)


def revert(repo: Repository, sha: str, onto: str, author: Person, message: str | None = None) -> str:
    """Undo on `onto` what `sha` changed. PickFailed."""
    commit = get_commit(repo, sha)
    text = message if message is not None else revert_message(commit)
    tree = _apply(repo, "revert", commit.tree_id, onto, _parent_tree(repo, commit))
    return write_commit(repo, tree, [onto], text, author)


def cherry_pick_message(commit: Commit) -> str:
    return f"{commit.message.rstrip()}\n\n(cherry picked from commit {commit.id})"


def revert_message(commit: Commit) -> str:
    if commit.is_merge:
        return f'Revert "{commit.title}"\n\nThis reverts merge commit {commit.id}'
    return f'Revert "{commit.title}"\n\nThis reverts commit {commit.id}'


def _apply(repo: Repository, verb: str, before: str, onto: str, after: str) -> str:
    current = get_commit(repo, onto).tree_id
    try:
        tree = merge_trees(repo, before, current, after)
    except MergeConflict as conflict:
        raise PickFailed(verb, "conflict", conflict.paths) from conflict
    if tree == current:
        raise PickFailed(verb, "empty")
    return tree


def _parent_tree(repo: Repository, commit: Commit) -> str:
    if commit.parent_ids:
        return get_commit(repo, commit.parent_ids[0]).tree_id
    return write_object(repo, ObjectType.TREE, b"")
