"""Who wrote the commits of a history, and when. Where a branch moved on, only its new commits are read."""

from __future__ import annotations

import sys
import threading
from array import array
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

import msgspec
from msgspec.structs import replace

from ingot.gitstore.errors import CommandFailed
from ingot.gitstore.model import text
from ingot.gitstore.objects import find_entry
from ingot.gitstore.process import Limits
from ingot.gitstore.refs import find_branch
from ingot.gitstore.repository import Repository
from ingot.gitstore.shared_work import shared
from ingot.gitstore.streams import stream
from ingot.kit.blobs.shared_cache import SharedCache

_LOG = ("log", "--no-merges", "--encoding=UTF-8", "--no-show-signature", "--format=%aE%x00%aN%x00%ct")
LAST = 2**62  # whoever makes a commit chooses its time
MOST_KNOWN = 2_000_000  # commits, at eight bytes each
SLOW = 0.5  # seconds: what took longer is kept for other processes too
SHARED = "authors"  # the kind of what is shared

Key = tuple[str, str, str]


class Author(msgspec.Struct, frozen=True, eq=False):
    """Somebody with commits that are no merges."""

    name: str
    email: str
    times: array[int]
    """When they were committed, in seconds, the newest first."""
    written: bytes
    """The address as commits have it: several that are no text may be shown alike."""


Authors = tuple[Author, ...]
_known: OrderedDict[Key, Authors] = OrderedDict()
_lock = threading.Lock()


def authors(repo: Repository, sha: str, cache: SharedCache | None = None, slow: float = SLOW) -> Authors:
    """Every author of a revision's history, in order of first appearance from the tip."""
    key = (str(repo.path), _names_file(repo), sha)
    with _lock:
        if (people := _known.get(key)) is not None:
            _known.move_to_end(key)
            return people
    return shared(("authors", *key), lambda: _read(repo, key, cache, slow))


def _names_file(repo: Repository) -> str:
    """The id of the file by which git gives people other names, whatever commit is read."""
    head = find_branch(repo, repo.default_branch())
    entry = find_entry(repo, head, ".mailmap") if head else None
    return entry.id if entry else ""


def _read(repo: Repository, key: Key, cache: SharedCache | None, slow: float) -> Authors:
    sha = key[2]
    name = msgspec.json.encode((repo.path.name, *key[1:], sys.byteorder))
    with _lock:
        earlier = next((other for other in reversed(_known) if other[:2] == key[:2]), None)
        before = _known[earlier] if earlier else ()
    stored = cache.find(SHARED, name) if cache is not None and earlier is None else None
    start = monotonic()
    if stored is not None:
        people = _unpacked(stored)
    elif earlier is not None and _has(repo, sha, earlier[2]):
        people = _joined(_count(repo, sha, f"^{earlier[2]}"), before)
    else:
        people = _count(repo, sha)
    if cache is not None and stored is None and monotonic() - start > slow:
        cache.put(SHARED, name, _packed(people))
    with _lock:
        _known[key] = people
        total = sum(map(_size, _known.values()))
        while total > MOST_KNOWN and len(_known) > 1:
            total -= _size(_known.popitem(last=False)[1])
    return people


def _packed(people: Authors) -> bytes:
    return msgspec.msgpack.encode([(one.name, one.email, one.times.tobytes(), one.written) for one in people])


def _unpacked(stored: bytes) -> Authors:
    rows = msgspec.msgpack.decode(stored, type=list[tuple[str, str, bytes, bytes]])
    return tuple(Author(name, email, array("q", times), written) for name, email, times, written in rows)


def _has(repo: Repository, sha: str, earlier: str) -> bool:
    """All commits of the earlier revision are among those of the new one."""
    with suppress(CommandFailed):  # it may be gone
        return not repo.git("rev-list", "--max-count=1", earlier, f"^{sha}", "--").stdout
    return False


def _count(repo: Repository, *revisions: str) -> Authors:
    names: dict[bytes, bytes] = {}
    times: dict[bytes, array[int]] = {}
    for line in _lines(repo, revisions):
        email, name, seconds = line.split(b"\0")
        if email not in times:
            names[email], times[email] = name, array("q")
        times[email].append(min(int(seconds), LAST) if seconds.isdigit() else 0)
    return tuple(Author(text(name), text(email), times[email], email) for email, name in names.items())


def _lines(repo: Repository, revisions: tuple[str, ...]) -> Iterator[bytes]:
    rest = b""
    for chunk in stream(repo.path, (*_LOG, *revisions, "--"), limits=Limits(repo.seconds, 1 << 30, repo.memory)):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole


def _joined(new: Authors, before: Authors) -> Authors:
    older = {author.written: author for author in before}
    changed = [replace(one, times=one.times + older[one.written].times) if one.written in older else one for one in new]
    recent = {author.written for author in new}
    return (*changed, *(author for author in before if author.written not in recent))


def _size(people: Authors) -> int:
    return sum(len(author.times) for author in people)
