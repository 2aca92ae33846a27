"""Writing an archive in a stream: files and lines go through tar and gzip into the target as they come.

A tar entry begins with its size: where that is known only at the end, the entry's head is filled in then.
"""

import hashlib
import tarfile
import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import TracebackType
from typing import IO, Self

import msgspec

from ingot.archives.deflate import GzipWriter

_encode = msgspec.json.Encoder().encode
PIECE = 256 * 1024
BLOCK = tarfile.BLOCKSIZE


class Stream:
    """A list inside a record that is too long to hold: its elements come encoded, one by one."""

    def __init__(self, elements: Iterable[bytes]) -> None:
        self.elements = elements


def encoded(record: Mapping[str, object]) -> Iterator[bytes]:
    """A record as JSON, in one piece unless it holds streams."""
    streams = {key: value for key, value in record.items() if isinstance(value, Stream)}
    if not streams:
        yield _encode(record)
        return
    start = _encode({key: value for key, value in record.items() if key not in streams})[:-1]
    for key, stream in streams.items():
        yield (start if start == b"{" else start + b",") + _encode(key) + b":["
        for number, element in enumerate(stream.elements):
            yield element if number == 0 else b"," + element
        start = b"]"
    yield b"]}"


class ArchiveWriter:
    """A `.tar.gz` under construction in a target that can be gone back in; entries begin with `./`, as GitLab's
    do."""

    def __init__(self, target: IO[bytes]) -> None:
        self._gzip = GzipWriter(target)
        self._folders: set[str] = set()
        self.digests: dict[str, str] = {}  # of every file written, for a seal at the end
        self._now = int(time.time())
        self._written = 0
        self._folder_entry(".")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After an error nothing marks the end, so that nobody takes the rest for a whole archive.
        if error is None:
            self.close()

    def close(self) -> None:
        """Write what ends a tar and a gzip."""
        rest = -(self._written + 2 * BLOCK) % tarfile.RECORDSIZE
        self._gzip.write(bytes(2 * BLOCK + rest))
        self._gzip.close()

    def add_folder(self, name: str) -> None:
        """An empty folder."""
        self._parents(f"{name}/x")

    def add_bytes(self, name: str, data: bytes) -> None:
        """A small file."""
        self._parents(name)
        head = self._head(name, len(data))
        self._gzip.write(head + data)
        self._end_entry(len(head), len(data))
        self.digests[name] = hashlib.sha256(data).hexdigest()

    def add_chunks(self, name: str, chunks: Iterable[bytes], *, packed: bool = False) -> int:
        """A file that comes in pieces; returns its size. Compressed data is not compressed again."""
        pieces = _gathered(chunks)
        first = next(pieces, b"")  # before anything is written: a source that is missing leaves no trace
        self._parents(name)
        hole = self._gzip.reserve(len(self._head(name, 0)))
        write = self._gzip.store if packed else self._gzip.write
        size, digest = 0, hashlib.sha256()
        for chunk in chain((first,), pieces):
            digest.update(chunk)
            write(chunk)
            size += len(chunk)
        self._end_entry(hole.size, size)
        self._gzip.fill(hole, self._head(name, size))
        self.digests[name] = digest.hexdigest()
        return size

    def add_lines(self, name: str, records: Iterable[Mapping[str, object]]) -> int:
        """One JSON document per line; returns how many."""
        count = 0

        def lines() -> Iterable[bytes]:
            nonlocal count
            for record in records:
                count += 1
                yield from encoded(record)
                yield b"\n"

        self.add_chunks(name, lines())
        return count

    def add_document(self, name: str, document: object) -> None:
        """One JSON document without a newline; None is written as `null`."""
        self.add_bytes(name, msgspec.json.encode(document))

    def _parents(self, name: str) -> None:
        parts = name.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            folder = "/".join(parts[:depth])
            if folder not in self._folders:
                self._folders.add(folder)
                self._folder_entry(f"./{folder}")

    def _folder_entry(self, name: str) -> None:
        info = tarfile.TarInfo(f"{name}/")
        info.type, info.mode, info.mtime = tarfile.DIRTYPE, 0o700, self._now
        head = info.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")
        self._gzip.write(head)
        self._written += len(head)

    def _head(self, name: str, size: int) -> bytes:
        info = tarfile.TarInfo(f"./{name}")
        info.size, info.mode, info.mtime = size, 0o644, self._now
        return info.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")

    def _end_entry(self, head: int, size: int) -> None:
        self._gzip.write(bytes(-size % BLOCK))
        self._written += head + size + -size % BLOCK


def _gathered(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces of a size that is worth the call."""
    waiting: list[bytes] = []
    size = 0
    for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk)
        if size >= PIECE:
            yield waiting[0] if len(waiting) == 1 else b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)
