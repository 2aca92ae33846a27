"""One backup at a time into a folder: a second one would clear away what the first has copied."""

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingot.backup.errors import BackupError

_LOCK = ".lock"
# Some file systems know no locks, and still hold backups.
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)


@contextmanager
def filling(partial: Path) -> Iterator[None]:
    """The folder, new or empty, while no other process fills it; raises where one does."""
    partial.mkdir(parents=True, mode=0o700, exist_ok=True)
    lock = partial / _LOCK
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError(
                f"Another backup is writing to {partial}. Wait until it finishes, or specify another folder."
            ) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
        if not _is_there(lock, file.fileno()):
            raise BackupError(f"Another backup was just written to {partial}. Specify another folder.")
        for entry in partial.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry != lock:
                entry.unlink()
        yield
        lock.unlink()


def _is_there(lock: Path, number: int) -> bool:
    """Whether the file that was locked still has its name."""
    try:
        return os.path.samestat(lock.stat(), os.fstat(number))
    except FileNotFoundError:
        return False
