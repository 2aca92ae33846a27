"""The newest commit of each entry of a folder: a walk over the folder's history beside the requests.

A request waits a moment for it. What is not known then is found for whoever asks next: the walk goes on, in turns that
end after some seconds, and later ones begin where it stopped. Where a branch moved on, only its new commits are read.
What was found for all entries is kept for other processes too.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from time import monotonic

import msgspec

from ingot.gitstore.errors import GitError, PassingFault, TimedOut
from ingot.gitstore.model import moment, text
from ingot.gitstore.names import is_sha
from ingot.gitstore.process import Limits
from ingot.gitstore.repository import Repository
from ingot.gitstore.streams import stream
from ingot.kit.blobs.shared_cache import SharedCache

PATIENCE = 0.15  # seconds
SECONDS = 10.0  # of a turn
MOST_WALKS = 4  # at a time
MOST_KNOWN, MOST_ENTRIES = 64, 32_768  # folders, and entries of all of them: about 16 MB
LONGEST_SUBJECT = 1000  # signs
SHARED = "last_commits"  # the kind of what is shared
WALKED = 1000  # commits that are read before git is asked for those of the missing entries only
MOST_NAMED = 200  # of them; git compares every path with each of these names
MOST_READ = 50_000  # commits in a turn
MOST_STARTS = 1000  # lines of history that a turn goes on with
_FORMAT = "/%H%x00%ct%x00%s"  # no path begins with a slash
_LOG = (
    "log", "-z", "--no-renames", "--name-only", "--encoding=UTF-8", "--no-show-signature", f"--format={_FORMAT}",
)  # fmt: skip
_COMMITS = (*_LOG, "--no-merges")
_MERGES = (*_LOG, "--merges", "-c")  # with what differs from all parents

Key = tuple[str, str, str]


class LastCommit(msgspec.Struct, frozen=True):
    """The last commit of an entry."""

    sha: str
    subject: str
    when: datetime


Commits = dict[str, LastCommit]


class FolderCommits(msgspec.Struct, frozen=True):
    """What is known of a folder's entries by now."""

    commits: Commits
    """By name, and of the folder itself by `""`."""
    is_over: bool
    """Nothing more will be found."""


class _Walk:
    """The walk of a folder at a commit. Threads read it, and that of its turn changes it, under the lock."""

    def __init__(self, path: Path, sha: str, prefix: str, names: Collection[str], earlier: _Walk | None) -> None:
        self.path, self.sha, self.prefix = path, sha, prefix
        self.earlier = earlier  # of the same folder at another commit, maybe one below this
        self.commits: Commits = {}
        self.names = frozenset(names)
        self.missing = set(names)
        self.starts = [sha]  # where it goes on
        self.is_over = False
        self.has_read_newest = False
        self.turn: threading.Thread | None = None


_known: OrderedDict[Key, _Walk] = OrderedDict()
_lock = threading.Condition()  # and whoever waits for a commit


def last_commits(
    repo: Repository,
    sha: str,
    folder: str,
    names: Collection[str],
    wanted: Collection[str] = (),
    *,
    shared: SharedCache | None = None,
    walked: int = WALKED,
    most: int = MOST_READ,
) -> FolderCommits:
    """The commits of a folder's entries, of which `names` has all, as far as they are known after a moment.

    Where some are wanted, nobody waits for the others.
    """
    with _lock:
        walk = _walk_of(repo.path, sha, f"{folder}/" if folder else "", names)
        is_free = sum(other.turn is not None for other in _known.values()) < MOST_WALKS
        if walk.turn is None and is_free and not walk.is_over:
            given = (walk, shared, walked, most)
            turn = threading.Thread(target=_take_turn, args=given, name="last-commits", daemon=True)
            turn.start()
            walk.turn = turn  # it ends only when this lock is free
        enough = set(wanted)
        _lock.wait_for(lambda: walk.turn is None or (bool(enough) and walk.commits.keys() >= enough), timeout=PATIENCE)
        return FolderCommits(dict(walk.commits), walk.is_over)


def _walk_of(path: Path, sha: str, prefix: str, names: Collection[str]) -> _Walk:
    key = (str(path), prefix, sha)
    walk = _known.get(key)
    if walk is None:
        earlier = next((_known[other] for other in reversed(_known) if other[:2] == key[:2]), None)
        walk = _known[key] = _Walk(path, sha, prefix, names, earlier)
        entries = sum(len(other.names) for other in _known.values())
        while len(_known) > MOST_KNOWN or (entries > MOST_ENTRIES and len(_known) > 1):
            entries -= len(_known.popitem(last=False)[1].names)
    _known.move_to_end(key)
    return walk


def _take_turn(walk: _Walk, shared: SharedCache | None, walked: int, most: int) -> None:
    """Find what is missing, or go some way towards it."""
    end = monotonic() + SECONDS
    earlier, walk.earlier = walk.earlier, None
    is_over = True  # also where git fails, since it would again
    is_recalled = False
    try:
        is_recalled = shared is not None and _recall(walk, shared)
        has_ended = is_recalled or (earlier is not None and _build_on(walk, earlier, end))
        has_ended = has_ended or _read(walk, walked, most, end)
        if has_ended and walk.missing:
            _read_merges(walk)
        is_over = has_ended
    except GitError as error:
        is_over = not isinstance(error, PassingFault) or isinstance(error, TimedOut)
    finally:
        with _lock:
            walk.is_over = is_over or not walk.missing
            walk.turn = None
            _lock.notify_all()
    if shared is not None and not is_recalled and not walk.missing:
        shared.put(SHARED, _shared_name(walk), msgspec.json.encode(walk.commits))


def _recall(walk: _Walk, shared: SharedCache) -> bool:
    """Take over what another process found."""
    stored = shared.find(SHARED, _shared_name(walk))
    commits = msgspec.json.decode(stored, type=Commits) if stored is not None else {}
    if not commits.keys() >= walk.names | {""}:
        return False
    with _lock:
        walk.commits, walk.missing, walk.is_over = commits, set(), True
    return True


def _shared_name(walk: _Walk) -> bytes:
    """What the answer depends on, the repository and what is asked of git included."""
    return msgspec.json.encode((_COMMITS, _MERGES, LastCommit.__struct_fields__, walk.path.name, walk.sha, walk.prefix))


def _build_on(walk: _Walk, earlier: _Walk, end: float) -> bool:
    """Take over what is known at a commit below, once the commits above it are read; whether all of it is known."""
    with suppress(GitError):  # it may be gone; then the whole history is read
        if b"".join(_output(walk.path, end, "rev-list", "--max-count=1", earlier.sha, f"^{walk.sha}", "--")):
            return False
        for record in _records(_output(walk.path, end, *_COMMITS, walk.sha, f"^{earlier.sha}", "--", *_paths(walk))):
            _take(walk, record)
        with _lock:
            for name, commit in earlier.commits.items():
                own = walk.commits.get(name)
                if name in walk.missing or not name or own is not None:
                    walk.commits[name] = commit if own is None or own.when < commit.when else own
                    walk.missing.discard(name)
            walk.starts, walk.has_read_newest = list(earlier.starts), earlier.has_read_newest
            _lock.notify_all()
            return earlier.is_over
    return False


def _read(walk: _Walk, walked: int, most: int, end: float) -> bool:
    """Read the history from where the walk stopped; whether it ended."""
    if not walk.has_read_newest:
        has_ended = _read_some(walk, _paths(walk), walked, end)
        if has_ended or not walk.has_read_newest:  # that is, the time is up
            return has_ended
    return _read_some(walk, _missing_paths(walk), most, end)


def _read_merges(walk: _Walk) -> None:
    """Find the entries that no other commit changed: those that came with a merge, and were on none of its sides."""
    with closing(_output(walk.path, monotonic() + SECONDS, *_MERGES, walk.sha, "--", *_missing_paths(walk))) as output:
        for record in _records(output):
            _take(walk, record)
            if not walk.missing:
                break


def _read_some(walk: _Walk, paths: Collection[str], most: int, end: float) -> bool:
    """Read so many commits of these paths at most; whether nothing is left to read."""
    count, last = 0, ""
    with suppress(TimedOut), closing(_output(walk.path, end, *_COMMITS, *walk.starts, "--", *paths)) as output:
        for record in _records(output):
            last = _take(walk, record)
            count += 1
            if not walk.missing:
                return True
            if count >= most:
                break
        else:
            return True
        if not walk.has_read_newest:  # the missing entries alone are looked for from the same place
            walk.has_read_newest = True
            return False
    starts = _left_after(walk, last) if last else []
    with _lock:
        walk.starts = starts
    return not starts


def _left_after(walk: _Walk, last: str) -> list[str]:
    """Where the history goes on that was read up to this commit: the parents of what was read that were not read."""
    seen: set[str] = set()
    parents: set[str] = set()
    output = closing(_output(walk.path, monotonic() + SECONDS, "rev-list", "--parents", *walk.starts, "--"))
    with output as chunks:
        for line in _split(chunks, b"\n"):
            sha, *others = line.decode("ascii").split() or [""]
            seen.add(sha)
            parents.update(others)
            if sha == last:
                break
    left = sorted(parents - seen)
    return left if len(left) <= MOST_STARTS else []


def _take(walk: _Walk, record: Sequence[bytes]) -> str:
    """Keep the commit as the last of the entries that it changed, and that have none; its id."""
    head, seconds, subject, *paths = record
    sha = head.decode("ascii")
    changed = {text(path).removeprefix(walk.prefix).partition("/")[0] for path in paths}
    with _lock:
        named = changed & walk.missing
        if named or "" not in walk.commits:
            # A commit that was written by hand may have no time.
            when = moment(int(seconds) if seconds.isdigit() else 0, 0)
            commit = LastCommit(sha, text(subject)[:LONGEST_SUBJECT], when)
            walk.commits.setdefault("", commit)
            walk.commits |= dict.fromkeys(named, commit)
            walk.missing -= named
            _lock.notify_all()
    return sha


def _paths(walk: _Walk) -> list[str]:
    return [walk.prefix] if walk.prefix else []


def _missing_paths(walk: _Walk) -> list[str]:
    named = [walk.prefix + name for name in sorted(walk.missing)]
    return named if len(named) <= MOST_NAMED else _paths(walk)


def _output(path: Path, end: float, *args: str) -> Generator[bytes]:
    return stream(path, args, limits=Limits(seconds=max(end - monotonic(), 0.1), output=1 << 30))


def _records(chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Of each commit its id, time, subject and paths."""
    record: list[bytes] = []
    for part in _split(chunks, b"\0"):
        if len(record) in (1, 2):  # the time and the subject may be anything
            record.append(part)
        elif part.startswith(b"/") and is_sha(part[1:].decode("latin-1")):
            if record:
                yield record
            record = [part[1:]]
        elif part and record:  # a line feed, or of merges an empty part, stands before the first path
            record.append(part.removeprefix(b"\n") if len(record) == len(("id", "time", "subject")) else part)
    if len(record) > len(("id", "time")):
        yield record


def _split(chunks: Iterable[bytes], mark: bytes) -> Iterator[bytes]:
    """What lies between the marks, as soon as the next one has come."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(mark)
        yield from whole
    yield rest
