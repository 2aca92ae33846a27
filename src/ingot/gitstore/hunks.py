"""A text with git's marks, cut into what merges and what has two sides; and put together again without marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha1
from pathlib import Path
from typing import Literal

import msgspec

OURS: Literal["ours"] = "ours"
THEIRS: Literal["theirs"] = "theirs"
Side = Literal["ours", "theirs"]
# Long marks: a line of seven equal signs is the end of many headings.
LONG_MARKS = {
    "core.attributesFile": str(Path(__file__).with_name("conflict_marks.attributes")), "merge.conflictStyle": "merge",
}  # fmt: skip


class Hunk(msgspec.Struct, frozen=True):
    """Lines that both sides changed in different ways, byte for byte. The key stays while the lines do."""

    key: str
    ours: bytes
    theirs: bytes


Part = bytes | Hunk


def split_hunks(content: bytes, ours: str, theirs: str) -> list[Part] | None:
    """The parts of a text whose marks name these commits; None where a line of the text looks like a mark."""
    seen: Counter[str] = Counter()
    parts: list[Part] = []
    lines = iter(_lines(content))
    plain: list[bytes] = []
    for line in lines:
        size = len(line) - len(line.lstrip(b"<"))
        if size < 7 or not line[size:].startswith(b" " + ours.encode()):
            plain.append(line)
            continue
        sides = _sides(lines, size, theirs)
        if sides is None:
            return None
        parts += [b"".join(plain)] if plain else []
        plain = []
        digest = sha1(b"%d\0%s\0%s" % (len(sides[0]), *sides), usedforsecurity=False).hexdigest()[:12]
        parts.append(Hunk(f"{digest}_{seen[digest]}", *sides))
        seen[digest] += 1
    return [*parts, b"".join(plain)] if plain else parts


def _sides(lines: Iterator[bytes], size: int, theirs: str) -> tuple[bytes, bytes] | None:
    """Both sides of a conflict, of which the first mark was read."""
    sides: list[list[bytes]] = [[]]
    end = b">" * size + b" " + theirs.encode()
    for line in lines:
        if line.startswith(end):
            return (b"".join(sides[0]), b"".join(sides[1])) if len(sides) == 2 else None
        if line.rstrip(b"\r\n") == b"=" * size:
            sides.append([])
        else:
            sides[-1].append(line)
    return None


def _lines(content: bytes) -> list[bytes]:
    """Lines with their ends, as git has them: a lone carriage return ends none."""
    *lines, rest = content.split(b"\n")
    return [line + b"\n" for line in lines] + ([rest] if rest else [])


def with_true_end(parts: Sequence[Part], ours: Callable[[], bytes], theirs: Callable[[], bytes]) -> list[Part]:
    """The parts with the last line of a side as its file has it: before a mark, git ends a line that has no end."""
    if not parts or not isinstance(last := parts[-1], Hunk):
        return list(parts)
    return [*parts[:-1], Hunk(last.key, _true_end(last.ours, ours()), _true_end(last.theirs, theirs()))]


def _true_end(lines: bytes, whole: bytes) -> bytes:
    for end in (b"", b"\n", b"\r\n"):
        if lines.endswith(end) and whole.endswith(cut := lines[: len(lines) - len(end)]):
            return cut
    return lines


def with_marks(parts: Sequence[Part], ours: str, theirs: str) -> str:
    """The text with marks of the usual size, which name the branches."""
    result = ""
    for part in parts:
        if isinstance(part, bytes):
            result += part.decode(errors="replace")
            continue
        end = "\r\n" if b"\r\n" in part.ours + part.theirs else "\n"
        sides = [_ended(side.decode(errors="replace"), end) for side in (part.ours, part.theirs)]
        result += f"<<<<<<< {ours}{end}{sides[0]}======={end}{sides[1]}>>>>>>> {theirs}{end}"
    return result


def _ended(lines: str, end: str) -> str:
    return lines if not lines or lines.endswith("\n") else lines + end


def joined(parts: Sequence[Part], sides: Mapping[str, Side]) -> bytes | None:
    """The text with one side of each conflict; None while a conflict has no choice."""
    result = []
    for part in parts:
        if isinstance(part, bytes):
            result.append(part)
        elif (side := sides.get(part.key)) is None:
            return None
        else:
            result.append(part.ours if side == OURS else part.theirs)
    return b"".join(result)
