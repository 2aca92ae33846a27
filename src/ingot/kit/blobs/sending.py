"""Sending an object to its store, so that no error means that the object is there.

What fits into one part goes in one request: repeated after a broken connection, it brings the whole object once more.
More goes in parts, and then the store's word is not enough: one that was killed while it joined them has answered the
repeated question that all is well, without the object. So it is asked what it has.
"""

from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, S3Store

from ingot.kit.blobs.errors import UploadLost

if TYPE_CHECKING:
    from obstore import Attributes, ObjectMeta

# Servers refuse requests whose time differs more from theirs.
_CLOCKS_DIFFER = timedelta(minutes=15)


class Sending:
    """One object on its way."""

    def __init__(self, store: LocalStore | S3Store, key: str, attributes: "Attributes | None", part_size: int) -> None:
        self._store, self._key = store, key
        self._part_size = part_size
        self._options: dict[str, Any] = {"attributes": attributes}
        # Two parts in flight bound the memory of one upload.
        self._parts: dict[str, Any] = {**self._options, "chunk_size": part_size, "max_concurrency": 2}
        self._begun = datetime.now(UTC)
        self._first: deque[bytes] = deque()
        self._size = 0
        self._is_read = False
        self._tag: str | None = None

    def send(self, pieces: Iterator[bytes]) -> None:
        """For worker threads."""
        for piece in pieces:
            if self._is_long(piece):
                break
        else:
            obstore.put(self._store, self._key, b"".join(self._first), **self._options, use_multipart=False)
            return
        with self._perhaps_joined_before():
            self._tag = obstore.put(self._store, self._key, self._all(pieces), **self._parts)["e_tag"]
        if isinstance(self._store, LocalStore):
            return
        with suppress(FileNotFoundError):
            if self._is(obstore.head(self._store, self._key)):
                return
        raise UploadLost

    async def send_async(self, pieces: AsyncIterator[bytes]) -> None:
        """For the event loop."""
        async for piece in pieces:
            if self._is_long(piece):
                break
        else:
            content = b"".join(self._first)
            await obstore.put_async(self._store, self._key, content, **self._options, use_multipart=False)
            return
        with self._perhaps_joined_before():
            result = await obstore.put_async(self._store, self._key, self._all_async(pieces), **self._parts)
            self._tag = result["e_tag"]
        if isinstance(self._store, LocalStore):
            return
        with suppress(FileNotFoundError):
            if self._is(await obstore.head_async(self._store, self._key)):
                return
        raise UploadLost

    def _is_long(self, piece: bytes) -> bool:
        self._first.append(piece)
        self._size += len(piece)
        return self._size > self._part_size

    def _all(self, rest: Iterator[bytes]) -> Iterator[bytes]:
        while self._first:
            yield self._first.popleft()
        for piece in rest:
            self._size += len(piece)
            yield piece
        self._is_read = True

    async def _all_async(self, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        while self._first:
            yield self._first.popleft()
        async for piece in rest:
            self._size += len(piece)
            yield piece
        self._is_read = True

    @contextmanager
    def _perhaps_joined_before(self) -> Iterator[None]:
        """A question that was repeated meets no such upload where the first one joined the parts, unheard."""
        try:
            yield
        except (BaseError, OSError) as error:
            if not self._is_read or "NoSuchUpload" not in str(error):
                raise

    def _is(self, found: "ObjectMeta") -> bool:
        """Whether this is what was sent. Stores are free in what they call it, so its time will do as well."""
        is_named_so = self._tag is not None and found["e_tag"] == self._tag
        return found["size"] == self._size and (is_named_so or found["last_modified"] >= self._begun - _CLOCKS_DIFFER)
