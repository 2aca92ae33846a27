"""Backup and restore of the scale-out form: PostgreSQL, the object store, and the repository storages.

Nobody has to wait. Objects and repositories are copied, then the database is dumped, then what came meanwhile is copied
too, and until then no object is deleted: whatever the dump names is in the copy. References may be newer than the dump;
they are the truth, and what follows from them is brought up to date after a restore.
"""

from contextlib import suppress
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from ingot import __version__
from ingot.backup import objects, postgres
from ingot.backup.errors import BackupError
from ingot.backup.files import copy_key, copy_storages, fill, restore_key
from ingot.backup.manifest import FORMAT, Manifest
from ingot.backup.marks import nothing_deleted
from ingot.backup.mirror import Copied
from ingot.kit.blobs import BlobStore
from ingot.kit.blobs.configured import configured_store
from ingot.kit.clock import now
from ingot.kit.db import Database
from ingot.settings import Settings


def take(settings: Settings, partial: Path) -> Manifest:
    """Fill the folder."""
    store = configured_store(settings)
    _copy(settings, partial, store)
    with nothing_deleted(store):
        size = postgres.dump(settings.effective_database_url, partial)
        moment = now()
        copied = _copy(settings, partial, store)
    return Manifest(
        format=FORMAT,
        version=__version__,
        created_at=moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        storages=list(settings.storage_roots),
        files=copied.files,
        bytes=copied.size,
        database_bytes=size,
        writers_waited_seconds=0.0,
        database="postgresql",
    )


def _copy(settings: Settings, partial: Path, store: BlobStore) -> Copied:
    total = copy_storages(settings, partial)
    total.add(objects.copy_out(store, partial))
    copy_key(settings, partial)
    return total


def restore(settings: Settings, source: Path, manifest: Manifest) -> None:
    """Bring a backup into an empty database, an empty store and empty storages."""
    url = settings.effective_database_url
    postgres.require_empty(url)
    store = configured_store(settings)
    if next(store.list(), None) is not None:
        raise BackupError("The object store is not empty. Restore into an empty bucket or prefix.")
    for name in manifest.storages:
        fill(source / "repositories" / name, settings.storage_roots[name])
    objects.copy_in(source, store)
    restore_key(settings, source)
    # Last, in one transaction: a database with tables is a complete one.
    postgres.load(url, source)
    _follow_references(url)


def _follow_references(url: str) -> None:
    """Let the first worker index the commits that came between the dump and the end of the copy."""
    from ingot.features.code.code_search import queue_restored

    database = Database(url, pool_size=1)
    # Of another version the tables may be others; `ingot doctor --repair` does the same.
    with suppress(SQLAlchemyError), database.write() as tx:
        queue_restored(tx)
    database.dispose()
