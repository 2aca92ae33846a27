"""Git's index of commits, with the paths that each of them changed.

With it git lists commits in topological order, counts them and finds those of a path without reading every commit and
folder of the history. It is written in layers: a layer for the new commits costs as much as there are of them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ingot.gitstore.health import read_commit_graph
from ingot.gitstore.process import LONG, Limits
from ingot.gitstore.repository import Repository

_LIMITS = Limits(3600.0, memory=LONG.memory)
_FILES = ("commit-graphs/commit-graph-chain", "commit-graph")


def is_behind(repo: Repository, newest: float) -> bool:
    """Commits came since it was written, at this time the last (0: never any that count), or it lacks their paths."""
    return newest > 0 and (_written_at(repo) < newest or not _knows_paths(repo))


def extend(repo: Repository) -> None:
    """Add the commits that the index lacks."""
    _write(repo, "--split" if _knows_paths(repo) else "--split=replace")
    # Without new commits git writes nothing, and the index would count as old again.
    for name in _FILES:
        with suppress(FileNotFoundError):
            os.utime(_folder(repo) / name)


def rewrite(repo: Repository) -> None:
    """Write it anew, without commits that are gone."""
    _write(repo, "--split=replace")


def _write(repo: Repository, layers: str) -> None:
    repo.git("commit-graph", "write", "--reachable", "--changed-paths", layers, "--no-progress", limits=_LIMITS)


def _knows_paths(repo: Repository) -> bool:
    graph = read_commit_graph(_folder(repo))
    return graph is not None and graph.has_bloom_filters


def _written_at(repo: Repository) -> float:
    times = [0.0]
    for name in _FILES:
        with suppress(FileNotFoundError, NotADirectoryError):
            times.append((_folder(repo) / name).stat().st_mtime)
    return max(times)


def _folder(repo: Repository) -> Path:
    return repo.path / "objects" / "info"
