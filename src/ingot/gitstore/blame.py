"""Who wrote each line of a file."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from time import monotonic

import msgspec

from ingot.gitstore.errors import ObjectTooLarge, PathNotFound
from ingot.gitstore.log import last_commit_of_path
from ingot.gitstore.model import Commit, text
from ingot.gitstore.objects import blob_size, find_entry, get_commit
from ingot.gitstore.process import Limits
from ingot.gitstore.remembered import remembered
from ingot.gitstore.repository import Repository
from ingot.gitstore.sizes import LARGEST_SHOWN
from ingot.kit.blobs.shared_cache import SharedCache

TOO_LARGE = "Blame is not available for files larger than 10 MB."
_LIMITS = Limits(output=16 << 20)
_LARGEST = 512 * 1024  # packed bytes of git's answer that are kept: some ten thousand lines
SLOW = 0.5  # seconds: what took longer is kept for other processes too
Lines = tuple[int | None, int | None]  # the first and the last, where they are not those of the file
WHOLE: Lines = (None, None)
SHARED = "blame"  # the kind of what is shared


class BlameRange(msgspec.Struct, frozen=True):
    """Successive lines that come from one commit, without their line ends."""

    commit: Commit
    lines: tuple[str, ...]
    start: int


def rendered_blame(
    repo: Repository,
    sha: str,
    path: str,
    form: tuple[str, ...],
    render: Callable[[list[BlameRange]], bytes],
    *,
    lines: Lines = WHOLE,
    shared: SharedCache | None = None,
    slow: float = SLOW,
) -> bytes:
    """What `render` makes of the ranges in file order, optionally of some lines only (first and last, from 1).

    It is asked once: to take git's answer apart costs more than all the rest. `form` names all that the result follows
    from besides the ranges.
    """
    question = _question(repo, sha, path, lines)

    def work() -> bytes:
        return zlib.compress(render(_answer(repo, question, shared, slow)), 1)

    return zlib.decompress(remembered(repo, (*question, *form), work, _LARGEST))


def _question(repo: Repository, sha: str, path: str, lines: Lines) -> tuple[str, ...]:
    """What git is asked."""
    path = path.strip("/")
    entry = find_entry(repo, sha, path)
    if entry is None or entry.type != "blob":
        raise PathNotFound
    if (blob_size(repo, entry.id) or 0) > LARGEST_SHOWN:
        raise ObjectTooLarge(TOO_LARGE)
    first, last = lines
    limit = [] if lines == WHOLE else [f"-L{first or 1},{last or ''}"]
    # Commits that did not change the file bring no other answer, so it is kept while others are pushed.
    changed = last_commit_of_path(repo, sha, path) or sha
    return ("blame", "--porcelain", *limit, changed, "--", path)


def _answer(repo: Repository, question: tuple[str, ...], shared: SharedCache | None, slow: float) -> list[BlameRange]:
    return _ranges(repo, zlib.decompress(_ask(repo, question, shared, slow)))


def _ask(repo: Repository, question: tuple[str, ...], shared: SharedCache | None, slow: float) -> bytes:
    """Git's answer, packed: most of it are the people and subjects of commits. Seconds of work may lie behind it."""
    name = msgspec.json.encode((repo.path.name, question))
    stored = shared.find(SHARED, name) if shared is not None else None
    if stored is not None:
        return stored
    start = monotonic()
    answer = zlib.compress(repo.git(*question, limits=_LIMITS).stdout, 1)
    if shared is not None and monotonic() - start > slow:
        shared.put(SHARED, name, answer)
    return answer


def _ranges(repo: Repository, output: bytes) -> list[BlameRange]:
    commits: dict[str, Commit] = {}
    groups: list[tuple[str, int, list[str]]] = []
    current, number = "", 0
    for line in output.split(b"\n"):
        if line.startswith(b"\t"):
            content = text(line[1:]).rstrip("\r")
            if groups and groups[-1][0] == current:
                groups[-1][2].append(content)
            else:
                groups.append((current, number, [content]))
            continue
        words = line.split(b" ")
        if len(words) >= 3 and len(words[0]) == 40:
            current, number = words[0].decode(), int(words[2])
    for sha, _, _ in groups:
        if sha not in commits:
            commits[sha] = get_commit(repo, sha)
    return [BlameRange(commits[sha], tuple(lines), start) for sha, start, lines in groups]
