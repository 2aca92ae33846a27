"""The state of a repository's refs, by the times of their folders: it tells whether one has moved since.

Every change of a ref renames or removes a file in its folder, `HEAD` and `packed-refs` are replaced by a new file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

# Clocks of file systems tick in milliseconds: a change in the tick of the last one would not show.
SETTLED_SECONDS = 0.05
MOST_FOLDERS = 64
MOST_ENTRIES = 1_000

Stamp = tuple[int, int]


class _Stamps:
    """The times of files and folders when this value was made."""

    __slots__ = ("_stamps",)
    _stamps: dict[str, Stamp] | None

    def is_unchanged(self) -> bool:
        """No ref has moved, come or gone; False also where that cannot be told."""
        return self._stamps is not None and all(_stamp(name) == stamp for name, stamp in self._stamps.items())


class RefsState(_Stamps):
    """The branches and tags of one repository. What changed this moment cannot be told from what changes next."""

    __slots__ = ()

    def __init__(self, path: str) -> None:
        places = [f"{path}/refs/heads", f"{path}/refs/tags"]
        stamps = _look([f"{path}/HEAD", f"{path}/packed-refs"], places, MOST_FOLDERS, MOST_ENTRIES)
        limit = time.time_ns() - int(SETTLED_SECONDS * 1e9)
        is_known = stamps is not None and all(changed < limit for _, changed in stamps.values())
        self._stamps = stamps if is_known else None


class AllRefsState(_Stamps):
    """All refs of one repository, hidden ones too. Believe it once it was seen unchanged for `SETTLED_SECONDS`.

    That holds also where the clock of the file system is another one than ours.
    """

    __slots__ = ()
    MOST_FOLDERS = 2_000
    MOST_ENTRIES = 50_000

    def __init__(self, path: str) -> None:
        files = [f"{path}/{name}" for name in ("HEAD", "packed-refs", "shallow", "config")]
        self._stamps = _look(files, [f"{path}/refs"], self.MOST_FOLDERS, self.MOST_ENTRIES)

    @property
    def is_known(self) -> bool:
        """There are not too many folders."""
        return self._stamps is not None

    @property
    def number(self) -> int:
        """How many files and folders are looked at."""
        return len(self._stamps or ())


def _look(
    files: Sequence[str], folders: Sequence[str], most_folders: int, most_entries: int
) -> dict[str, Stamp] | None:
    """The stamps of files, and of folders with all below them; None where there are too many."""
    stamps = {name: _stamp(name) for name in files}
    waiting = [*folders]
    while waiting:
        folder = waiting.pop()
        if len(stamps) > most_folders:
            return None
        # Before its entries are read: what changes in between then shows.
        stamps[folder] = _stamp(folder)
        try:
            with os.scandir(folder) as entries:
                for number, entry in enumerate(entries):
                    if number >= most_entries:
                        return None
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except FileNotFoundError:
            pass
    return stamps


def _stamp(path: str) -> Stamp:
    try:
        state = os.stat(path)  # noqa: PTH116 - asked for often, and half the cost of a Path's
    except FileNotFoundError:
        return 0, 0
    return state.st_ino, state.st_mtime_ns
