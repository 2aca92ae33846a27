"""Decoding a long JSON value in short steps: at once, fifty megabytes would hold up every other thread for a second.

Objects and arrays are cut between their elements, and a few elements are decoded at a time.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ingot.archives.unpack import ArchiveRefused
from ingot.kit.errors import Malformed
from ingot.kit.large_json import closing_quote, text_parts
from ingot.kit.request_limits import MAX_TEXT
from ingot.kit.turns import Turns

STEP = 256 * 1024
WINDOW = 16 * 1024  # bytes beside strings that are looked at between two pauses
DEEPEST_LONG = 10  # long values inside one another
INCORRECT = "Incorrect JSON format"
_OPENING, _CLOSING, _COMMA = b"[{", b"]}", ord(",")
_BLANKS = b" \t\r\n"


class LongValues:
    """Decodes the values of one text; `decode` does so with short ones.

    `check` is asked about each long member of the outermost object before it is decoded.
    """

    # Any: JSON of whatever form.
    def __init__(self, raw: bytes, decode: Callable[[bytes], Any], check: Callable[[int, int], None]) -> None:
        self._raw = raw
        self._decode = decode
        self._check = check
        self._turns = Turns()

    def value(self, start: int, end: int, depth: int = 0) -> Any:
        """What stands there. Texts are cut soon after `MAX_TEXT`: nothing that is stored may be so long."""
        start = self._skip_blanks(start, end)
        kind = self._raw[start : start + 1]
        if end - start <= STEP or kind not in (b'"', b"[", b"{"):
            return self._decode(self._raw[start:end])
        if depth > DEEPEST_LONG:
            raise ArchiveRefused(INCORRECT)
        if kind == b'"':
            return self._text(start, end)
        return self._array(start, end, depth) if kind == b"[" else dict(self.members(start, end, depth))

    def members(self, start: int, end: int, depth: int = 0, lazy: str = "") -> Iterator[tuple[str, Any]]:
        """Names and values of the object there; the array of the name `lazy` comes as its place."""
        for first, last, _ in self.batches(start, end):
            if last - first <= STEP:
                yield from self._decode(b"{%b}" % self._raw[first:last]).items()
                continue
            name, place = self._name(first, last)
            if name == lazy and self._raw[place : place + 1] == b"[":
                yield name, (place, last)
            else:
                if depth == 0:
                    self._check(place, last)
                yield name, self.value(place, last, depth + 1)

    def elements(self, first: int, last: int, depth: int = 0) -> list[Any]:
        """The elements of an array in one batch."""
        if last - first > STEP:
            return [self.value(first, last, depth + 1)]
        result: list[Any] = self._decode(b"[%b]" % self._raw[first:last])
        return result

    def batches(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Where elements of the object or array begin and end, and how many there are: short ones together."""
        begin = last = start + 1
        number = 0
        for place in self._ends(start, end):
            if number and place - begin > STEP:
                self._require_more(begin, last)
                yield begin, last, number
                begin, number = last + 1, 0
            last, number = place, number + 1
        if begin > start + 1:  # the only batch may be empty
            self._require_more(begin, last)
        yield begin, last, number

    def _ends(self, start: int, end: int) -> Iterator[int]:
        """Where each element of the object or array ends."""
        raw, depth, at = self._raw, 0, start
        while at < end:
            self._turns.step()
            stop = min(at + WINDOW, end)
            quote = raw.find(b'"', at, stop)
            stop = stop if quote < 0 else quote
            for place in range(at, stop):
                letter = raw[place]
                if letter in _OPENING:
                    depth += 1
                elif letter in _CLOSING:
                    depth -= 1
                    if depth == 0:
                        if raw[start : start + 1] + raw[place : place + 1] not in (b"[]", b"{}"):
                            raise ArchiveRefused(INCORRECT)
                        yield place
                        self._require_end(place + 1, end)
                        return
                elif letter == _COMMA and depth == 1:
                    yield place
            at = stop if quote < 0 else self._after_string(quote, end)
        raise ArchiveRefused(INCORRECT)

    def _array(self, start: int, end: int, depth: int) -> list[Any]:
        return [item for first, last, _ in self.batches(start, end) for item in self.elements(first, last, depth)]

    def _text(self, start: int, end: int) -> str:
        after = self._after_string(start, end)
        self._require_end(after, end)
        parts, size = [], 0
        try:
            for part in text_parts(self._raw, start + 1, after - 1, self._turns):
                if size <= MAX_TEXT:
                    parts.append(part)
                size += len(part)
        except Malformed:
            raise ArchiveRefused(INCORRECT) from None
        return "".join(parts)

    def _name(self, start: int, end: int) -> tuple[str, int]:
        """The name of a member, and where its value begins."""
        start = self._skip_blanks(start, end)
        if self._raw[start : start + 1] != b'"':
            raise ArchiveRefused(INCORRECT)
        after = self._after_string(start, end)
        colon = self._skip_blanks(after, end)
        if self._raw[colon : colon + 1] != b":":
            raise ArchiveRefused(INCORRECT)
        name: str = self._decode(self._raw[start:after])
        return name, self._skip_blanks(colon + 1, end)

    def _after_string(self, quote: int, end: int) -> int:
        close = closing_quote(self._raw, quote + 1, self._turns)
        if not 0 <= close < end:
            raise ArchiveRefused(INCORRECT)
        return close + 1

    def _skip_blanks(self, start: int, end: int) -> int:
        while start < end and self._raw[start] in _BLANKS:
            start += 1
        return start

    def _require_more(self, start: int, end: int) -> None:
        if self._skip_blanks(start, end) == end:
            raise ArchiveRefused(INCORRECT)

    def _require_end(self, start: int, end: int) -> None:
        if self._skip_blanks(start, end) != end:
            raise ArchiveRefused(INCORRECT)
