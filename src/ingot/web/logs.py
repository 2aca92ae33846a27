"""Logs of jobs as rows: a part of the file, and lines with some words."""

from collections import deque
from collections.abc import Iterable

import msgspec
from markupsafe import Markup

from ingot.features.ci.job_outputs import HeadedLine, read_head
from ingot.kit.patterns import pattern
from ingot.web.log_colours import LONGEST_LINE, coloured, last_state, plain
from ingot.web.log_index import START, LogIndex, Mark

WINDOW_BYTES = 512 * 1024
WINDOW_LINES = 5000
MOST_HITS = 200
_SECTION = pattern(r"section_(start|end):([0-9]{1,12}):([A-Za-z0-9_.-]{1,100})(\[[^\]\r\n]{0,100}\])?")


class LogSection(msgspec.Struct, frozen=True):
    """A part of a log that its job named."""

    name: str
    last: int  # number of its last line; 0 while it goes on
    seconds: int
    is_folded: bool


class LogWindow(msgspec.Struct, frozen=True):
    """Some lines of a log."""

    first: int  # number of the first line shown
    lines: list[Markup]
    total: int
    sections: dict[int, LogSection] = msgspec.field(default_factory=dict)  # by the number of their first line
    cut: frozenset[int] = frozenset()  # numbers of lines of which only the beginning is shown
    times: dict[int, str] = msgspec.field(default_factory=dict)  # when lines were written, where the runner says so
    joined: frozenset[int] = frozenset()  # numbers of lines that are shown as the end of the one before

    @property
    def rows(self) -> list[tuple[int, Markup]]:
        """The lines that are shown as such, with their numbers."""
        return [row for row in enumerate(self.lines, self.first) if row[0] not in self.joined]


def window(pieces: Iterable[bytes], index: LogIndex | None = None, start: Mark = START) -> LogWindow:
    """Read a log from a place to its end, in bounded memory, and keep its last part."""
    window_pieces: deque[bytes] = deque()
    size, gone_size, seen = 0, start.offset, start.lines
    for piece in pieces:
        window_pieces.append(piece)
        size += len(piece)
        while len(window_pieces) > 1 and size - len(window_pieces[0]) >= WINDOW_BYTES:
            gone = window_pieces.popleft()
            size -= len(gone)
            gone_size += len(gone)
            seen += gone.count(b"\n")
            if index is not None:
                index.note(gone_size, seen)
    content = b"".join(window_pieces)
    if len(content) > WINDOW_BYTES:
        cut = len(content) - WINDOW_BYTES
        seen += content.count(b"\n", 0, cut)
        content = content[cut:]
    lines = content.decode(errors="replace").split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    total = seen + len(lines)
    if index is not None:
        index.note_total(gone_size + size, total)
    over = max(0, len(lines) - WINDOW_LINES)
    return _window(seen + over + 1, lines[over:], total)


def window_from(pieces: Iterable[bytes], first: int, start: Mark = START, known_total: int | None = None) -> LogWindow:
    """Read a log from a place on, in bounded memory, and keep the part that begins with this line.

    Unless it is known how many lines there are, it is read to its end.
    """
    parts: list[bytes] = []
    size, number, last = 0, start.lines + 1, b""
    for piece in pieces:
        ends = piece.count(b"\n")
        if number + ends >= first:
            begin = 0
            for _ in range(max(0, first - number)):
                begin = piece.index(b"\n", begin) + 1
            if size < WINDOW_BYTES:
                parts.append(piece[begin:])
            size += len(piece) - begin
        number += ends
        last = piece or last
        if known_total is not None and size > WINDOW_BYTES:
            break
    total = number - 1 if last.endswith(b"\n") or not last else number
    total = total if known_total is None else known_total
    lines = b"".join(parts)[:WINDOW_BYTES].decode(errors="replace").split("\n")
    # The next part begins with the line that does not fit whole.
    if lines[-1] == "" or (size > WINDOW_BYTES and len(lines) > 1):
        lines.pop()
    return _window(min(first, total + 1), lines[:WINDOW_LINES], total)


def _window(first: int, written: list[str], total: int) -> LogWindow:
    heads = [read_head(line) for line in written]
    lines, joined = _joined(heads)
    cut = frozenset(number for number, line in enumerate(lines, first) if len(last_state(line)) > LONGEST_LINE)
    times = {number: head.time for number, head in enumerate(heads, first) if head.time}
    return LogWindow(
        first, coloured(lines), total, _sections(lines, first), cut, times, frozenset(first + at for at in joined)
    )


def _joined(heads: list[HeadedLine]) -> tuple[list[str], set[int]]:
    """The texts of lines, each with what continues it, and the places of those that do: they are empty."""
    lines = [head.text for head in heads]
    joined = set[int]()
    begin, parts = 0, lines[:1]
    for at, head in enumerate(heads[1:], 1):
        if head.continues and head.stream == heads[begin].stream:
            joined.add(at)
            parts.append(head.text)
            lines[at] = ""
        else:
            lines[begin] = "".join(parts)
            begin, parts = at, [head.text]
    if parts:
        lines[begin] = "".join(parts)
    return lines, joined


def _sections(lines: list[str], first: int) -> dict[int, LogSection]:
    """The sections whose beginning is among the lines."""
    sections: dict[int, LogSection] = {}
    begun: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(lines, first):
        for mark in _SECTION.finditer(line) if "section_" in line else ():
            verb, moment, name, options = mark[1], int(mark[2]), mark[3], mark[4] or ""
            if verb == "start":
                begun[name] = (number, moment)
                sections[number] = LogSection(name, 0, 0, "collapsed=true" in options)
            elif name in begun:
                start, since = begun.pop(name)
                folded = start in sections and sections[start].is_folded
                sections[start] = LogSection(name, number, max(0, moment - since), folded)
    return sections


def find_lines(pieces: Iterable[bytes], words: str) -> tuple[list[tuple[int, Markup]], bool]:
    """The first lines that show these words, with their numbers; and whether there are more."""
    wanted, number, rest = words.casefold(), 0, b""
    hits: list[tuple[int, str]] = []
    for piece in pieces:
        head, newline, tail = piece.rpartition(b"\n")
        if not newline:
            rest = (rest + tail)[-WINDOW_BYTES:]
            continue
        whole = rest + head
        hits += _lines_with(wanted, whole, number + 1)
        if len(hits) > MOST_HITS:
            return _hits(hits[:MOST_HITS], words), True
        number, rest = number + 1 + whole.count(b"\n"), tail
    hits += _lines_with(wanted, rest, number + 1)
    return _hits(hits[:MOST_HITS], words), len(hits) > MOST_HITS


def _lines_with(wanted: str, part: bytes, first: int) -> list[tuple[int, str]]:
    """The lines of a part that show these words. It is read as a whole first: most parts have none."""
    text = part.decode(errors="replace")
    shown = plain(text).casefold()
    if wanted not in shown:
        return []
    heads = [read_head(line) for line in text.split("\n")]
    joined, begin = _joined(heads)[1], 0
    found: list[tuple[int, str]] = []
    for at, (head, look) in enumerate(zip(heads, shown.split("\n"), strict=True)):
        if at not in joined:
            begin = at
        if wanted not in look or (found and found[-1][0] == first + begin):
            continue
        whole = last_state(head.text)[:LONGEST_LINE]
        if wanted in plain(whole).casefold():
            found.append((first + begin, whole))
    return found


def _hits(found: list[tuple[int, str]], words: str) -> list[tuple[int, Markup]]:
    return [(number, coloured([line], words)[0]) for number, line in found]
