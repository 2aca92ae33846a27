"""Backup and restore of the embedded form: database, repositories and objects of one moment.

The first pass copies while everybody works. Then writers wait for the second pass, which only copies what changed
since; the database is copied from the snapshot of that moment after they go on.
"""

import shutil
import time
from pathlib import Path

from ingot import __version__
from ingot.backup.errors import BackupError
from ingot.backup.files import copy_key, copy_storages, fill, restore_key
from ingot.backup.manifest import FORMAT, Manifest
from ingot.backup.mirror import Copied, mirror
from ingot.backup.snapshot import Damaged, check_file, copy_pinned, writers_waiting
from ingot.kit.blobs.folders import PASSING
from ingot.kit.clock import now
from ingot.settings import Settings


def take(settings: Settings, partial: Path) -> Manifest:
    """Fill the folder."""
    database = database_file(settings)
    _copy_files(settings, partial)
    began = time.monotonic()
    with writers_waiting(database) as pinned:
        copied = _copy_files(settings, partial)
        waited = time.monotonic() - began
    copy_pinned(pinned, partial / "ingot.db")
    return Manifest(
        format=FORMAT,
        version=__version__,
        created_at=now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        storages=list(settings.storage_roots),
        files=copied.files,
        bytes=copied.size,
        database_bytes=(partial / "ingot.db").stat().st_size,
        writers_waited_seconds=round(waited, 3),
    )


def restore(settings: Settings, source: Path, manifest: Manifest) -> None:
    """Bring a backup into an empty data folder."""
    database = database_file(settings, must_exist=False)
    if database.exists():
        raise BackupError(f"{database} already exists. Restore into an empty data folder.")
    try:
        check_file(source / "ingot.db")
    except Damaged as error:
        raise BackupError(str(error)) from error
    for name in manifest.storages:
        fill(source / "repositories" / name, settings.storage_roots[name])
    fill(source / "objects", settings.objects_folder)
    restore_key(settings, source)
    # Last, under its final name in one step: a data folder with a database is a complete one.
    database.parent.mkdir(parents=True, exist_ok=True)
    arriving = database.with_name(f"{database.name}.restoring")
    shutil.copyfile(source / "ingot.db", arriving)
    arriving.rename(database)


def _copy_files(settings: Settings, target: Path) -> Copied:
    total = copy_storages(settings, target)
    if settings.objects_folder.is_dir():
        total.add(mirror(settings.objects_folder, target / "objects", without=PASSING))
    copy_key(settings, target)
    return total


def database_file(settings: Settings, *, must_exist: bool = True) -> Path:
    """The file of the embedded database."""
    if settings.object_store:
        raise BackupError(
            "A consistent backup is not possible with the embedded database and objects in a bucket. "
            "Use PostgreSQL, or keep the objects in the data folder."
        )
    path = Path(settings.effective_database_url.removeprefix("sqlite:///"))
    if must_exist and not path.exists():
        raise BackupError(f"There is no database at {path}.")
    return path
