"""The newest commit of each entry of a folder: one bounded walk over the folder's history.

What the newest commits left alone is looked for beside the request, so that no folder waits for a long history.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime

import msgspec

from ingot.gitstore.errors import GitError
from ingot.gitstore.model import moment, text
from ingot.gitstore.names import is_sha
from ingot.gitstore.process import Limits
from ingot.gitstore.remembered import remembered
from ingot.gitstore.repository import Repository
from ingot.gitstore.streams import stream

WALKED = 1000
MOST_WALKS = 2  # at a time, beside the requests
MOST_KNOWN = 64  # folders
PATIENCE = 0.15  # seconds
_LIMITS = Limits(output=16 << 20)
_OLDER = Limits(seconds=20.0, output=1 << 30)
_FORMAT = "%x01%H%x00%ct%x00%s"
_LOG = (
    "log", "-z", "--no-merges", "--no-renames", "--name-only", "--encoding=UTF-8", "--no-show-signature",
    f"--format={_FORMAT}",
)  # fmt: skip

Key = tuple[str, str, str, int]


class LastCommit(msgspec.Struct, frozen=True):
    """The last commit of an entry."""

    sha: str
    subject: str
    when: datetime


Commits = dict[str, LastCommit]
_known: OrderedDict[Key, Commits] = OrderedDict()
_walked_now: set[Key] = set()
_lock = threading.Lock()


def last_commits(repo: Repository, sha: str, folder: str, names: Collection[str], walked: int = WALKED) -> Commits:
    """By name, and of the folder itself by `""`; entries whose commits are not known yet are left out."""
    prefix = f"{folder}/" if folder else ""
    question = (*_LOG, f"--max-count={walked}", sha, "--", *([prefix] if prefix else []))
    output = remembered(repo, question, lambda: repo.git(*question, limits=_LIMITS).stdout)
    records = output.split(b"\x01")
    result = _first(records, prefix, set(names))
    missing = set(names) - result.keys()
    if missing and sum(map(bool, records)) >= walked:
        result |= _older(repo, sha, prefix, missing)
    return result


def _first(records: Iterable[bytes], prefix: str, missing: set[str]) -> Commits:
    """The first commit of each name, as long as one is missing."""
    result: Commits = {}
    for record in records:
        head, *rest = record.split(b"\0")
        if not is_sha(head.decode("latin-1")) or len(rest) < 2:
            continue
        commit = LastCommit(head.decode(), text(rest[1]), moment(int(rest[0]), 0))
        result.setdefault("", commit)
        for path in rest[2:]:
            name = text(path).lstrip("\n").removeprefix(prefix).partition("/")[0]
            if name in missing:
                missing.remove(name)
                result[name] = commit
        if not missing:
            break
    return result


def _older(repo: Repository, sha: str, prefix: str, names: set[str]) -> Commits:
    """What a longer walk found, which goes on after a moment for whoever asks next."""
    key = (str(repo.path), sha, prefix, hash(frozenset(names)))
    with _lock:
        if (known := _known.get(key)) is not None:
            _known.move_to_end(key)
            return known
        if key in _walked_now or len(_walked_now) >= MOST_WALKS:
            return {}
        _walked_now.add(key)
    thread = threading.Thread(target=_walk, args=(repo, key, names), name="last-commits", daemon=True)
    thread.start()
    thread.join(PATIENCE)
    with _lock:
        return _known.get(key, {})


def _walk(repo: Repository, key: Key, names: set[str]) -> None:
    _, sha, prefix, _ = key
    result: Commits = {}
    try:
        with suppress(GitError):
            args = (*_LOG, sha, "--", *(prefix + name for name in sorted(names)))
            chunks = stream(repo.path, args, limits=_OLDER)
            for record in _records(chunks):
                for name, commit in _first([record], prefix, set(names - result.keys())).items():
                    result.setdefault(name, commit)
                if result.keys() >= names:
                    chunks.close()
                    break
    finally:
        result.pop("", None)  # of these entries, not of the folder
        with _lock:
            _walked_now.discard(key)
            _known[key] = result
            while len(_known) > MOST_KNOWN:
                _known.popitem(last=False)


def _records(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """What lies between the marks, as soon as the next one has come."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\x01")
        yield from whole
    yield rest
