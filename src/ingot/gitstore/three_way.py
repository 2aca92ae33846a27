"""Merges three trees with git's own merge machinery, renames included."""

from __future__ import annotations

from datetime import UTC, datetime

import pygit2
from pygit2.enums import DeltaStatus

from ingot.gitstore.commit_objects import write_commit
from ingot.gitstore.errors import MergeConflict
from ingot.gitstore.model import EMPTY_TREE_ID, Person, text
from ingot.gitstore.object_checks import NewEntry, check_entries
from ingot.gitstore.repository import Repository

_NOBODY = Person("merge", "merge", datetime.fromtimestamp(0, UTC))


def merge_trees(repo: Repository, base: str, ours: str, theirs: str) -> str:
    """Tree that has the changes base→theirs applied to ours. MergeConflict with the paths."""
    if theirs in (base, ours):
        return ours
    if base == ours:
        return theirs
    # merge-tree takes its base from history only (an explicit one needs git 2.40): give it a history of three.
    # The commits are always the same for the same trees, belong to no ref, and go with the next clean-up.
    root = write_commit(repo, base, [], "base", _NOBODY)
    return merge_commits(
        repo,
        write_commit(repo, ours, [root], "ours", _NOBODY),
        write_commit(repo, theirs, [root], "theirs", _NOBODY),
    )


def merge_commits(repo: Repository, ours: str, theirs: str) -> str:
    """Tree of the merge of two commits, also of histories that have nothing in common. MergeConflict."""
    options = ("--write-tree", "--allow-unrelated-histories", "--name-only", "--no-messages", "-z")
    result = repo.git("merge-tree", *options, ours, theirs, accept=(0, 1, 128))
    if result.code == 128:
        repo.git("cat-file", "-e", ours)
        repo.git("cat-file", "-e", theirs)
        raise MergeConflict([])
    tree, _, rest = result.stdout.partition(b"\0")
    if result.code == 1:
        raise MergeConflict([text(path) for path in dict.fromkeys(rest.split(b"\0")) if path])
    created = tree.decode() or EMPTY_TREE_ID
    check_entries(repo, _new_entries(repo, created, (ours, theirs)))
    return created


def _new_entries(repo: Repository, created: str, sources: tuple[str, str]) -> list[NewEntry]:
    """Merged files that differ from both sides."""
    if created == EMPTY_TREE_ID:
        return []
    new: dict[bytes, NewEntry] | None = None
    for source in sources:
        changed = {
            delta.new_file.raw_path: NewEntry(
                delta.new_file.raw_path.split(b"/"), f"{int(delta.new_file.mode):o}", str(delta.new_file.id)
            )
            for delta in repo.odb[source].peel(pygit2.Tree).diff_to_tree(repo.odb[created].peel(pygit2.Tree)).deltas
            if delta.status != DeltaStatus.DELETED
        }
        new = changed if new is None else {path: new[path] for path in new.keys() & changed.keys()}
    return list((new or {}).values())
