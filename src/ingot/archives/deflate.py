"""A gzip file whose parts are compressed or stored uncompressed, with gaps that are filled in later.

One member, as every reader expects. Data that is compressed already is stored: trying again costs more than writing it.
"""

import struct
from collections.abc import Iterator
from typing import IO, Any

import msgspec
from isal import isal_zlib

LEVEL = 2  # a tenth of zlib's time for an eighth more bytes
_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_LARGEST = 0xFFFF  # bytes of a stored block


class Hole(msgspec.Struct, frozen=True):
    """Bytes that are written, as zeros, before anybody knows them."""

    place: int
    size: int


class GzipWriter:
    """Writes to a target, which must be seekable if holes are used; at most one hole is open at a time."""

    def __init__(self, target: IO[bytes]) -> None:
        self._target = target
        self._packer: Any = None
        self._hole: Hole | None = None
        self._before = 0  # the checksum of what precedes the open hole
        self._checksum = 0  # of everything, or of what follows the open hole
        self._behind = 0  # bytes that follow the open hole
        self._size = 0
        target.write(_HEADER)

    def write(self, data: bytes) -> None:
        """Compress."""
        if self._packer is None:
            self._packer = isal_zlib.compressobj(level=LEVEL, wbits=-15)
        self._count(data)
        self._target.write(self._packer.compress(data))

    def store(self, data: bytes) -> None:
        """Write as it is."""
        self._align()
        self._count(data)
        self._target.write(b"".join(_stored(data)))

    def reserve(self, size: int) -> Hole:
        """Leave room for `size` bytes, at most 64 KB, until `fill`."""
        self._align()
        self._target.write(next(_stored(bytes(size))))
        self._hole = Hole(self._target.tell(), size)
        self._target.write(bytes(size))
        self._size += size
        self._before, self._checksum, self._behind = self._checksum, 0, 0
        return self._hole

    def fill(self, hole: Hole, data: bytes) -> None:
        """The bytes of the hole, now that they are known."""
        if hole is not self._hole or len(data) != hole.size:
            raise ValueError("the bytes do not fit the open hole")
        end = self._target.tell()
        self._target.seek(hole.place)
        self._target.write(data)
        self._target.seek(end)
        front = isal_zlib.crc32(data, self._before)
        self._checksum = isal_zlib.crc32_combine(front, self._checksum, self._behind)
        self._hole = None

    def close(self) -> None:
        """Write what ends a gzip file."""
        packer = self._packer or isal_zlib.compressobj(level=LEVEL, wbits=-15)
        self._target.write(packer.flush())
        self._target.write(struct.pack("<II", self._checksum, self._size & 0xFFFFFFFF))

    def _count(self, data: bytes) -> None:
        self._checksum = isal_zlib.crc32(data, self._checksum)
        self._size += len(data)
        self._behind += len(data)

    def _align(self) -> None:
        """End the compressed part on a byte boundary; the next one starts independently."""
        if self._packer is not None:
            self._target.write(self._packer.flush(isal_zlib.Z_SYNC_FLUSH))
            self._packer = None


def _stored(data: bytes) -> Iterator[bytes | memoryview]:
    """Blocks that hold the data as it is: their heads and their contents."""
    view = memoryview(data)
    for start in range(0, len(data), _LARGEST):
        part = view[start : start + _LARGEST]
        yield struct.pack("<BHH", 0, len(part), len(part) ^ 0xFFFF)
        yield part
