"""Objects that no row names: kept for a day at most, and not worth a backup, because they can be had again."""

from collections.abc import Iterator
from datetime import timedelta

from ingot.kit.blobs.store import BlobStore
from ingot.kit.clock import now

FOLDER = "passing"
PREFIX = f"{FOLDER}/"
LONGEST = timedelta(days=1)


def past(store: BlobStore) -> Iterator[str]:
    """Keys of those whose day is over."""
    horizon = now() - LONGEST
    yield from [info.key for info in store.list(FOLDER) if info.modified < horizon]
