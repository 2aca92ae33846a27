"""Reading objects of a bucket piece by piece, so that a store which is slow, though never silent, meets a limit too."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

import obstore

from ingot.kit.blobs.errors import StoreUnavailable, translated

if TYPE_CHECKING:
    from obstore import GetOptions, GetResult
    from obstore.store import S3Store

READ_CHUNK = 512 * 1024
_RANGE = 4 * 1024 * 1024


def ranges(store: "S3Store", key: str, start: int, end: int | None) -> Iterator[bytes]:
    """The bytes of an object, for worker threads. Each request ends before the reader is waited for.

    A thread cannot be called back from a read, but a request of a known size can have a limit of its own.
    """
    tag: str | None = None
    while end is None or start < end:
        stop = start + _RANGE if end is None else min(start + _RANGE, end)
        options: GetOptions = {"range": (start, stop)}
        if tag is not None:
            options["if_match"] = tag  # all pieces are of the same object
        result = obstore.get(store, key, options=options)
        content = memoryview(result.bytes())
        for place in range(0, len(content), READ_CHUNK):
            yield bytes(content[place : place + READ_CHUNK])
        start += len(content)
        size = result.meta["size"]
        end, tag = min(end, size) if end is not None else size, result.meta["e_tag"]


async def paced(key: str, result: "GetResult", slowest: float) -> AsyncIterator[bytes]:
    """The bytes of an opened object. No piece may take longer than so many seconds to come."""
    with translated(key, doing="get", continued=True):
        pieces = aiter(result.stream(READ_CHUNK))
        while True:
            try:
                async with asyncio.timeout(slowest):
                    piece = bytes(await anext(pieces))
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise StoreUnavailable("is too slow") from None
            yield piece
