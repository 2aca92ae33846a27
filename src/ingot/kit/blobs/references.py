"""Which rows name which objects: features say so once, and the sweep can tell an orphan from an object in use.

    refers_to_blobs("artifacts/", lambda: select(job_artifacts.c.blob_key))

Everything below the prefix belongs to that statement alone (several statements may share a prefix).
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select

from ingot.kit.blobs.store import BlobStore
from ingot.kit.clock import now

Keys = Callable[[], Select[Any]]

_references: dict[str, list[Keys]] = {}
_planned: set[Keys] = set()

# An object is stored before its row is written; the longest upload must fit between the two.
GRACE = timedelta(days=1)


def refers_to_blobs(prefix: str, keys: Keys, *, planned: bool = False) -> None:
    """Register a statement that selects the keys in use below the prefix; null keys are ignored.

    `planned`: rows that name an object before it is stored, so that its absence is no fault.
    """
    if not prefix.endswith("/"):
        raise ValueError("a prefix ends in a slash")
    _references.setdefault(prefix, []).append(keys)
    if planned:
        _planned.add(keys)


def used_keys(conn: Connection, prefix: str, *, stored: bool = False) -> set[str]:
    """The keys that rows name below the prefix; `stored`: only those whose objects must be there."""
    return {
        key
        for statement in _references[prefix]
        if not (stored and statement in _planned)
        for key in conn.execute(statement()).scalars()
        if key is not None and key.startswith(prefix)
    }


def prefixes() -> list[str]:
    """All prefixes that rows account for."""
    return sorted(_references)


def orphans(conn: Connection, store: BlobStore, prefix: str, grace: timedelta = GRACE) -> Iterator[str]:
    """Keys of objects that no row names and that are older than the grace period."""
    # Listed before the rows are read: objects stored in between are too young anyway.
    horizon: datetime = now() - grace
    listed = [info.key for info in store.list(prefix.rstrip("/")) if info.modified < horizon]
    used = used_keys(conn, prefix)
    yield from (key for key in listed if key not in used)


def missing(conn: Connection, store: BlobStore, prefix: str) -> Iterator[str]:
    """Keys that rows name although there is no such object."""
    used = used_keys(conn, prefix, stored=True)
    present = {info.key for info in store.list(prefix.rstrip("/"))}
    # A row may have been deleted while we listed.
    gone = used - present
    yield from sorted(gone & used_keys(conn, prefix, stored=True)) if gone else ()
