"""The files of an unpacked archive, one by one: a list of all would grow with the archive."""

import os
from collections.abc import Iterator
from pathlib import Path


def files_below(folder: Path) -> Iterator[Path]:
    """Every plain file below a folder, in order, except those below or with names that begin with a dot."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(place, name)
