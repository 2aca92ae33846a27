"""Streaming a file of a local folder: going through the library's own runtime costs more than the read itself."""

import asyncio
import io
import os
from collections.abc import AsyncIterator
from pathlib import Path

_PIECE = 256 * 1024


async def open_local(path: Path, start: int, end: int | None) -> tuple[os.stat_result, int, AsyncIterator[bytes]]:
    """The file's metadata, the end of the range, and its bytes; raises OSError where it cannot be opened."""
    # The first piece is read on opening: most files have only one.
    file, facts, first = await asyncio.to_thread(_begin, path, start, end)
    stop = max(start, facts.st_size if end is None else min(end, facts.st_size))
    return facts, stop, _pieces(file, first, stop - start)


def _begin(path: Path, start: int, end: int | None) -> tuple[io.FileIO, os.stat_result, bytes]:
    file = path.open("rb", buffering=0)
    try:
        facts = os.fstat(file.fileno())
        file.seek(start)
        return file, facts, file.read(_PIECE if end is None else min(_PIECE, end - start))
    except BaseException:
        file.close()
        raise


async def _pieces(file: io.FileIO, piece: bytes, left: int) -> AsyncIterator[bytes]:
    with file:
        while piece:
            yield piece
            left -= len(piece)
            piece = await asyncio.to_thread(file.read, min(_PIECE, left)) if left else b""


def moved(path: Path, target: Path) -> bool:
    """Move a file to its place; False where that is another disk, or where folders are deleted meanwhile."""
    for _ in range(3):
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            path.replace(target)
        except FileNotFoundError:  # the folder was empty, and a deletion removed it
            continue
        except OSError:
            return False
        return True
    return False
