"""The mark of a backup in the object store: while it is there, no process deletes an object (`BlobStore.delete`).

It is renewed while the backup runs. One that was killed leaves its mark: `ingot doctor` names it, and it ends by itself
a day after it was last renewed. Until then objects stay for longer, and none is lost.
"""

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import uuid4

from ingot.backup.errors import BackupError
from ingot.kit.blobs import BlobStore, StoreFull, StoreUnavailable
from ingot.kit.blobs.backups import RENEWED
from ingot.kit.blobs.folders import BACKUPS
from ingot.kit.clock import now
from ingot.kit.entity import wire

log = logging.getLogger("ingot.backup")


@contextmanager
def nothing_deleted(store: BlobStore) -> Iterator[None]:
    """Keep all processes from deleting objects. Backups that run side by side have a mark each."""
    key = f"{BACKUPS}/{uuid4().hex}"
    text = f"{socket.gethostname()}, process {os.getpid()}, since {wire(now())}".encode()
    try:
        store.put(key, text)
    except (StoreFull, StoreUnavailable) as error:
        # A store that is full or takes nothing needs its backup most.
        log.warning(
            "The object store does not accept the backup marker (%s). Do not delete objects while the backup runs.",
            error,
        )
        yield
        return
    ended = threading.Event()
    renewing = threading.Thread(target=_renew, args=(store, key, text, ended), daemon=True)
    renewing.start()
    try:
        yield
        with suppress(StoreUnavailable):
            if not store.exists(key):
                raise BackupError(
                    "The marker of this backup was removed, so objects may be missing. Run the backup again."
                )
    finally:
        ended.set()
        renewing.join()
        with suppress(StoreUnavailable):
            store.delete(key)


def _renew(store: BlobStore, key: str, text: bytes, ended: threading.Event) -> None:
    while not ended.wait(RENEWED.total_seconds()):
        with suppress(StoreFull, StoreUnavailable):
            if store.exists(key):
                store.put(key, text)
