"""Repository work through gitstore against bare git on the same repository, in one run: ratios, not absolutes."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from ingot.gitstore import diff, listing, log, objects, refs
from ingot.gitstore.commit import CommitOptions, FileAction, prepare_commit
from ingot.gitstore.log import LogQuery
from ingot.gitstore.merge_commit import merge_commit
from ingot.gitstore.model import Person
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import Storages

FILES, COMMITS, BRANCHES, ROUNDS = 2000, 3000, 1000, 21
ME = Person("Bench", "bench@example.com", datetime(2026, 1, 1, tzinfo=UTC))
ENV = {
    "PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@x",
    "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@x",
}  # fmt: skip


def git(repo: Repository, *args: str, stdin: str | None = None) -> str:
    command = ["git", "-c", "safe.directory=*", f"--git-dir={repo.path}", *args]
    return subprocess.run(command, check=True, capture_output=True, text=True, input=stdin, env=ENV).stdout.strip()


def fill(repo: Repository) -> None:
    """A history of a few thousand commits over a few thousand files, with two branches that diverged."""
    chance = random.Random(7)
    out: list[str] = []

    def commit(branch: str, mark: int, changes: dict[str, str], parent: str = "") -> None:
        out.append(f"commit refs/heads/{branch}\nmark :{mark}\ncommitter B <b@x> {1_600_000_000 + mark * 60} +0000\n")
        out.append(f"data 7\nChange\n\n{parent}")
        for path, text in changes.items():
            out.append(f"M 100644 inline {path}\ndata {len(text)}\n{text}\n")

    def body(seed: int) -> str:
        return "".join(f"line {number} of {seed}\n" for number in range(40))

    commit("main", 1, {f"dir{n % 40}/sub{n % 7}/file{n}.txt": body(n) for n in range(FILES)})
    for mark in range(2, COMMITS):
        number = chance.randrange(FILES)
        commit("main", mark, {f"dir{number % 40}/sub{number % 7}/file{number}.txt": body(mark)})
    fork = f"from :{COMMITS - 50}\n"
    commit("side", COMMITS, {"dir1/new.txt": body(1)}, fork)
    for mark in range(COMMITS + 1, COMMITS + 30):
        commit("side", mark, {f"added/file{mark}.txt": body(mark)})
    out += [f"reset refs/heads/branch-{n:04d}\nfrom :{1 + n * 2}\n\n" for n in range(BRANCHES)]
    git(repo, "fast-import", "--quiet", stdin="".join(out))
    git(repo, "repack", "-adq")
    git(repo, "pack-refs", "--all")


def medians(ours: Callable[[], object], bare: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of both, measured in turn so that a busy machine slows both alike."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS + 1):
        for work, taken in zip((ours, bare), times, strict=True):
            started = time.perf_counter()
            work()
            taken.append(time.perf_counter() - started)
    return statistics.median(times[0][1:]) * 1000, statistics.median(times[1][1:]) * 1000


def compare(repo: Repository) -> list[tuple[str, float, float]]:
    main, side = refs.find_branch(repo, "main") or "", refs.find_branch(repo, "side") or ""
    base = objects.merge_base(repo, main, side) or ""
    git_root = git(repo, "rev-list", "--max-parents=0", main)
    path = "dir1/sub1/file1.txt"

    def fresh() -> Repository:
        """As in a request: opening the repository is part of the price."""
        return Repository(repo.path)

    def our_merge() -> None:
        one = fresh()
        created = merge_commit(one, main, side, "Merge", ME)
        refs.update(one, [RefUpdate("refs/heads/merged", created)])

    def git_merge() -> None:
        tree = git(repo, "merge-tree", "--write-tree", main, side)
        created = git(repo, "commit-tree", tree, "-p", main, "-p", side, "-m", "Merge")
        git(repo, "update-ref", "refs/heads/merged", created)

    write = CommitOptions("main", "Edit", [FileAction("update", path, "new\n")], ME)

    def git_commit() -> None:
        blob = git(repo, "hash-object", "-w", "--stdin", stdin="new\n")
        index = {**ENV, "GIT_INDEX_FILE": str(repo.path / "bench-index")}
        for args in (["read-tree", main], ["update-index", "--cacheinfo", f"100644,{blob},{path}"], ["write-tree"]):
            run = ["git", "-c", "safe.directory=*", f"--git-dir={repo.path}", *args]
            tree = subprocess.run(run, check=True, capture_output=True, text=True, env=index).stdout.strip()
        git(repo, "commit-tree", tree, "-p", main, "-m", "Edit")

    cases: list[tuple[str, Callable[[], object], Callable[[], object]]] = [
        ("merge, ref moved", our_merge, git_merge),
        ("log, 20 commits", lambda: log.commits(fresh(), LogQuery(include=[main], limit=20)),
         lambda: git(repo, "log", "-20", main)),
        ("log of a path", lambda: log.commits(fresh(), LogQuery(include=[main], path=path, limit=20)),
         lambda: git(repo, "log", "-20", main, "--", path)),
        ("diff of a request", lambda: diff.diff(fresh(), base, side),
         lambda: git(repo, "diff-tree", "-p", "-r", "-M", base, side)),
        ("diff, 1900 files", lambda: diff.diff(fresh(), git_root, main),
         lambda: git(repo, "diff-tree", "-p", "-r", "-M", git_root, main)),
        ("blob by path", lambda: objects.find_blob(fresh(), main, path),
         lambda: git(repo, "cat-file", "blob", f"{main}:{path}")),
        ("one branch", lambda: objects.get_commit(one := fresh(), refs.find_branch(one, "side") or ""),
         lambda: git(repo, "log", "-1", "refs/heads/side")),
        ("1000 branches", lambda: listing.list_branches(fresh()), lambda: git(repo, "for-each-ref", "refs/heads/")),
        ("tree, recursive", lambda: objects.list_tree(fresh(), main, recursive=True),
         lambda: git(repo, "ls-tree", "-r", "-t", main)),
        ("ahead, behind", lambda: objects.ahead_behind(fresh(), main, side),
         lambda: git(repo, "rev-list", "--left-right", "--count", f"{main}...{side}")),
        ("commit of one file", lambda: prepare_commit(fresh(), write), git_commit),
    ]  # fmt: skip
    return [(name, *medians(ours, bare)) for name, ours, bare in cases]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = Storages({"default": Path(folder)}).create("default", 1)
        fill(repo)
        print(f"{'git':<20} {'gitstore ms':>12} {'bare git ms':>12} {'ratio':>7}")
        for name, ours, bare in compare(repo):
            print(f"{name:<20} {ours:>12.2f} {bare:>12.2f} {ours / bare:>7.2f}")


if __name__ == "__main__":
    main()
