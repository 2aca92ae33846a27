"""Feeding a stream into the store: counts bytes, enforces a limit, and stops cleanly when the upload is cancelled."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator

from ingot.kit.blobs.errors import BlobTooLarge


class Abandoned(Exception):
    """Raised inside the stream of a cancelled upload, so that the store discards its parts."""


class Feed:
    """An async stream on its way into the store."""

    def __init__(self, chunks: AsyncIterable[bytes], limit: int | None) -> None:
        self._chunks = chunks
        self._limit = limit
        self._step: asyncio.Task[bytes | None] | None = None
        self._stopped = False
        self.size = 0
        self.failure: Exception | None = None

    async def parts(self) -> AsyncIterator[bytes]:
        """The chunks, each fetched in a task of its own that `stop` can end while the sender is silent."""
        source = aiter(self._chunks)
        while (chunk := await self._next(source)) is not None:
            self.size += len(chunk)
            if self._limit is not None and self.size > self._limit:
                raise BlobTooLarge(self._limit)
            if chunk:
                yield chunk

    async def _next(self, source: AsyncIterator[bytes]) -> bytes | None:
        if self._stopped:
            raise Abandoned
        self._step = asyncio.ensure_future(_chunk_or_none(source))
        try:
            return await self._step
        except asyncio.CancelledError:
            raise Abandoned from None
        except Exception as error:
            self.failure = error
            raise

    def stop(self) -> None:
        """Make the upload fail at once."""
        self._stopped = True
        if self._step is not None:
            self._step.cancel()


async def _chunk_or_none(source: AsyncIterator[bytes]) -> bytes | None:
    return await anext(source, None)


class Counted:
    """The same for a plain iterable, in a worker thread."""

    def __init__(self, chunks: Iterable[bytes], limit: int | None) -> None:
        self._chunks = chunks
        self._limit = limit
        self.size = 0
        self.failure: Exception | None = None

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._source():
            self.size += len(chunk)
            if self._limit is not None and self.size > self._limit:
                raise BlobTooLarge(self._limit)
            if chunk:
                yield chunk

    def _source(self) -> Iterator[bytes]:
        try:
            yield from self._chunks
        except Exception as error:
            self.failure = error
            raise
