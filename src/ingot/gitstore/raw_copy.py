"""The files of a bare repository as one tar archive, streamed: references and objects, without settings and hooks.

Pushes and packing go on meanwhile. References are read first, then loose objects, packs last: what moves on the way
moves into a pack that is still to be listed, so every object that the references name is in the archive.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

from ingot.gitstore.errors import RepositoryNotFound
from ingot.gitstore.filled_archive import CHUNK, gathered
from ingot.gitstore.repository import Repository

_PACKS = "objects/pack"
_ATTEMPTS = 5  # to open packs that a packing replaces meanwhile
_PARTS = (".pack", ".idx", ".rev", ".bitmap")


def raw_copy(repo: Repository) -> Iterator[bytes]:
    """Chunks of the archive; RepositoryNotFound at the first one if there is none."""
    return gathered(_archive(repo.path))


def _archive(folder: Path) -> Iterator[bytes]:
    loose = list(_loose_references(folder))
    named = [("HEAD", _content(folder / "HEAD")), *loose, ("packed-refs", _content(folder / "packed-refs"))]
    if named[0][1] is None:
        raise RepositoryNotFound
    for name in ("refs/heads", "refs/tags", "objects/info", _PACKS):
        yield _head(name, 0, tarfile.DIRTYPE)
    for path in (folder / "objects").glob("[0-9a-f][0-9a-f]/*"):
        if len(path.name) == 38:
            with suppress(FileNotFoundError), path.open("rb") as loose_object:  # packed meanwhile
                yield from _large(f"objects/{path.parent.name}/{path.name}", loose_object)
    with ExitStack() as stack:
        for name, file in _open_packs(folder, stack):
            yield from _large(f"{_PACKS}/{name}", file)
    for name, content in named:
        if content is not None:
            yield from _small(name, content)
    yield bytes(2 * tarfile.BLOCKSIZE)


def _loose_references(folder: Path) -> Iterator[tuple[str, bytes | None]]:
    for place, _, files in os.walk(folder / "refs"):
        for file in files:
            path = Path(place, file)
            if not file.endswith(".lock"):
                yield path.relative_to(folder).as_posix(), _content(path)


def _open_packs(folder: Path, stack: ExitStack) -> Sequence[tuple[str, IO[bytes]]]:
    """All packs with their indexes, opened at once: what is open stays readable when it is replaced."""
    for attempt in range(_ATTEMPTS):
        names = sorted(path.name for path in (folder / _PACKS).glob("pack-*") if path.suffix in _PARTS)
        with ExitStack() as opened:
            try:
                packs = [(name, opened.enter_context((folder / _PACKS / name).open("rb"))) for name in names]
            except FileNotFoundError:
                if attempt == _ATTEMPTS - 1:
                    raise
                continue
            stack.push(opened.pop_all())
            return packs
    return []


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _small(name: str, content: bytes) -> Iterator[bytes]:
    yield _head(name, len(content))
    yield content
    yield bytes(-len(content) % tarfile.BLOCKSIZE)


def _large(name: str, file: IO[bytes]) -> Iterator[bytes]:
    size = os.fstat(file.fileno()).st_size
    yield _head(name, size)
    while chunk := file.read(CHUNK):
        yield chunk
    yield bytes(-size % tarfile.BLOCKSIZE)


def _head(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type, info.mode = size, kind, 0o755 if kind == tarfile.DIRTYPE else 0o644
    return info.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")
