"""Marks of backups that are under way: what a copy of the database names must not go before it is copied."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

import msgspec

from ingot.kit.blobs.errors import BlobMissing
from ingot.kit.blobs.folders import BACKUPS
from ingot.kit.blobs.store import BlobStore
from ingot.kit.clock import now

RENEWED = timedelta(minutes=10)
# Clocks of nodes and stores may differ by some minutes.
SILENT = 3 * RENEWED


class Mark(msgspec.Struct, frozen=True):
    """The mark of one backup."""

    key: str
    of: str  # host and process
    is_silent: bool  # it was not renewed for long


def marks(store: BlobStore) -> Iterator[Mark]:
    """Those that are there now."""
    for info in store.list(BACKUPS):
        with suppress(BlobMissing):  # it has just ended
            of = store.read(info.key).decode(errors="replace")
            yield Mark(info.key, of, is_silent=now() - info.modified > SILENT)
