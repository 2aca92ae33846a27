"""Reading the tree of an archive: one JSON document per line, bounded in length and depth."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ingot.archives.unpack import ArchiveRefused

LONGEST_LINE = 50 * 1024 * 1024
DEEPEST = 100
INCORRECT = "Incorrect JSON format"


def _decode(raw: bytes) -> Any:
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError):
        raise ArchiveRefused(INCORRECT) from None
    if raw.count(b"{") + raw.count(b"[") > DEEPEST:  # fewer brackets cannot nest deeper
        _check_depth(found)
    return found


def _check_depth(found: Any) -> None:
    """Nesting deeper than any real archive has is refused; done without recursion."""
    level = [found]
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


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of an NDJSON file with their index; `null` lines are skipped, anything else must be an object."""
    with path.open("rb") as file:
        index = 0
        while raw := file.readline(LONGEST_LINE + 1):
            if len(raw) > LONGEST_LINE:
                raise ArchiveRefused(INCORRECT)
            found = _decode(raw)
            if found is not None:
                if not isinstance(found, dict):
                    raise ArchiveRefused(INCORRECT)
                yield index, found
            index += 1


def read_document(path: Path) -> Any:
    """A whole JSON document: the root attributes, a single-object relation, or a legacy tree."""
    if path.stat().st_size > LONGEST_LINE:
        raise ArchiveRefused(INCORRECT)
    return _decode(path.read_bytes())
