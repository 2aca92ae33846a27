"""Which paths the new commits of a push change, read while its objects wait in quarantine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingot.gitstore.new_commits import quarantined
from ingot.gitstore.repository import Repository
from ingot.gitstore.streams import stream

_AT_ONCE = 500


def changed_paths(repo: Repository, quarantine: Path, tips: Sequence[str]) -> Iterator[list[str]]:
    """Paths of every commit that leads to one of the tips and is in no ref yet, in parts; some come twice.

    Of a merge only those that differ from all of its parents count: the rest was changed by the commits that it merges.
    """
    args = ["log", "--format=", "--name-only", "-z", "-c", "--no-renames", *tips, "--not", "--all"]
    paths: list[str] = []
    rest = b""
    for chunk in stream(repo.path, args, env=quarantined(repo, quarantine)):
        *names, rest = (rest + chunk).split(b"\0")
        paths += [os.fsdecode(name.lstrip(b"\n")) for name in names if name]
        if len(paths) >= _AT_ONCE:
            yield paths
            paths = []
    if paths:
        yield paths
