"""Reading the tree of an archive: one JSON document per line, bounded in length and depth."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from ingot.archives.long_values import INCORRECT, LongValues
from ingot.archives.unpack import ArchiveRefused
from ingot.kit.turns import with_turns

LONGEST_LINE = 50 * 1024 * 1024
LARGE_LINE = 1024 * 1024
MOST_VALUES = 300_000  # of one record
MOST_VALUES_OF_NOTES = 3_000_000  # of one whose notes come piece by piece
PIECE = 256 * 1024
DEEPEST = 100


class Pieces:
    """A long list inside a record, decoded in pieces as it is read: as objects it would take ten times its text."""

    def __init__(self, values: LongValues, start: int, end: int) -> None:
        self._values = values
        self._batches = list(values.batches(start, end))

    def __iter__(self) -> Iterator[Any]:
        return (item for first, last, _ in self._batches for item in self._values.elements(first, last))

    def __len__(self) -> int:
        return sum(number for _, _, number in self._batches)


def _decode_large(raw: bytes, lazy: str = "") -> Any:
    """In short steps. The array of the name `lazy` is left as pieces."""
    start = len(raw) - len(raw.lstrip())
    is_object = raw[start : start + 1] == b"{"
    _check_count(raw, 0, len(raw), MOST_VALUES_OF_NOTES if lazy and is_object else MOST_VALUES)
    values = LongValues(raw, _decode, lambda first, last: _check_count(raw, first, last, MOST_VALUES))
    if not is_object:
        return values.value(0, len(raw))
    result = dict(values.members(start, len(raw), lazy=lazy))
    if isinstance(place := result.get(lazy), tuple):
        result[lazy] = Pieces(values, *place)
    return result


def _decode(raw: bytes) -> Any:
    _check_count(raw, 0, len(raw), MOST_VALUES)
    try:
        result = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError):
        raise ArchiveRefused(INCORRECT) from None
    if raw.count(b"{") + raw.count(b"[") > DEEPEST:  # fewer brackets cannot nest deeper
        _check_depth(result)
    return result


def _check_count(raw: bytes, start: int, end: int, most: int) -> None:
    """As objects, many small values take thirty times their text. Commas and brackets inside texts count too."""
    if end - start <= most:
        return
    pieces = (raw[at : min(at + PIECE, end)] for at in range(start, end, PIECE))
    if sum(piece.count(b",") + piece.count(b"{") + piece.count(b"[") for piece in with_turns(pieces)) > most:
        raise ArchiveRefused(INCORRECT)


def _check_depth(result: object) -> None:
    """Nesting deeper than any real archive has is refused; done without recursion."""
    level = [result]
    for _ in range(DEEPEST):
        deeper: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                deeper.extend(inner for inner in value.values() if isinstance(inner, dict | list))
            elif isinstance(value, list):
                deeper.extend(inner for inner in value if isinstance(inner, dict | list))
        if not deeper:
            return
        level = deeper
    raise ArchiveRefused(INCORRECT)


def read_lines(path: Path, weigh: Callable[[int], None] | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of an NDJSON file with their index; `null` lines are skipped, anything else must be an object.

    `weigh` is called with the size of each line before its record comes.
    """
    with path.open("rb") as file:
        index = 0
        while raw := _read_line(file):
            result = _decode(raw) if len(raw) < LARGE_LINE else _decode_large(raw, lazy="notes")
            if result is not None:
                if not isinstance(result, dict):
                    raise ArchiveRefused(INCORRECT)
                if weigh is not None:
                    weigh(len(raw))
                yield index, result
            index += 1
            del raw, result  # before the next, which may be as long


def _read_line(file: IO[bytes]) -> bytes:
    """The next line. A long one is measured before it is read: `readline` would hold it twice."""
    line = file.readline(LARGE_LINE)
    if len(line) < LARGE_LINE or line.endswith(b"\n"):
        return line
    start, size = file.tell() - len(line), len(line)
    del line
    while chunk := file.readline(PIECE):
        size += len(chunk)
        if size > LONGEST_LINE:
            raise ArchiveRefused(INCORRECT)
        if chunk.endswith(b"\n"):
            break
    file.seek(start)
    return file.read(size)


def read_document(path: Path) -> Any:
    """A whole JSON document: the root attributes, a single-object relation, or a legacy tree."""
    if path.stat().st_size > LONGEST_LINE:
        raise ArchiveRefused(INCORRECT)
    raw = path.read_bytes()
    return _decode(raw) if len(raw) < LARGE_LINE else _decode_large(raw)
