"""Writing an archive in a stream: files and lines go through tar and gzip into the target as they come.

A tar entry begins with its size, so lines of unknown length are gathered in a spool file first.
"""

import hashlib
import io
import tarfile
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, cast

import msgspec
from isal import igzip

_encode = msgspec.json.Encoder().encode
LEVEL = 2  # a tenth of zlib's time for an eighth more bytes
PIECE = 1024 * 1024
SPOOL = 8 * 1024 * 1024


class Stream:
    """A list inside a record that is too long to hold: its elements come encoded, one by one."""

    def __init__(self, elements: Iterable[bytes]) -> None:
        self.elements = elements


def encoded(record: Any) -> Iterator[bytes]:
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
    """A `.tar.gz` under construction; what it makes begins with `./`, as the original's archives do."""

    def __init__(self, target: IO[bytes], folder: Path | None = None) -> None:
        self._gzip = cast("IO[bytes]", igzip.open(target, "wb", compresslevel=LEVEL))  # type: ignore[no-untyped-call]
        # Large pieces: the defaults of 10 KB cost more time than the work on them.
        self._tar = tarfile.TarFile.open(fileobj=self._gzip, mode="w|", bufsize=PIECE, format=tarfile.GNU_FORMAT)
        self._tar.copybufsize = PIECE  # type: ignore[attr-defined]
        self._folder = None if folder is None else str(folder)
        self._made: set[str] = set()
        self.digests: dict[str, str] = {}  # of every file written, for a seal at the end
        self._now = int(time.time())
        self._folder_entry(".")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
            return
        # Let go without the end mark of a tar, so that nobody takes the rest for a whole archive.
        self._tar.fileobj.closed = True  # type: ignore[attr-defined]
        self._gzip.close()

    def close(self) -> None:
        """Write what ends a tar and a gzip."""
        self._tar.close()
        self._gzip.close()

    def add_folder(self, name: str) -> None:
        """An empty folder."""
        self._parents(f"{name}/x")

    def add_bytes(self, name: str, data: bytes) -> None:
        """A small file."""
        self._entry(name, len(data), io.BytesIO(data))

    def add_file(self, name: str, path: Path) -> None:
        """A file of the disk."""
        with path.open("rb") as source:
            self._entry(name, path.stat().st_size, source)

    def add_chunks(self, name: str, chunks: Iterable[bytes]) -> int:
        """A file that comes in pieces; returns its size."""
        with tempfile.SpooledTemporaryFile(SPOOL, dir=self._folder) as spool:
            for chunk in chunks:
                spool.write(chunk)
            size = spool.tell()
            spool.seek(0)
            self._entry(name, size, cast("IO[bytes]", spool))
        return size

    def add_lines(self, name: str, records: Iterable[Any]) -> int:
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

    def add_document(self, name: str, document: Any) -> None:
        """One JSON document without a newline; None is written as `null`."""
        self.add_bytes(name, msgspec.json.encode(document))

    def _parents(self, name: str) -> None:
        parts = name.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            folder = "/".join(parts[:depth])
            if folder not in self._made:
                self._made.add(folder)
                self._folder_entry(f"./{folder}")

    def _folder_entry(self, name: str) -> None:
        info = tarfile.TarInfo(f"{name}/")
        info.type, info.mode, info.mtime = tarfile.DIRTYPE, 0o700, self._now
        self._tar.addfile(info)

    def _entry(self, name: str, size: int, source: IO[bytes]) -> None:
        self._parents(name)
        info = tarfile.TarInfo(f"./{name}")
        info.size, info.mode, info.mtime = size, 0o644, self._now
        hashed = _Hashed(source)
        self._tar.addfile(info, cast("IO[bytes]", hashed))
        self.digests[name] = hashed.digest.hexdigest()


class _Hashed:
    """A source that remembers what was read from it."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        data = self._source.read(size)
        self.digest.update(data)
        return data
