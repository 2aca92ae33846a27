"""Copying a tree that changes while it is copied: a second call brings the copy up to date, cheaply.

Git's own order of writing makes a copied repository whole: objects are there before a reference names them, and a
packed form is there before the loose one goes. So references are copied before objects, and loose before packed.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

# Locks, half-written files and quarantines of pushes; none of them is data yet.
_PASSING = re.compile(r"\.lock$|\.(new|deleted|moving)-|^tmp_|#\d+$|^incoming-")
_SCANS = 10
_ORDER = ("refs", "packed-refs", "HEAD", "objects")


@dataclass
class Copied:
    """The size of a copy, and how much this pass wrote."""

    files: int = 0
    size: int = 0
    written: int = 0

    def add(self, other: "Copied") -> None:
        """Sum up."""
        self.files += other.files
        self.size += other.size
        self.written += other.written


def mirror(source: Path, target: Path, *, without: str = "") -> Copied:
    """Make `target` hold exactly what `source` holds, except for its entry `without`."""
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    scans = 1
    while True:
        try:
            return _scan(source, target, without)
        except FileNotFoundError:
            # Something was renamed or packed under our hands: its new form is in this folder now, or this folder is
            # gone as well, which the scan of its parent will see.
            if scans == _SCANS or not source.is_dir():
                raise
        scans += 1


def _scan(source: Path, target: Path, without: str) -> Copied:
    total = Copied()
    copied = (entry for entry in source.iterdir() if entry.name != without and not _PASSING.search(entry.name))
    entries = sorted(copied, key=_rank)
    for entry in entries:
        copy = target / entry.name
        if entry.is_dir():
            total.add(mirror(entry, copy))
        else:
            total.add(_copy_file(entry, copy))
    _remove_others(target, {entry.name for entry in entries})
    return total


def _rank(entry: Path) -> tuple[int, str]:
    if entry.name in _ORDER:
        return _ORDER.index(entry.name), entry.name
    # Inside `objects`, loose folders (two digits) sort before `info` and `pack` by themselves.
    return len(_ORDER), entry.name


def _copy_file(source: Path, target: Path) -> Copied:
    now = source.stat()
    try:
        known = target.stat()
        is_same = known.st_size == now.st_size and known.st_mtime_ns == now.st_mtime_ns
    except FileNotFoundError:
        is_same = False
    if not is_same:
        target.unlink(missing_ok=True)
        shutil.copy2(source, target)
        # The source may have been readable by others, and a copy may be moved out of its private folder.
        target.chmod(now.st_mode & 0o700)
    return Copied(1, now.st_size, 0 if is_same else now.st_size)


def _remove_others(folder: Path, names: set[str]) -> None:
    for entry in list(folder.iterdir()):
        if entry.name not in names:
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink()
