"""Files that other users of the machine cannot read: what we create, and what an older version left open.

A folder of mode 0700 closes everything below it, so that a start does not have to walk through all repositories.
"""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

from ingot.settings import Settings

OTHERS = 0o077
log = logging.getLogger("ingot")


def create_private_files() -> None:
    """From now on this process, and every process that it starts, creates files for its own user only."""
    os.umask(OTHERS)


def close_existing_files(settings: Settings) -> None:
    """Remove the permissions of others from existing folders, the database and keys."""
    for path in private_places(settings):
        if not is_open_to_others(path):
            continue
        try:
            path.chmod(path.stat().st_mode & 0o700)
        except PermissionError:  # only its owner can change the mode
            log.warning("%s can be read by other users of this machine", path)


def private_places(settings: Settings) -> Iterator[Path]:
    """The folders that hold everything, and the files that may lie outside them."""
    folder = settings.data_folder
    yield from (
        folder,
        folder / "secret_key",
        folder / "ssh_host_keys",
        settings.objects_folder,
        *settings.storage_roots.values(),
    )
    if settings.is_sqlite:
        database = settings.effective_database_url.removeprefix("sqlite:///").partition("?")[0]
        yield from (Path(database + suffix) for suffix in ("", "-wal", "-shm", "-journal"))


def is_open_to_others(path: Path) -> bool:
    """Whether the file or folder exists and grants anything to its group or to everybody."""
    try:
        return bool(path.stat().st_mode & OTHERS)
    except OSError:
        return False
