"""An index of a zip archive: built once at upload, so that one file can be read later with a few ranged reads.

Layout of the stored index: header, one slot per bucket, records grouped by bucket. A look-up reads the header, one
slot and one bucket, however many entries the archive has.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable

import msgspec

from ingot.features.ci.files.zip_directory import RangeReader, ZipEntry, ZipUnreadable

_MAGIC = b"IZX1"
_HEADER = struct.Struct("<4sIIQ")
_SLOT = struct.Struct("<QI")
_ENTRIES_PER_BUCKET = 4
_encoder = msgspec.msgpack.Encoder()
_records = msgspec.msgpack.Decoder(list[ZipEntry])


def build_index(entries: Iterable[ZipEntry]) -> bytes:
    """The index as bytes to be stored beside the archive. Of equal names the last entry counts."""
    unique = {entry.path: entry for entry in entries}
    count = max(1, len(unique) // _ENTRIES_PER_BUCKET)
    buckets: list[list[ZipEntry]] = [[] for _ in range(count)]
    for entry in unique.values():
        buckets[_bucket(entry.path, count)].append(entry)
    slots, records = [], []
    offset = _HEADER.size + _SLOT.size * count
    for bucket in buckets:
        record = _encoder.encode(bucket)
        slots.append(_SLOT.pack(offset, len(record)))
        records.append(record)
        offset += len(record)
    return b"".join((_HEADER.pack(_MAGIC, len(unique), count, offset), *slots, *records))


def find_entry(index: RangeReader, path: str) -> ZipEntry | None:
    """The entry of exactly this path, in three small reads."""
    count = _bucket_count(index)
    slot = index.read(_HEADER.size + _SLOT.size * _bucket(path, count), _SLOT.size)
    offset, length = _SLOT.unpack(slot)
    return next((entry for entry in _records.decode(index.read(offset, length)) if entry.path == path), None)


def list_entries(index: RangeReader) -> list[ZipEntry]:
    """Every entry, by path."""
    count = _bucket_count(index)
    slots = index.read(_HEADER.size, _SLOT.size * count)
    parts = list(_SLOT.iter_unpack(slots))
    start = _HEADER.size + _SLOT.size * count
    body = index.read(start, sum(length for _, length in parts))
    result = [
        entry for offset, length in parts for entry in _records.decode(body[offset - start : offset - start + length])
    ]
    return sorted(result, key=lambda entry: entry.path)


class TreeNode(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a folder listing."""

    name: str
    path: str
    type: str
    size: int | None = None
    mode: str = "100644"


def list_tree(entries: Iterable[ZipEntry], folder: str = "", *, recursive: bool = False) -> list[TreeNode] | None:
    """The content of a folder, folders first; None when the archive has no such folder."""
    prefix = folder.strip("/") + "/" if folder.strip("/") else ""
    nodes: dict[str, TreeNode] = {}
    known = not prefix
    for entry in entries:
        if not entry.path.startswith(prefix):
            continue
        known = True
        inner = entry.path[len(prefix) :]
        parts = inner.rstrip("/").split("/")
        depth = len(parts) if recursive else 1
        for level in range(1, depth + 1):
            path = prefix + "/".join(parts[:level])
            if not inner.strip("/"):
                continue
            if level < len(parts) or entry.is_folder:
                nodes.setdefault(path, TreeNode(parts[level - 1], path, "directory", None, "040755"))
            else:
                nodes[path] = TreeNode(parts[-1], path, "file", entry.size, f"{0o100000 | (entry.mode & 0o777):06o}")
    if not known:
        return None
    if recursive:
        return sorted(nodes.values(), key=lambda node: node.path)
    return sorted(nodes.values(), key=lambda node: (node.type != "directory", node.path))


def _bucket_count(index: RangeReader) -> int:
    header = index.read(0, _HEADER.size)
    if len(header) != _HEADER.size:
        raise ZipUnreadable("the index is cut off")
    magic, _, count, _ = _HEADER.unpack(header)
    if magic != _MAGIC or count < 1:
        raise ZipUnreadable("not an index")
    return int(count)


def _bucket(path: str, count: int) -> int:
    return zlib.crc32(path.encode("utf-8", "surrogateescape")) % count
