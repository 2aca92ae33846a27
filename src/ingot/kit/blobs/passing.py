"""Objects that no row names: kept for a day at most, and not worth a backup, because they can be had again."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from ingot.kit.blobs.folders import PASSING
from ingot.kit.blobs.store import BlobStore
from ingot.kit.clock import now

PREFIX = f"{PASSING}/"
LONGEST = timedelta(days=1)
MOST_BYTES = 2 << 30  # of each kind, that is, of each folder below this one
SMALLEST = 16 << 10  # bytes that an object counts as at least, which bounds their number too


def past(store: BlobStore, most: int = MOST_BYTES) -> Iterator[str]:
    """Keys of those whose day is over, and of the oldest where a kind has more than so many bytes."""
    horizon = now() - LONGEST
    listed = sorted(((info.modified, info.size, info.key) for info in store.list(PASSING)), reverse=True)
    sizes: Counter[str] = Counter()
    for modified, size, key in listed:
        kind = key.removeprefix(PREFIX).partition("/")[0]
        sizes[kind] += max(size, SMALLEST)
        if modified < horizon or sizes[kind] > most:
            yield key
