"""What pages show of a file's content beside its lines: tables, the first bytes, what a pointer names, hidden signs."""

import csv
import io
from collections.abc import Sequence
from datetime import datetime

import msgspec
from markupsafe import Markup, escape

from ingot.kit.clock import now
from ingot.kit.patterns import pattern

MOST_ROWS, MOST_CELLS = 500, 50
FIRST_BYTES, BYTES_IN_A_LINE = 256, 16
LFS = "version https://git-lfs.github.com/spec/"
LONGEST_POINTER = 1024
# They turn the order of what follows, or are not seen at all: a line may say something else than it shows.
_HIDDEN = pattern("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
# Up to so many days old, each in words; what is older has the last.
AGES = ((7, "this week"), (30, "this month"), (365, "this year"), (1095, "in the last three years"))
OLDEST = "more than three years ago"


class Table(msgspec.Struct, frozen=True):
    """A file of separated values."""

    head: list[str]
    rows: list[list[str]]
    is_cut: bool


def table_of(text: str, name: str) -> Table | None:
    """The rows of a CSV or TSV file, the first as heads; None if it cannot be read as one."""
    try:
        reader = csv.reader(io.StringIO(text), delimiter="\t" if name.endswith(".tsv") else ",", strict=True)
        rows = [row[:MOST_CELLS] for row, _ in zip(reader, range(MOST_ROWS + 2), strict=False)]
    except csv.Error:
        return None
    if not rows or not rows[0]:
        return None
    width = max(map(len, rows))
    filled = [row + [""] * (width - len(row)) for row in rows]
    return Table(filled[0], filled[1 : MOST_ROWS + 1], len(filled) > MOST_ROWS + 1)


def first_bytes(content: bytes) -> str:
    """The beginning of a binary file, as hexadecimal numbers and letters."""
    lines = []
    for place in range(0, min(len(content), FIRST_BYTES), BYTES_IN_A_LINE):
        part = content[place : min(place + BYTES_IN_A_LINE, FIRST_BYTES)]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{place:08x}  {part.hex(' '):<{3 * BYTES_IN_A_LINE}} {letters}")
    return "\n".join(lines)


def lfs_size(content: bytes) -> int | None:
    """The size of the file that a pointer of Git LFS stands for; None for files that are none."""
    if len(content) > LONGEST_POINTER or not content.startswith(LFS.encode()):
        return None
    sizes = [line[5:] for line in content.decode("latin-1").splitlines() if line.startswith("size ")]
    return int(sizes[0]) if sizes and sizes[0].isdecimal() and len(sizes[0]) < 19 else None


def has_hidden_signs(text: str) -> bool:
    """Whether the text has signs that nobody sees; a mark of the byte order at its beginning is none."""
    return _HIDDEN.search(text.removeprefix("\ufeff")) is not None


def with_signs_shown(line: Markup) -> Markup:
    """A rendered line whose hidden signs are named."""
    return Markup(_HIDDEN.sub(lambda match: f'<span class="sign">U+{ord(match[0]):04X}</span>', str(line)))  # noqa: S704 - the line is markup already


def shown_name(name: str | Markup) -> Markup:
    """A name as HTML, which cannot look like another one by signs that nobody sees."""
    return with_signs_shown(escape(name))


def shown_lines(text: str, lines: Sequence[Markup]) -> Sequence[Markup]:
    """The rendered lines of a text, with the hidden signs named that it has."""
    return [with_signs_shown(line) for line in lines] if has_hidden_signs(text) else lines


def age_of(moment: str) -> tuple[int, str]:
    """How old a commit is: a step from 1, the youngest, to 5, and in words."""
    days = (now() - datetime.fromisoformat(moment)).days
    for step, (most, words) in enumerate(AGES, 1):
        if days < most:
            return step, words
    return len(AGES) + 1, OLDEST
