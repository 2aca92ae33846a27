"""Blames as tests look at them: the ranges themselves, made anew each time."""

from itertools import count

from ingot.gitstore.blame import SLOW, WHOLE, BlameRange, Lines, rendered_blame
from ingot.gitstore.repository import Repository
from ingot.kit.blobs.shared_cache import SharedCache

NUMBERS = count()


def blame(
    repo: Repository,
    sha: str,
    path: str,
    *,
    lines: Lines = WHOLE,
    shared: SharedCache | None = None,
    slow: float = SLOW,
) -> list[BlameRange]:
    ranges: list[BlameRange] = []

    def render(parts: list[BlameRange]) -> bytes:
        ranges.extend(parts)
        return b""

    form = (str(next(NUMBERS)),)  # nothing of that form is kept
    rendered_blame(repo, sha, path, form, render, lines=lines, shared=shared, slow=slow)
    return ranges
