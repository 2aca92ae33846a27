"""A text with conflicts as rows of a table: both sides and where to choose one, with a few lines around them."""

from collections.abc import Iterator, Sequence

import msgspec

from ingot.gitstore.hunks import Part

AROUND = 8  # lines that both sides have, shown before and after each conflict
MARKS = ("<<<<<<< ", ">>>>>>> ")


class ConflictRow(msgspec.Struct, frozen=True):
    """A line of one side (`add` the source's, `del` the target's), of both, or words about the lines below (`hunk`).

    A row of kind `choice` begins a conflict; its text is the conflict's key, and its number counts them.
    """

    kind: str
    number: int | None
    text: str


def conflict_rows(parts: Sequence[Part], source: str, target: str) -> list[ConflictRow]:
    """The rows of a text; lines far from all conflicts are counted only."""
    rows = list(_rows(parts, source, target))
    told = [at for at, row in enumerate(rows) if row.kind]
    result, last = [], 0
    for at in told:
        result += _stretch(rows[last:at], is_first=last == 0)
        result.append(rows[at])
        last = at + 1
    return result + _stretch(rows[last:], is_last=True)


def _rows(parts: Sequence[Part], source: str, target: str) -> Iterator[ConflictRow]:
    """Numbers are those of the text with marks, which people can edit."""
    number = count = 0
    for at_part, part in enumerate(parts, 1):
        if isinstance(part, bytes):
            lines = _lines(part)
            yield from (ConflictRow("", at, line) for at, line in enumerate(lines, number + 1))
            number += len(lines)
            continue
        count += 1
        yield ConflictRow("choice", count, part.key)
        for kind, name, side in (("add", source, part.ours), ("del", target, part.theirs)):
            lines = _lines(side)
            yield ConflictRow("hunk", None, f"{name} has" if lines else f"{name} has no lines here")
            yield from (ConflictRow(kind, at, line) for at, line in enumerate(lines, number + 2))
            number += len(lines) + 1
        number += 1
        if at_part < len(parts):
            yield ConflictRow("hunk", None, "Both have")


def _lines(content: bytes) -> list[str]:
    return content.decode(errors="replace").removesuffix("\n").split("\n") if content else []


def _stretch(rows: list[ConflictRow], *, is_first: bool = False, is_last: bool = False) -> list[ConflictRow]:
    """Lines that both sides have, between two conflicts or beside one."""
    before, after = 0 if is_first else AROUND, 0 if is_last else AROUND
    count = len(rows) - before - after
    if count < 2:  # the words would take as much room
        return rows
    words = ConflictRow("hunk", None, f"{count} more lines that both have")
    return [*rows[:before], words, *rows[len(rows) - after :]]
