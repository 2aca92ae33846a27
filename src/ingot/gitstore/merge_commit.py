"""Merge method `merge`, also the last step of `rebase_merge`, and the commit behind a merge ref."""

from __future__ import annotations

from ingot.gitstore.commit_objects import write_commit
from ingot.gitstore.merge import merged_tree
from ingot.gitstore.model import Person
from ingot.gitstore.repository import Repository


def merge_commit(
    repo: Repository, target: str, source: str, message: str, author: Person, committer: Person | None = None
) -> str:
    """A merge commit with parents [target, source], always, even where a fast-forward would do. Moves no ref."""
    tree = merged_tree(repo, target, source)
    return write_commit(repo, tree, [target, source], message, author, committer)
