"""One file of a zip archive, in pieces, checked against the directory."""

from __future__ import annotations

from collections.abc import Iterator

from isal import isal_zlib

from ingot.features.ci.files.zip_directory import DEFLATED, STORED, RangeReader, ZipEntry, ZipUnreadable, data_offset

CHUNK = 256 * 1024


class EntryDecoder:
    """Packed bytes in, file bytes out; `finish` checks length and checksum."""

    def __init__(self, entry: ZipEntry) -> None:
        if entry.method not in (STORED, DEFLATED):
            raise ZipUnreadable(f"compression method {entry.method} is not supported")
        self._entry = entry
        self._inflate = isal_zlib.decompressobj(-isal_zlib.MAX_WBITS) if entry.method == DEFLATED else None
        self._size = 0
        self._crc = 0

    def feed(self, packed: bytes) -> Iterator[bytes]:
        """The file bytes of this piece, never more than `CHUNK` at once."""
        if self._inflate is None:
            yield self._seen(packed)
            return
        while packed:
            try:
                out = self._inflate.decompress(packed, CHUNK)
            except isal_zlib.IsalError as error:  # type: ignore[misc] # the stub gives the class as an instance
                raise ZipUnreadable("an entry is damaged") from error
            packed = self._inflate.unconsumed_tail
            if out:
                yield self._seen(out)
            elif not packed or self._inflate.eof:
                return

    def finish(self) -> Iterator[bytes]:
        """The remaining bytes; raises `ZipUnreadable` when the file differs from its directory entry."""
        if self._inflate is not None:
            rest = self._inflate.flush()
            if rest:
                yield self._seen(rest)
        if self._size != self._entry.size or self._crc != self._entry.crc:
            raise ZipUnreadable("an entry is damaged")

    def _seen(self, out: bytes) -> bytes:
        self._size += len(out)
        if self._size > self._entry.size:  # never more than announced, whatever the packed bytes hold
            raise ZipUnreadable("an entry is larger than announced")
        self._crc = isal_zlib.crc32(out, self._crc)
        return out


def extract(archive: RangeReader, entry: ZipEntry) -> Iterator[bytes]:
    """The bytes of one entry by ranged reads of the archive."""
    decoder = EntryDecoder(entry)
    at = data_offset(archive, entry)
    left = entry.packed_size
    while left > 0:
        packed = archive.read(at, min(CHUNK, left))
        if not packed:
            raise ZipUnreadable("the archive is cut off")
        at += len(packed)
        left -= len(packed)
        yield from decoder.feed(packed)
    yield from decoder.finish()
