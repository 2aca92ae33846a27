"""Checks a repository's integrity and removes files of crashed processes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable

import msgspec

from ingot.gitstore import commit_graph
from ingot.gitstore.errors import OutputTooLarge, RepositoryNotFound, TimedOut
from ingot.gitstore.keeping import frozen, hold
from ingot.gitstore.process import LONG, Limits
from ingot.gitstore.repository import Repository

_LEFTOVERS = (
    "*.lock", "refs/**/*.lock", "objects/info/*.lock", "objects/info/commit-graphs/*.lock",
    "objects/info/commit-graphs/tmp_*", "objects/info/tmp_*", "objects/pack/tmp_*", "objects/??/tmp_obj_*",
    "objects/tmp_objdir-*",
)  # fmt: skip

_MOST_LOOSE, _MOST_PACKS = 6700, 50


class Health(msgspec.Struct, frozen=True):
    """`problem` is what git complained about first, None when all is well."""

    problem: str | None

    @property
    def is_sound(self) -> bool:
        return self.problem is None


def check(repo: Repository, *, full: bool = True, seconds: float = 3600.0) -> Health:
    """Are all objects there and whole? Without `full` only that everything reachable exists."""
    if not repo.exists():
        return Health(RepositoryNotFound().message)
    depth = ["--full"] if full else ["--connectivity-only"]
    limits = Limits(seconds, 16 << 20, LONG.memory)
    try:
        result = repo.git(
            "fsck", *depth, "--no-dangling", "--no-reflogs", "--no-progress", limits=limits, accept=range(256)
        )
    except (TimedOut, OutputTooLarge) as unfinished:
        return Health(unfinished.message)
    if result.code != 0:
        lines = [" ".join(line.split()) for line in (result.stderr + result.text).splitlines() if line.strip()]
        return Health("; ".join(lines[:3])[:500] or f"git fsck ended with code {result.code}")
    return Health(None)


def remove_stale_files(repo: Repository, older_than: float = 3600.0) -> list[str]:
    """Lock files, temporary files and quarantined pushes of processes that died; returns their names.

    Only what is older than `older_than` seconds goes: no git command of ours runs that long while it needs them.
    """
    limit = time.time() - older_than
    removed = []
    with repo.lock():
        for item in [path for pattern in _LEFTOVERS for path in repo.path.glob(pattern)]:
            if item.stat().st_mtime >= limit:
                continue
            if item.is_dir():
                shutil.rmtree(item, ignore_errors=True)
            else:
                item.unlink(missing_ok=True)
            removed.append(str(item.relative_to(repo.path)))
    return removed


def is_untidy(repo: Repository) -> bool:
    """Many loose objects (judged by one of the 256 folders, as git does) or many packs."""
    sample = repo.path / "objects" / "17"
    loose = sum(1 for _ in sample.iterdir()) * 256 if sample.is_dir() else 0
    packs = sum(1 for _ in repo.path.glob("objects/pack/*.pack"))
    return loose > _MOST_LOOSE or packs > _MOST_PACKS


def tidy(
    repo: Repository, keep: Callable[[], Iterable[str]], *, seconds: float = 3600.0, expire: str = "2.weeks.ago"
) -> None:
    """Pack loose objects and refs, drop what has been unreachable since `expire`; the commits that `keep` names stay.

    `keep` is called once nothing can get lost any more: the commits of branches are frozen by then. Commits and merges
    go on meanwhile, as pushes do: what they write is too young to be dropped. Our lock is the one that counts
    (`--force`): git's own stays behind for half a day when a gc is killed on another node.
    """
    with repo.tidying(), frozen(repo):
        hold(repo, keep())
        repo.git(
            "gc", "--quiet", "--force", f"--prune={expire}",
            limits=Limits(seconds, memory=LONG.memory), config={"gc.auto": "1", "gc.writeCommitGraph": "false"},
        )  # fmt: skip
        commit_graph.rewrite(repo)
