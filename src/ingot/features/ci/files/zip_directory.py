"""The table of contents of a zip archive, read from its end without touching the files in it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Protocol

import msgspec

_END = struct.Struct("<4s4H2LH")
_END64_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_CENTRAL = struct.Struct("<4s4B4HL2L5H2L")
_LOCAL = struct.Struct("<4s2B4HL2L2H")
_MAX_COMMENT = 65_535
MAX_DIRECTORY = 32 * 1024 * 1024  # it is read whole
MAX_ENTRIES = 200_000
STORED, DEFLATED = 0, 8


class ZipUnreadable(ValueError):
    """The bytes are not a zip archive that can be served."""


class RangeReader(Protocol):
    """Any store of bytes that can give a part: a local file, an object, memory."""

    def read(self, offset: int, length: int) -> bytes:
        """At most `length` bytes from `offset`; fewer only at the end."""


class ZipEntry(msgspec.Struct, frozen=True, array_like=True):
    """One entry: where its header is, how it is packed, how large it becomes."""

    path: str
    header_offset: int
    method: int
    packed_size: int
    size: int
    crc: int
    mode: int = 0o644

    @property
    def is_folder(self) -> bool:
        return self.path.endswith("/")


def read_directory(archive: RangeReader, size: int) -> list[ZipEntry]:
    """The entries in the order of the archive's directory; raises `ZipUnreadable`."""
    count, length, offset = _locate(archive, size)
    if count > MAX_ENTRIES or length > MAX_DIRECTORY:
        raise ZipUnreadable("the archive has too many entries")
    if offset + length > size:
        raise ZipUnreadable("the directory lies outside of the archive")
    directory = archive.read(offset, length)
    if len(directory) != length:
        raise ZipUnreadable("the archive is cut off")
    return list(_entries(directory, count, offset))


def _locate(archive: RangeReader, size: int) -> tuple[int, int, int]:
    """Number of entries, length and offset of the directory."""
    tail_length = min(size, _END.size + _MAX_COMMENT)
    tail = archive.read(size - tail_length, tail_length)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        raise ZipUnreadable("not a zip archive")
    _, disk, _, _, count, length, offset, _ = _END.unpack_from(tail, at)
    locator_at = at - _END64_LOCATOR.size
    if locator_at >= 0 and tail[locator_at : locator_at + 4] == b"PK\x06\x07":
        end64_offset = _END64_LOCATOR.unpack_from(tail, locator_at)[2]
        block = archive.read(end64_offset, _END64.size) if end64_offset + _END64.size <= size else b""
        if len(block) != _END64.size or block[:4] != b"PK\x06\x06":
            raise ZipUnreadable("the zip64 directory is missing")
        fields = _END64.unpack(block)
        disk, count, length, offset = fields[4], fields[7], fields[8], fields[9]
    if disk:
        raise ZipUnreadable("archives in several parts are not supported")
    return count, length, offset


def _entries(directory: bytes, count: int, directory_offset: int) -> Iterator[ZipEntry]:
    at = 0
    for _ in range(count):
        if len(directory) - at < _CENTRAL.size or directory[at : at + 4] != b"PK\x01\x02":
            raise ZipUnreadable("the directory is damaged")
        fields = _CENTRAL.unpack_from(directory, at)
        flags, method, crc, packed, size = fields[5], fields[6], fields[9], fields[10], fields[11]
        name_length, extra_length, comment_length = fields[12:15]
        attributes, header_offset = fields[17], fields[18]
        name_at = at + _CENTRAL.size
        extra_at = name_at + name_length
        end = extra_at + extra_length + comment_length
        if end > len(directory):
            raise ZipUnreadable("the directory is damaged")
        size, packed, header_offset = _wide(directory[extra_at : extra_at + extra_length], size, packed, header_offset)
        if header_offset + _LOCAL.size + packed > directory_offset:
            raise ZipUnreadable("an entry lies outside of the archive")
        path = _decode(directory[name_at:extra_at])
        if not flags & 1:  # encrypted entries cannot be served, so they are not listed
            yield ZipEntry(path, header_offset, method, packed, size, crc, (attributes >> 16) & 0o7777 or 0o644)
        at = end


def _wide(extra: bytes, size: int, packed: int, offset: int) -> tuple[int, int, int]:
    """Sizes and offset, with the zip64 field for those that did not fit."""
    if 0xFFFFFFFF not in (size, packed, offset):
        return size, packed, offset
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            values = iter(struct.unpack_from(f"<{min(length, 24) // 8}Q", extra, at + 4))
            try:
                size, packed, offset = (next(values) if part == 0xFFFFFFFF else part for part in (size, packed, offset))
            except (StopIteration, RuntimeError) as error:
                raise ZipUnreadable("the directory is damaged") from error
            return size, packed, offset
        at += 4 + length
    raise ZipUnreadable("the directory is damaged")


def _decode(name: bytes) -> str:
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("cp437")


def data_offset(archive: RangeReader, entry: ZipEntry) -> int:
    """Where the packed bytes of an entry begin, from its local header."""
    header = archive.read(entry.header_offset, _LOCAL.size)
    if len(header) != _LOCAL.size or header[:4] != b"PK\x03\x04":
        raise ZipUnreadable("an entry's header is damaged")
    fields = _LOCAL.unpack(header)
    return int(entry.header_offset + _LOCAL.size + fields[10] + fields[11])
