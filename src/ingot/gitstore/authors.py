"""Who wrote the commits of a history, and when."""

from __future__ import annotations

from array import array

import msgspec

from ingot.gitstore.model import text
from ingot.gitstore.repository import Repository

_LOG = ("log", "--no-merges", "--encoding=UTF-8", "--no-show-signature", "--format=%aE%x00%aN%x00%ct")
LAST = 2**62  # whoever makes a commit chooses its time


class Author(msgspec.Struct, frozen=True):
    """Somebody with commits that are no merges."""

    name: str
    email: str
    times: array[int]
    """When they were committed, in seconds, the newest first."""


def authors(repo: Repository, sha: str) -> list[Author]:
    """Every author of a revision's history, in order of first appearance from the tip."""
    names: dict[bytes, bytes] = {}
    times: dict[bytes, array[int]] = {}
    for line in repo.git(*_LOG, sha).stdout.split(b"\n")[:-1]:
        email, name, seconds = line.split(b"\0")
        names.setdefault(email, name)
        times.setdefault(email, array("q")).append(min(int(seconds), LAST) if seconds.isdigit() else 0)
    return [Author(text(name), text(email), times[email]) for email, name in names.items()]
