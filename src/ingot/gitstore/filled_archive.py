"""An archive in which pointers of Git LFS are replaced by what they point to, streamed."""

from __future__ import annotations

import tarfile
import time
import zipfile
from collections import deque
from collections.abc import Callable, Iterator
from typing import IO, cast

import msgspec

from ingot.gitstore.archive import FORMATS, archive, compressed
from ingot.gitstore.new_objects import POINTER_BYTES, pointer_name
from ingot.gitstore.repository import Repository

BLOCK = tarfile.BLOCKSIZE
CHUNK = 256 * 1024
END = bytes(2 * BLOCK)
FIRST_OF_ZIP, LAST_OF_ZIP = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)


class LargeFile(msgspec.Struct, frozen=True):
    """An object of Git LFS."""

    size: int
    chunks: Callable[[], Iterator[bytes]]


class Options(msgspec.Struct, frozen=True):
    """Which files, in which form, below which folder; as for `archive`."""

    kind: str
    prefix: str
    path: str = ""
    exclude: tuple[str, ...] = ()


FindLarge = Callable[[str], LargeFile | None]


def filled_archive(repo: Repository, sha: str, options: Options, find: FindLarge) -> Iterator[bytes]:
    """Chunks of the archive; a pointer whose object `find` does not know stays."""
    chunks = archive(repo, sha, "tar", options.prefix, options.path, options.exclude)
    chosen = FORMATS[options.kind]
    if chosen == "zip":
        return gathered(_as_zip(_files(chunks, find)))
    return compressed(gathered(_as_tar(sha, _files(chunks, find))), chosen)


def gathered(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Fewer and larger chunks: each is a walk to a thread and back."""
    parts, size = [], 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size >= CHUNK:
            yield b"".join(parts)
            parts, size = [], 0
    yield b"".join(parts)


class _File(msgspec.Struct, frozen=True):
    info: tarfile.TarInfo
    chunks: Iterator[bytes]


class _Reader:
    """Chunks as a file that is read once."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._rest = chunks, b""

    def read(self, size: int) -> bytes:
        parts, left = [self._rest], size - len(self._rest)
        while left > 0 and (chunk := next(self._chunks, None)) is not None:
            parts.append(chunk)
            left -= len(chunk)
        whole = b"".join(parts)
        self._rest = whole[size:]
        return whole[:size]


def _files(chunks: Iterator[bytes], find: FindLarge) -> Iterator[_File]:
    """The entries in order; the content of each must be read before the next."""
    with tarfile.open(fileobj=cast("IO[bytes]", _Reader(chunks)), mode="r|") as source:
        while (info := source.next()) is not None:
            source.members.clear()  # type: ignore[attr-defined]  # or they would gather
            info.pax_headers = {}
            content = source.extractfile(info) if info.isreg() else None
            if content is None:
                yield _File(info, iter(()))
            elif info.size >= POINTER_BYTES:
                yield _File(info, _pieces(content))
            else:
                yield _small(info, content.read(), find)
    # Behind the last entry there is only padding, but git's status is checked at the end of its output.
    deque(chunks, maxlen=0)


def _small(info: tarfile.TarInfo, content: bytes, find: FindLarge) -> _File:
    oid = pointer_name(content)
    large = None if oid is None else find(oid)
    if large is None:
        return _File(info, iter((content,)))
    info.size = large.size
    return _File(info, large.chunks())


def _pieces(content: IO[bytes]) -> Iterator[bytes]:
    while chunk := content.read(CHUNK):
        yield chunk


def _as_tar(sha: str, files: Iterator[_File]) -> Iterator[bytes]:
    yield tarfile.TarInfo.create_pax_global_header({"comment": sha})
    for file in files:
        yield file.info.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")
        yield from file.chunks
        yield bytes(-file.info.size % BLOCK if file.info.isreg() else 0)
    yield END


class _Sink:
    """What a writer wrote, to be taken away piece by piece."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Nothing waits."""

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _as_zip(files: Iterator[_File]) -> Iterator[bytes]:
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as target:  # type: ignore[call-overload]
        for file in files:
            info = file.info
            # Names in a zip file are UTF-8.
            name = info.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            moment = min(max(time.gmtime(info.mtime)[:6], FIRST_OF_ZIP), LAST_OF_ZIP)
            entry = zipfile.ZipInfo(f"{name}/" if info.isdir() else name, moment)
            kind = 0o120000 if info.issym() else 0o040000 if info.isdir() else 0o100000
            entry.external_attr = (kind | info.mode & 0o7777) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            with target.open(entry, "w", force_zip64=info.size >= zipfile.ZIP64_LIMIT) as out:
                target_of_link = info.linkname.encode("utf-8", "surrogateescape")
                for chunk in iter((target_of_link,)) if info.issym() else file.chunks:
                    out.write(chunk)
                    yield sink.take()
    yield sink.take()
