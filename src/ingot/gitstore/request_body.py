"""A request body read in pieces: gzip is decompressed, and the beginning can be read ahead."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

from ingot.gitstore.errors import BadPush
from ingot.gitstore.pkt_line import packet_length

_CHUNK = 1 << 16


class RequestBody:
    """Wraps the chunks of a request. Iterating yields whatever has not been taken with `read` yet."""

    def __init__(self, chunks: AsyncIterator[bytes], *, encoding: str | None = None) -> None:
        gzipped = (encoding or "").strip().lower() in ("gzip", "x-gzip")
        self._chunks = inflate(chunks) if gzipped else chunks
        self._buffer = bytearray()

    async def read(self, size: int) -> bytes:
        """Exactly `size` bytes, fewer only at the end."""
        taken = await self.peek(size)
        del self._buffer[:size]
        return taken

    async def peek(self, size: int) -> bytes:
        """The same bytes, which stay to be read."""
        while len(self._buffer) < size:
            chunk = await anext(self._chunks, b"")
            if not chunk:
                break
            self._buffer += chunk
        return bytes(self._buffer[:size])

    async def read_packet(self) -> bytes | None:
        """Payload of the next packet, None for a flush packet. BadPush at the end of the body or on invalid data."""
        header = await self.read(4)
        try:
            length = packet_length(header)
        except ValueError:
            raise BadPush from None
        if length == 0:
            return None
        payload = await self.read(length - 4)
        if len(payload) < length - 4:
            raise BadPush
        return payload

    async def drain(self) -> None:
        """Read and discard the rest, so that a client that is still sending can read our answer."""
        async for _ in self:
            pass

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._buffer:
            buffered = bytes(self._buffer)
            self._buffer.clear()
            yield buffered
        async for chunk in self._chunks:
            if chunk:
                yield chunk


async def inflate(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Gunzip in pieces of bounded size, however well the input was packed. BadPush on broken data."""
    unpacker = zlib.decompressobj(wbits=31)
    async for chunk in chunks:
        pending = chunk
        while pending and not unpacker.eof:
            try:
                piece = unpacker.decompress(pending, _CHUNK)
            except zlib.error:
                raise BadPush from None
            pending = unpacker.unconsumed_tail
            if piece:
                yield piece
    if not unpacker.eof:
        raise BadPush
