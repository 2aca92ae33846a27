"""Lines of logs as HTML: terminal colours and styles, links; other control sequences are left out."""

from collections.abc import Iterable, Iterator

import msgspec
from markupsafe import Markup, escape

from ingot.kit.patterns import pattern

LONGEST_LINE = 8 * 1024
_MARK = pattern(r"section_(?:start|end):[0-9]+:[^\r\n]*\r")
# Of sequences: their parameters, the signs before the last, and those that begin a string.
_PARAMETERS, _BETWEEN, _STRINGS = "0123456789:;<=>?", " !\"#$%&'()*+,-./", tuple("]P_^X")
_CODES = "0123456789;"  # of colours
_ERASERS = pattern(r"\x1b\[[0-2]?K")
_ADDRESS = pattern(r"https?://[0-9A-Za-z\[][^\s<>\"'`{}|\\^]*")
_NOT_OF_ADDRESS = ".,;:!?)]*_"  # at its end: signs of the sentence around it
LIGHT, DARK = "7", "0"


class Shade(msgspec.Struct, frozen=True):
    """How a terminal would show a text: the digits of its colours, and its styles."""

    ink: str = ""
    ground: str = ""
    is_bold: bool = False
    is_italic: bool = False
    is_underlined: bool = False
    is_inverse: bool = False

    @property
    def classes(self) -> str:
        """Names for the style sheet; a text on a ground is dark, which all grounds are light enough for."""
        ground = (self.ink or LIGHT) if self.is_inverse else self.ground
        return " ".join(
            name
            for name, is_so in (
                (f"q{ground}", ground), (f"k{self.ink}", self.ink and not ground), ("b", self.is_bold),
                ("i", self.is_italic), ("u", self.is_underlined),
            )
            if is_so
        )  # fmt: skip


NONE = Shade()
SWITCHES: dict[str, dict[str, bool]] = {
    "1": {"is_bold": True}, "3": {"is_italic": True}, "4": {"is_underlined": True}, "7": {"is_inverse": True},
    "22": {"is_bold": False}, "23": {"is_italic": False}, "24": {"is_underlined": False}, "27": {"is_inverse": False},
}  # fmt: skip


def coloured(lines: Iterable[str], words: str = "") -> list[Markup]:
    """Escaped lines, with some words marked; a colour holds until the log ends it, also over lines."""
    result, shade = [], NONE
    for line in lines:
        start, *others = _without_marks(last_state(line)[:LONGEST_LINE]).split("\x1b")
        parts = [_piece(start, shade, words)]
        for part in others:
            end = _end_of_sequence(part)
            if part[:1] == "[" and part[end - 1] == "m":
                shade = _shade(part[1 : end - 1] or "0", shade)
            parts.append(_piece(part[end:], shade, words))
        result.append(Markup("".join(parts)))  # noqa: S704 - escaped there
    return result


def plain(text: str) -> str:
    """A text, which may have many lines, without what steers a terminal."""
    start, *others = _without_marks(text).split("\x1b")
    return start + "".join([part[_end_of_sequence(part) :] for part in others]) if others else start


def last_state(line: str) -> str:
    """The final text of a line with carriage returns."""
    if "section_" in line:  # a mark of a section ends with one
        return line
    colours: list[str] = []
    end = len(line)
    while True:
        while line[end - 1 : end] == "\r":
            end -= 1
        begin = line.rfind("\r", 0, end) + 1
        last = line[begin:end]
        # What only changes colours leaves the text where it is.
        if not begin or not last.startswith("\x1b") or _ERASERS.search(last) or plain(last):
            return last + "".join(reversed(colours))
        colours.append(last)
        end = begin - 1


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


def _piece(text: str, shade: Shade, words: str) -> str:
    """A text of one colour as HTML; a plain string, which thousands of pieces are made of faster."""
    clean = text if text.isprintable() else "".join(sign for sign in text if sign.isprintable() or sign == "\t")
    if not clean:
        return ""
    if words:  # whoever searches goes on to the line, which has its links
        html = _marked(clean, words)
    elif "://" in clean:
        html = _linked(clean)
    else:
        html = str(escape(clean))
    return html if shade is NONE or not shade.classes else f'<span class="{shade.classes}">{html}</span>'


def _linked(text: str) -> str:
    """A text with its addresses as links, escaped."""
    parts, done = [], 0
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(_NOT_OF_ADDRESS)
        end = match.start() + len(address)
        link = f'<a href="{escape(address)}" rel="nofollow noopener noreferrer">{escape(address)}</a>'
        parts += [str(escape(text[done : match.start()])), link]
        done = end
    return "".join(parts) + str(escape(text[done:]))


def _marked(text: str, words: str) -> str:
    """A text with the words that were searched for, escaped."""
    low, wanted = text.lower(), words.lower()
    if len(low) != len(text):  # a few letters become two; then places differ
        return str(escape(text))
    parts, done = [], 0
    while (at := low.find(wanted, done)) >= 0:
        end = at + len(wanted)
        parts.append(f"{escape(text[done:at])}<mark>{escape(text[at:end])}</mark>")
        done = end
    return "".join(parts) + str(escape(text[done:]))


def _shade(codes: str, before: Shade) -> Shade:
    """The shade after some codes; colours of larger palettes become the nearest of the eight."""
    if codes.strip(_CODES):
        return before
    shade, left = before, iter(codes.split(";"))
    for code in left:
        if code in ("0", ""):
            shade = NONE
        elif code in SWITCHES:
            shade = msgspec.structs.replace(shade, **SWITCHES[code])
        elif len(code) in (2, 3) and code[:-1] in ("3", "9", "4", "10"):
            shade = _colour(code[:-1], code[-1], left, shade)
    return shade


def _colour(family: str, digit: str, left: Iterator[str], before: Shade) -> Shade:
    """A shade with another colour: 3 and 9 are of inks, 4 and 10 of grounds; 9 is none, 8 one of a larger palette."""
    colour = {"9": "", "8": _extended(left) if digit == "8" else ""}.get(digit, digit)
    if family in ("3", "9"):
        return msgspec.structs.replace(before, ink=colour)
    # The log is dark itself.
    return msgspec.structs.replace(before, ground="" if colour == DARK and family == "4" else colour)


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
        return str(number % 8)
    if number >= 232:
        return _nearest([8 + 10 * (number - 232)] * 3)
    return _nearest([51 * part for part in ((number - 16) // 36, (number - 16) // 6 % 6, (number - 16) % 6)])


def _nearest(colour: list[int]) -> str:
    """Greys are light or dark; others have the components above the middle of theirs."""
    low, high = min(colour), max(colour)
    if high - low < 40:
        return LIGHT if high > 127 else DARK
    return str(sum(1 << place for place, part in enumerate(colour) if 2 * part >= low + high))
