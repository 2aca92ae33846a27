"""Keeps commits that the database refers to when no branch or tag has them any more: called before pruning.

Branches have most of them, so only the tips of the others get refs. Only `tidy` prunes, so
pushes and deletions need nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pygit2.enums import ObjectType

from ingot.gitstore.commit_objects import write_object
from ingot.gitstore.names import KEEP_AROUND, TIDYING, is_sha
from ingot.gitstore.process import LONG, Limits
from ingot.gitstore.refs import RefUpdate, update
from ingot.gitstore.repository import Repository

ROWS = f"{KEEP_AROUND}rows/"
_FREEZE = f"{TIDYING}now"
_PEELED = "%(if)%(*objecttype)%(then)%(*objecttype) %(*objectname)%(else)%(objecttype) %(objectname)%(end) %(refname)"
_PARENTS = 100
_LIMITS = Limits(3600.0, 512 << 20, LONG.memory)


def hold(repo: Repository, shas: Iterable[str]) -> None:
    """Give each of the commits that nothing else holds a ref, and remove such refs that nobody wants any more."""
    existing = set(repo.git("for-each-ref", "--format=%(objectname)", ROWS, limits=_LIMITS).text.split())
    needed = _loose_tips(repo, {sha for sha in shas if is_sha(sha)})
    update(
        repo,
        [
            *(RefUpdate(ROWS + sha, sha) for sha in sorted(needed - existing)),
            *(RefUpdate(ROWS + sha, None) for sha in sorted(existing - needed)),
        ],
    )


def _loose_tips(repo: Repository, shas: set[str]) -> set[str]:
    """Those of the commits that no ref reaches, without those that another of them reaches."""
    if not shas:
        return set()
    listed = repo.git(
        "rev-list", "--ignore-missing", "--topo-order", "--parents", "--stdin",
        "--not", f"--exclude={ROWS}*", f"--exclude={_FREEZE}", "--all",
        stdin="".join(f"{sha}\n" for sha in sorted(shas)).encode(), limits=_LIMITS,
    )  # fmt: skip
    result: set[str] = set()
    reached: set[str] = set()
    for line in listed.text.splitlines():  # children before their parents
        sha, *parents = line.split()
        if sha in reached or sha in shas:
            if sha not in reached:
                result.add(sha)
            reached.update(parents)
    return result


@contextmanager
def frozen(repo: Repository) -> Iterator[None]:
    """Keep the commits of all branches to the end of the block, also if branches are deleted meanwhile."""
    tips = repo.git("for-each-ref", f"--format={_PEELED}", limits=_LIMITS).text.splitlines()
    commits = dict.fromkeys(
        line.split()[1] for line in tips if line.startswith("commit ") and _FREEZE not in line and ROWS not in line
    )
    if not commits:
        yield
        return
    update(repo, [RefUpdate(_FREEZE, _bound(repo, list(commits)))])
    try:
        yield
    finally:
        update(repo, [RefUpdate(_FREEZE, None)])


def _bound(repo: Repository, commits: list[str]) -> str:
    """A commit that reaches all of these, through others where they are many: git is slow with thousands of parents."""
    tree = write_object(repo, ObjectType.TREE, b"")
    who = "Ingot <ingot@localhost> 0 +0000"
    while True:
        bundles = [commits[start : start + _PARENTS] for start in range(0, len(commits), _PARENTS)]
        commits = [
            write_object(repo, ObjectType.COMMIT, f"tree {tree}\n{parents}author {who}\ncommitter {who}\n\n\n".encode())
            for parents in ("".join(f"parent {sha}\n" for sha in bundle) for bundle in bundles)
        ]
        if len(commits) == 1:
            return commits[0]
