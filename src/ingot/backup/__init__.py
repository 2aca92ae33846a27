"""Backup and restore, taken while serving: the embedded form at one moment, the scale-out form in a safe order."""

import shutil
from pathlib import Path

from ingot.backup import embedded, scale_out
from ingot.backup.alone import filling
from ingot.backup.errors import BackupError
from ingot.backup.manifest import Manifest, read_manifest
from ingot.settings import Settings

__all__ = ["BackupError", "Manifest", "restore", "take"]


def take(settings: Settings, destination: Path) -> Manifest:
    """Write a backup into the new folder `destination`, which appears when it is complete."""
    if destination.exists() and (not destination.is_dir() or any(destination.iterdir())):
        raise BackupError(f"{destination} already exists and is not empty. Specify a new folder.")
    if settings.is_sqlite:
        embedded.database_file(settings)
    partial = destination.with_name(f"{destination.name}.partial")
    with filling(partial):
        try:
            manifest = embedded.take(settings, partial) if settings.is_sqlite else scale_out.take(settings, partial)
            manifest.write(partial)
        except BaseException:
            # Half a backup is good for nothing, and may be what fills the disk.
            shutil.rmtree(partial, ignore_errors=True)
            raise
    if destination.exists():
        destination.rmdir()
    partial.rename(destination)
    return manifest


def restore(settings: Settings, source: Path) -> Manifest:
    """Bring a backup into an empty place of the same form."""
    manifest = read_manifest(source)
    if (manifest.database == "sqlite") is not settings.is_sqlite:
        raise BackupError(f"The backup was made from {manifest.database}, but the settings use another database.")
    missing = [name for name in manifest.storages if name not in settings.storage_roots]
    if missing:
        raise BackupError(f"The backup has a repository storage named {missing[0]}, but the settings have none.")
    restore_form = embedded.restore if settings.is_sqlite else scale_out.restore
    restore_form(settings, source, manifest)
    return manifest
