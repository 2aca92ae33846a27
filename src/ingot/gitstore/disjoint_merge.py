"""Merges two commits in process in trivial cases: no path changed by both sides, none removed by either.

Git itself must merge where both sides changed a file, where a removed file may have been renamed, where a file meets a
folder, and where there are several merge bases. In those cases the answer is None.
"""

from __future__ import annotations

import pygit2
from pygit2.enums import DeltaStatus

from ingot.gitstore.objects import ahead_behind
from ingot.gitstore.repository import Repository
from ingot.gitstore.tree_edit import Folder

MOST_PATHS = 2000
_SIMPLE_CHANGES = (DeltaStatus.ADDED, DeltaStatus.MODIFIED)

Changes = dict[bytes, tuple[str, str]]


def disjoint_merge(repo: Repository, base: str, target: str, source: str) -> str | None:
    """Tree of the merge, the same that git makes; None where git itself has to merge."""
    trees = [_tree(repo, sha) for sha in (base, target, source)]
    theirs = _changes(trees[0], trees[2])
    if theirs is None or not _is_only_base(repo, base, target, source):
        return None
    ours = _changes(trees[0], trees[1])
    if ours is None or _overlap(ours, theirs) or _overlap(theirs, ours):
        return None
    root = Folder(repo, str(trees[1].id))
    for path, (mode, sha) in theirs.items():
        root.put(path.split(b"/"), mode, sha)
    return root.write()


def _tree(repo: Repository, sha: str) -> pygit2.Tree:
    result = repo.odb[sha]
    return result.peel(pygit2.Tree)


def _changes(base: pygit2.Tree, side: pygit2.Tree) -> Changes | None:
    """Added and modified paths with their new mode and id; None when there is anything else, or too much."""
    diff = base.diff_to_tree(side)
    if len(diff) > MOST_PATHS:
        return None
    result: Changes = {}
    for delta in diff.deltas:
        if delta.status not in _SIMPLE_CHANGES:
            return None
        new = delta.new_file
        result[new.raw_path] = (f"{int(new.mode):o}", str(new.id))
    return result


def _is_only_base(repo: Repository, base: str, target: str, source: str) -> bool:
    """No other best common ancestor: what the source has since the base, the target has not."""
    return ahead_behind(repo, source, base)[0] == ahead_behind(repo, source, target)[0]


def _overlap(first: Changes, second: Changes) -> bool:
    """The first changed a path of the second, or one of its parent folders."""
    for path in second:
        while path:
            if path in first:
                return True
            path = path.rpartition(b"/")[0]
    return False
