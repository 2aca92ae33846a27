"""The state of a repository's branches and tags, by the times of their folders: it tells whether one has moved since.

Every change of a ref renames or removes a file in its folder, `HEAD` and `packed-refs` are replaced by a new file.
"""

from __future__ import annotations

import os
import time

# Clocks of file systems tick in milliseconds: a change in the tick of the last one would not show.
SETTLED_SECONDS = 0.05
MOST_FOLDERS = 64
MOST_ENTRIES = 1_000

Stamp = tuple[int, int]


class RefsState:
    """The refs of one repository as they were when this value was made."""

    __slots__ = ("_stamps",)

    def __init__(self, path: str) -> None:
        stamps: dict[str, Stamp] | None = {name: _stamp(name) for name in (f"{path}/HEAD", f"{path}/packed-refs")}
        for name in (f"{path}/refs/heads", f"{path}/refs/tags"):
            stamps = _with_folder(name, stamps)
        limit = time.time_ns() - int(SETTLED_SECONDS * 1e9)
        is_known = stamps is not None and all(changed < limit for _, changed in stamps.values())
        self._stamps = stamps if is_known else None

    def is_unchanged(self) -> bool:
        """No branch or tag has moved, come or gone; False also where that cannot be told."""
        return self._stamps is not None and all(_stamp(name) == stamp for name, stamp in self._stamps.items())


def _with_folder(folder: str, stamps: dict[str, Stamp] | None) -> dict[str, Stamp] | None:
    """The stamps, with those of a folder and all below it; None where there are too many."""
    if stamps is None or len(stamps) > MOST_FOLDERS:
        return None
    # Before its entries are read: what changes in between then shows.
    stamps[folder] = _stamp(folder)
    try:
        with os.scandir(folder) as entries:
            for number, entry in enumerate(entries):
                if number >= MOST_ENTRIES:
                    return None
                if entry.is_dir(follow_symlinks=False):
                    stamps = _with_folder(entry.path, stamps)
                    if stamps is None:
                        return None
    except FileNotFoundError:
        pass
    return stamps


def _stamp(path: str) -> Stamp:
    try:
        state = os.stat(path)  # noqa: PTH116 - asked for often, and half the cost of a Path's
    except FileNotFoundError:
        return 0, 0
    return state.st_ino, state.st_mtime_ns
