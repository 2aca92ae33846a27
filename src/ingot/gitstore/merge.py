"""Whether two commits merge, and the tree of the merge. Methods: merge_commit, squash, rebase, fast_forward."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from ingot.gitstore.disjoint_merge import disjoint_merge
from ingot.gitstore.errors import MergeConflict, RevisionNotFound
from ingot.gitstore.names import is_sha
from ingot.gitstore.objects import get_commit
from ingot.gitstore.repository import Repository
from ingot.gitstore.three_way import merge_commits


class MergeCheck(msgspec.Struct, frozen=True):
    """`tree` of the merge when it is clean; `conflicts` are the paths otherwise."""

    tree: str | None
    conflicts: tuple[str, ...] = ()

    @property
    def can_merge(self) -> bool:
        return self.tree is not None


def check_merge(repo: Repository, target: str, source: str) -> MergeCheck:
    """Would `source` merge into `target`? Nothing changes."""
    try:
        return MergeCheck(merged_tree(repo, target, source))
    except MergeConflict as conflict:
        return MergeCheck(None, conflict.paths)


def merged_tree(repo: Repository, target: str, source: str) -> str:
    """Tree of merging `source` into `target`. MergeConflict, RevisionNotFound."""
    for sha in (target, source):
        if not is_sha(sha) or sha not in repo.odb:
            raise RevisionNotFound(sha)
    base = repo.odb.merge_base(target, source)
    if str(base) == source:
        return get_commit(repo, target).tree_id
    if str(base) == target:  # nothing happened on the target since: no merge machinery needed
        return get_commit(repo, source).tree_id
    return _remembered(repo, None if base is None else str(base), target, source)


# The tree of two commits never changes: what a check has computed serves the merge that follows.
_trees: OrderedDict[tuple[str, str, str], str] = OrderedDict()
_MOST_TREES = 512


def _remembered(repo: Repository, base: str | None, target: str, source: str) -> str:
    key = (str(repo.path), target, source)
    known = _trees.get(key)
    if known is not None and known in repo.odb:
        return known
    tree = disjoint_merge(repo, base, target, source) if base is not None else None
    tree = tree or merge_commits(repo, target, source)
    _trees[key] = tree
    while len(_trees) > _MOST_TREES:
        _trees.popitem(last=False)
    return tree
