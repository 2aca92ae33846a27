"""Reading, writing, listing and deleting objects; the same on every kind of store."""

import asyncio
import io
import re
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec
import obstore
from obstore.store import LocalStore, S3Store

from ingot.kit.blobs.downloads import READ_CHUNK, paced, ranges
from ingot.kit.blobs.errors import BeyondTheEnd, BlobMissing, TooLate, translated
from ingot.kit.blobs.feed import Counted, Feed
from ingot.kit.blobs.folders import BACKUPS, PASSING
from ingot.kit.blobs.local_stream import moved, open_local
from ingot.kit.blobs.reader import BlobFile
from ingot.kit.blobs.sending import Sending
from ingot.kit.thread_loops import run_async

if TYPE_CHECKING:
    from obstore import Attributes, GetOptions, ObjectMeta

    from ingot.kit.blobs.unfinished import UnfinishedUploads

_STAGED_NAME = re.compile(r"#\d+$")


class BlobInfo(msgspec.Struct, frozen=True):
    """What is known about an object without reading it."""

    key: str
    size: int
    modified: datetime
    etag: str | None


class Blob(msgspec.Struct, frozen=True):
    """An opened object: its metadata, and the bytes of the requested range."""

    info: BlobInfo
    start: int
    end: int
    chunks: AsyncIterator[bytes]


class BlobStore:
    """Objects by key. Keys are `/`-separated and chosen by Ingot, never by a caller of the API.

    `downloads` gives a store whose requests may last long; it is made when it is first needed.
    """

    def __init__(
        self,
        store: LocalStore | S3Store,
        *,
        part_size: int,
        folder: Path | None = None,
        downloads: Callable[[], S3Store] | None = None,
        slowest: float = 120,
        uploads: "UnfinishedUploads | None" = None,
    ) -> None:
        self._store = store
        self._folder = folder
        self._part_size = part_size
        self._make_downloads = downloads
        self._downloads: S3Store | None = None
        self._slowest = slowest
        self._uploads = uploads

    # Writing

    async def put_stream(
        self,
        key: str,
        chunks: AsyncIterable[bytes],
        *,
        limit: int | None = None,
        content_type: str | None = None,
        filename: str | None = None,
    ) -> int:
        """Store a stream and return its size. On any failure or cancellation nothing appears under the key."""
        feed = Feed(chunks, limit)
        attributes = self._attributes(content_type, filename)
        with translated(key, feed, doing="put"):
            upload = asyncio.ensure_future(self._sending(key, attributes).send_async(feed.parts()))
            try:
                await asyncio.shield(upload)
            except asyncio.CancelledError:
                feed.stop()
                await asyncio.wait([upload])
                upload.exception()
                raise
        return feed.size

    def put_chunks(
        self,
        key: str,
        chunks: Iterable[bytes],
        *,
        limit: int | None = None,
        content_type: str | None = None,
        filename: str | None = None,
    ) -> int:
        """`put_stream` for worker threads."""
        counted = Counted(chunks, limit)
        attributes = self._attributes(content_type, filename)
        with translated(key, counted, doing="put"):
            self._sending(key, attributes).send(iter(counted))
        return counted.size

    def put_file(self, key: str, path: Path, *, content_type: str | None = None, filename: str | None = None) -> int:
        """Store a copy of a local file and return its size."""
        with path.open("rb") as file:
            chunks = iter(lambda: file.read(READ_CHUNK), b"")
            return self.put_chunks(key, chunks, content_type=content_type, filename=filename)

    def take_file(self, key: str, path: Path, *, content_type: str | None = None, filename: str | None = None) -> int:
        """Store a local file, removing it, and return its size. On the same disk it is moved, not copied."""
        size = path.stat().st_size
        if self._folder is None or not moved(path, self._folder / key):
            self.put_file(key, path, content_type=content_type, filename=filename)
            path.unlink()
        return size

    def put(self, key: str, content: bytes, *, content_type: str | None = None, filename: str | None = None) -> None:
        """Store a small object."""
        attributes = self._attributes(content_type, filename)
        with translated(key, doing="put"):
            self._sending(key, attributes).send(iter([content]))

    def put_copy(self, key: str, path: Path, attributes: dict[str, str]) -> None:
        """Store a local file with the attributes that another store gave out for it."""
        remaining: Any = None if isinstance(self._store, LocalStore) or not attributes else attributes
        with path.open("rb") as file, translated(key, doing="put"):
            self._sending(key, remaining).send(iter(lambda: file.read(READ_CHUNK), b""))

    async def put_async(
        self, key: str, content: bytes, *, content_type: str | None = None, filename: str | None = None
    ) -> None:
        """`put` for the event loop."""
        attributes = self._attributes(content_type, filename)
        with translated(key, doing="put"):
            await self._sending(key, attributes).send_async(_one(content))

    # Reading

    async def open(self, key: str, start: int = 0, end: int | None = None) -> Blob:
        """Open an object, or its bytes from `start` up to but excluding `end`. Raises `BlobMissing`."""
        if self._folder is not None:
            with translated(key, doing="get"):
                facts, stop, pieces = await open_local(self._folder / key, start, end)
            info = BlobInfo(key, facts.st_size, datetime.fromtimestamp(facts.st_mtime, UTC), None)
            return Blob(info, start, stop, pieces)
        try:
            with translated(key, doing="get"):
                result = await obstore.get_async(self._for_downloads(), key, options=_range(start, end))
        except BeyondTheEnd:
            return Blob(await self.head_async(key), start, start, _nothing())
        return Blob(_info(result.meta), *result.range, paced(key, result, self._slowest))

    def chunks(self, key: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes of an object, piece by piece, for worker threads."""
        with suppress(BeyondTheEnd), translated(key, doing="get"):
            if isinstance(self._store, S3Store):
                yield from ranges(self._store, key, start, end)
            else:
                yield from obstore.get(self._store, key, options=_range(start, end)).stream(READ_CHUNK)

    def read(self, key: str, start: int = 0, length: int | None = None) -> bytes:
        """At most `length` bytes from `start`; fewer at the end of the object, as with a file."""
        if length == 0:
            return b""
        options = _range(start, None if length is None else start + length)
        try:
            with translated(key, doing="get"):
                return bytes(obstore.get(self._store, key, options=options).bytes())
        except BeyondTheEnd:
            return b""

    def read_within(self, key: str, length: int, seconds: float) -> bytes:
        """At most so many bytes of an object; raises `TooLate` where a bucket takes longer.

        Counted apart from other reads, because being late is no failure of the store.
        """
        if self._folder is not None:
            with translated(key, doing="recall"), (self._folder / key).open("rb", buffering=0) as file:
                return file.read(length)
        try:
            with translated(key, doing="recall"):
                return run_async(self._read(key, length, seconds))
        except BeyondTheEnd:
            return b""

    async def _read(self, key: str, length: int, seconds: float) -> bytes:
        try:
            async with asyncio.timeout(seconds):
                result = await obstore.get_async(self._store, key, options=_range(0, length))
                return bytes(await result.bytes_async())
        except TimeoutError:
            raise TooLate from None

    def open_file(self, key: str) -> io.BufferedReader:
        """A seekable file over an object, for libraries that want one. Reads in ranges of a megabyte."""
        with translated(key, doing="get"):
            return io.BufferedReader(BlobFile(key, obstore.open_reader(self._store, key, buffer_size=1 << 20)), 1 << 20)

    def head(self, key: str) -> BlobInfo:
        """Size and time of an object. Raises `BlobMissing`."""
        with translated(key, doing="head"):
            return _info(obstore.head(self._store, key))

    async def head_async(self, key: str) -> BlobInfo:
        """`head` for the event loop."""
        with translated(key, doing="head"):
            return _info(await obstore.head_async(self._store, key))

    def exists(self, key: str) -> bool:
        """Whether there is such an object."""
        try:
            self.head(key)
        except BlobMissing:
            return False
        return True

    def attributes(self, key: str) -> dict[str, str]:
        """What the store tells clients about an object besides its bytes (media type, file name)."""
        if isinstance(self._store, LocalStore):
            return {}
        with translated(key, doing="head"):
            result = obstore.get(self._store, key, options={"head": True}).attributes
        return {str(name): str(value) for name, value in result.items()}

    def list(self, prefix: str | None = None) -> Iterator[BlobInfo]:
        """Every object below a folder-like prefix; half-written ones are not objects."""
        with translated(prefix or "", doing="list"):
            for page in obstore.list(self._store, prefix, chunk_size=1000):
                yield from (_info(meta) for meta in page)

    def presigned_url(self, key: str, lifetime: timedelta = timedelta(minutes=10), method: str = "GET") -> str | None:
        """An address from which a client can read the object directly; None where the store offers none.

        Content type and file name are those given when the object was stored. It works for this method only.
        """
        if isinstance(self._store, LocalStore):
            return None
        with translated(key):
            return obstore.sign(self._store, "HEAD" if method == "HEAD" else "GET", key, lifetime)

    # Deleting

    def delete(self, key: str) -> None:
        """Delete an object; an absent one is fine.

        During a backup it stays: the sweep deletes later what no row names.
        """
        if not _is_passing(key) and self._is_backed_up_now():
            return
        self._delete(key)

    async def delete_async(self, key: str) -> None:
        """`delete` for the event loop."""
        if not _is_passing(key) and await self._is_backed_up_now_async():
            return
        with suppress(BlobMissing), translated(key, doing="delete"):
            await obstore.delete_async(self._store, key)

    def delete_prefix(self, prefix: str) -> int:
        """Delete everything below a folder-like prefix and return how many objects that were."""
        if not prefix.strip("/"):
            raise ValueError("deleting the whole store is not offered")
        if not _is_passing(prefix) and self._is_backed_up_now():
            return 0
        keys = [info.key for info in self.list(prefix)]
        for key in keys:
            self._delete(key)
        return len(keys)

    def _delete(self, key: str) -> None:
        with suppress(BlobMissing), translated(key, doing="delete"):
            obstore.delete(self._store, key)

    def _is_backed_up_now(self) -> bool:
        return next(self.list(BACKUPS), None) is not None

    async def _is_backed_up_now_async(self) -> bool:
        with translated(BACKUPS, doing="list"):
            async for page in obstore.list(self._store, BACKUPS, chunk_size=1):
                return len(page) > 0
        return False

    def remove_abandoned(self, folders: Sequence[str], older_than: timedelta = timedelta(days=1)) -> int:
        """Remove what a killed process left half-written below these; in a bucket, where its keys are settings."""
        if self._folder is None:
            return self._uploads.abort(folders, older_than) if self._uploads is not None else 0
        horizon = time.time() - older_than.total_seconds()
        listed = (path for folder in folders for path in (self._folder / folder).rglob("*#*"))
        staged = [path for path in listed if _STAGED_NAME.search(path.name) and path.is_file()]
        abandoned = [path for path in staged if path.stat().st_mtime < horizon]
        for path in abandoned:
            path.unlink(missing_ok=True)
        return len(abandoned)

    def _for_downloads(self) -> LocalStore | S3Store:
        if self._downloads is None and self._make_downloads is not None:
            self._downloads = self._make_downloads()
        return self._downloads or self._store

    def _sending(self, key: str, attributes: "Attributes | None") -> Sending:
        return Sending(self._store, key, attributes, self._part_size)

    def _attributes(self, content_type: str | None, filename: str | None) -> "Attributes | None":
        # A local folder cannot store them, and need not: only presigned URLs show them.
        if isinstance(self._store, LocalStore) or (content_type is None and filename is None):
            return None
        attributes: Attributes = {}
        if content_type is not None:
            attributes["Content-Type"] = content_type
        if filename is not None:
            attributes["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(filename, safe='')}"
        return attributes


def _is_passing(key: str) -> bool:
    """Whether no backup takes such objects."""
    return key.startswith(f"{PASSING}/")


def _range(start: int, end: int | None) -> "GetOptions | None":
    if end is not None:
        return {"range": (start, end)}
    return {"range": {"offset": start}} if start else None


def _info(meta: "ObjectMeta") -> BlobInfo:
    return BlobInfo(meta["path"], meta["size"], meta["last_modified"], meta["e_tag"])


async def _one(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def _nothing() -> AsyncIterator[bytes]:
    return
    yield
