"""Logs of jobs as rows: a part of the file, with terminal colours but no other control sequences."""

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec
from markupsafe import Markup, escape

from ingot.kit.patterns import pattern
from ingot.web.log_index import START, LogIndex, Mark

WINDOW_BYTES = 512 * 1024
WINDOW_LINES = 5000
MOST_HITS = 200
LONGEST_LINE = 8 * 1024
_MARK = pattern(r"section_(?:start|end):[0-9]+:[^\r\n]*\r")
_SECTION = pattern(r"section_(start|end):([0-9]{1,12}):([A-Za-z0-9_.-]{1,100})(\[[^\]\r\n]{0,100}\])?")
# Of sequences: their parameters, the signs before the last, and those that begin a string.
_PARAMETERS, _BETWEEN, _STRINGS = "0123456789:;<=>?", " !\"#$%&'()*+,-./", tuple("]P_^X")
_CODES = "0123456789;"  # of colours
_ERASERS = pattern(r"\x1b\[[0-2]?K")
COLOURS = {"30": "k0", "31": "k1", "32": "k2", "33": "k3", "34": "k4", "35": "k5", "36": "k6", "37": "k7"}
BRIGHT = {f"9{number}": f"k{number}" for number in range(8)}


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


def _window(first: int, lines: list[str], total: int) -> LogWindow:
    cut = frozenset(number for number, line in enumerate(lines, first) if len(_last_state(line)) > LONGEST_LINE)
    return LogWindow(first, _coloured(lines), total, _sections(lines, first), cut)


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
            return _hits(hits[:MOST_HITS]), True
        number, rest = number + 1 + whole.count(b"\n"), tail
    hits += _lines_with(wanted, rest, number + 1)
    return _hits(hits[:MOST_HITS]), len(hits) > MOST_HITS


def _lines_with(wanted: str, part: bytes, first: int) -> list[tuple[int, str]]:
    """The lines of a part that show these words. It is read as a whole first: most parts have none."""
    text = part.decode(errors="replace")
    plain = _plain(text).casefold()
    if wanted not in plain:
        return []
    numbered = enumerate(zip(text.split("\n"), plain.split("\n"), strict=True), first)
    likely = ((number, _last_state(line)[:LONGEST_LINE]) for number, (line, shown) in numbered if wanted in shown)
    return [(number, line) for number, line in likely if wanted in _plain(line).casefold()]


def _hits(found: list[tuple[int, str]]) -> list[tuple[int, Markup]]:
    return [(number, _coloured([line])[0]) for number, line in found]


def _plain(text: str) -> str:
    """A text, which may have many lines, without what steers a terminal."""
    start, *others = _without_marks(text).split("\x1b")
    return start + "".join([part[_end_of_sequence(part) :] for part in others]) if others else start


def _without_marks(text: str) -> str:
    return _MARK.sub("", text) if "section_" in text else text


def _end_of_sequence(part: str) -> int:
    """How much of a text behind an escape sign belongs to its sequence. What is not whole ends with the line.

    A plain scan: logs have millions of sequences, and an expression takes twenty times as long for each.
    """
    kind = part[:1]
    if kind == "[":
        rest = part[1:].lstrip(_PARAMETERS).lstrip(_BETWEEN)
        return len(part) - len(rest) + ("@" <= rest[:1] <= "~")
    if kind in _STRINGS:  # such as a title or an address
        line = part.partition("\n")[0]
        return line.find("\x07") + 1 or len(line)
    rest = part.lstrip(_BETWEEN)
    return len(part) - len(rest) + (rest[:1] not in ("", "\n"))


def _coloured(lines: list[str]) -> list[Markup]:
    """Escaped lines; a colour holds until the log ends it, also over lines."""
    result, shade = [], ""
    for line in lines:
        start, *others = _without_marks(_last_state(line)[:LONGEST_LINE]).split("\x1b")
        parts = [_piece(start, shade)]
        for part in others:
            end = _end_of_sequence(part)
            if part[:1] == "[" and part[end - 1] == "m":
                shade = _shade(part[1 : end - 1] or "0", shade)
            parts.append(_piece(part[end:], shade))
        result.append(Markup("".join(parts)))  # noqa: S704 - escaped there
    return result


def _last_state(line: str) -> str:
    """The final text of a line with carriage returns."""
    if "section_" in line:  # a mark of a section ends with one
        return line
    before, sign, last = line.rstrip("\r").rpartition("\r")
    # What only changes colours leaves the text where it is.
    if sign and last.startswith("\x1b") and not _ERASERS.search(last) and not _plain(last):
        return _last_state(before) + last
    return last


def _piece(text: str, shade: str) -> str:
    """A text of one colour as HTML; a plain string, which thousands of pieces are made of faster."""
    clean = text if text.isprintable() else "".join(sign for sign in text if sign.isprintable() or sign == "\t")
    if not clean:
        return ""
    return f'<span class="{shade}">{escape(clean)}</span>' if shade else str(escape(clean))


def _shade(codes: str, before: str) -> str:
    """The colour after some codes; colours of larger palettes become the nearest of the eight."""
    if codes.strip(_CODES):
        return before
    shade, left = before, iter(codes.split(";"))
    for code in left:
        if code in ("0", "", "39"):
            shade = ""
        elif code in COLOURS or code in BRIGHT:
            shade = COLOURS.get(code) or BRIGHT[code]
        elif code in ("38", "48"):
            colour = _extended(left)
            shade = colour if code == "38" else shade
    return shade


def _extended(codes: Iterator[str]) -> str:
    """The colour that `5;number` or `2;red;green;blue` names."""
    kind = next(codes, "")
    numbers = [min(int(next(codes, "")[:4] or 0), 255) for _ in range({"5": 1, "2": 3}.get(kind, 0))]
    if kind == "2":
        return _nearest(numbers)
    if kind != "5":
        return ""
    (number,) = numbers
    if number < 16:
        return f"k{number % 8}"
    if number >= 232:
        return _nearest([8 + 10 * (number - 232)] * 3)
    return _nearest([51 * part for part in ((number - 16) // 36, (number - 16) // 6 % 6, (number - 16) % 6)])


def _nearest(colour: list[int]) -> str:
    """Greys are light or dark; others have the components above the middle of theirs."""
    low, high = min(colour), max(colour)
    if high - low < 40:
        return "k7" if high > 127 else "k0"
    return f"k{sum(1 << place for place, part in enumerate(colour) if 2 * part >= low + high)}"
