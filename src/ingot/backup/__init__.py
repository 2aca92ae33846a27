"""Backup and restore of the embedded form: database, repositories and objects of one moment, taken while serving."""

import json
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from ingot import __version__
from ingot.backup.mirror import Copied, mirror
from ingot.backup.snapshot import Damaged, check_file, copy_pinned, writers_waiting
from ingot.kit.clock import now
from ingot.settings import Settings

FORMAT = 1
MANIFEST = "manifest.json"

__all__ = ["BackupError", "Manifest", "restore", "take"]


class BackupError(Exception):
    """A sentence that says why the backup or the restore cannot go on."""


@dataclass(frozen=True)
class Manifest:
    """What a backup holds."""

    format: int
    version: str
    created_at: str
    storages: list[str]
    files: int
    bytes: int
    database_bytes: int
    writers_waited_seconds: float


def take(settings: Settings, destination: Path) -> Manifest:
    """Write a backup into the new folder `destination`, which appears when it is complete.

    The first pass copies while everybody works. Then writers wait for the second pass, which only copies what changed
    since; the database is copied from the snapshot of that moment after they go on.
    """
    database = _database_file(settings)
    if destination.exists() and (not destination.is_dir() or any(destination.iterdir())):
        raise BackupError(f"{destination} exists and is not empty.")
    partial = destination.with_name(f"{destination.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    _copy_files(settings, partial)
    began = time.monotonic()
    with writers_waiting(database) as pinned:
        copied = _copy_files(settings, partial)
        waited = time.monotonic() - began
    copy_pinned(pinned, partial / "ingot.db")
    manifest = Manifest(
        format=FORMAT,
        version=__version__,
        created_at=now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        storages=list(settings.storage_roots),
        files=copied.files,
        bytes=copied.size,
        database_bytes=(partial / "ingot.db").stat().st_size,
        writers_waited_seconds=round(waited, 3),
    )
    (partial / MANIFEST).write_text(json.dumps(asdict(manifest), indent=2) + "\n")
    if destination.exists():
        destination.rmdir()
    partial.rename(destination)
    return manifest


def restore(settings: Settings, source: Path) -> Manifest:
    """Bring a backup into an empty data folder."""
    manifest = _read_manifest(source)
    database = _database_file(settings, must_exist=False)
    if database.exists():
        raise BackupError(f"{database} exists. Restore into an empty data folder.")
    missing = [name for name in manifest.storages if name not in settings.storage_roots]
    if missing:
        raise BackupError(f"The backup has a repository storage named {missing[0]}, these settings have none.")
    try:
        check_file(source / "ingot.db")
    except Damaged as error:
        raise BackupError(str(error)) from error
    for name in manifest.storages:
        _fill(source / "repositories" / name, settings.storage_roots[name])
    _fill(source / "objects", settings.objects_folder)
    key = source / "secret_key"
    if key.exists():
        settings.data_folder.mkdir(parents=True, exist_ok=True)
        shutil.copy2(key, settings.data_folder / "secret_key")
    # Last, under its final name in one step: a data folder with a database is a complete one.
    database.parent.mkdir(parents=True, exist_ok=True)
    arriving = database.with_name(f"{database.name}.restoring")
    shutil.copyfile(source / "ingot.db", arriving)
    arriving.rename(database)
    return manifest


def _copy_files(settings: Settings, target: Path) -> Copied:
    total = Copied()
    for name, root in settings.storage_roots.items():
        if root.is_dir():
            total.add(mirror(root, target / "repositories" / name))
    if settings.objects_folder.is_dir() and not settings.object_store:
        total.add(mirror(settings.objects_folder, target / "objects"))
    key = settings.data_folder / "secret_key"
    if key.exists():
        shutil.copy2(key, target / "secret_key")
    return total


def _fill(source: Path, target: Path) -> None:
    if target.is_dir() and any(target.iterdir()):
        raise BackupError(f"{target} is not empty. Restore into an empty data folder.")
    if source.is_dir():
        mirror(source, target)


def _database_file(settings: Settings, *, must_exist: bool = True) -> Path:
    if not settings.is_sqlite:
        raise BackupError(
            "This command is for the embedded database. For PostgreSQL and S3, docs/operating.md has the procedure."
        )
    if settings.object_store:
        raise BackupError("Objects are in a bucket, which this command does not copy: see docs/operating.md.")
    path = Path(settings.effective_database_url.removeprefix("sqlite:///"))
    if must_exist and not path.exists():
        raise BackupError(f"There is no database at {path}.")
    return path


def _read_manifest(source: Path) -> Manifest:
    try:
        found = json.loads((source / MANIFEST).read_text())
    except FileNotFoundError:
        raise BackupError(f"{source} is not a complete backup: it has no {MANIFEST}.") from None
    except ValueError:
        raise BackupError(f"{source / MANIFEST} cannot be read.") from None
    if found.get("format") != FORMAT:
        raise BackupError(f"This version reads backups of format {FORMAT}, not {found.get('format')}.")
    return Manifest(**found)
