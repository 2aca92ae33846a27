"""Decoding a large JSON text without holding up the other threads of the process.

The decoder holds the interpreter lock, for a third of a second on the largest allowed body. So long
strings are taken out and decoded piece by piece, then the short rest in parts, with pauses between.
Contents of files go into a temporary file at once.
"""

from collections.abc import Collection, Iterator
from mmap import mmap
from secrets import token_hex

import msgspec

from ingot.kit.errors import Malformed, TooLarge
from ingot.kit.request_limits import MAX_DEPTH, MAX_JSON_VALUES, MAX_TEXT, TooDeep, TooManyValues
from ingot.kit.spool import PIECE, Spool
from ingot.kit.turns import Turns

LARGE = 1 << 20  # smaller texts are decoded at once
LONG = 48  # bytes of a string that is taken out
LONGEST_SEQUENCE = 12  # bytes of one character: two escapes
MOST_BESIDE = 2 << 20  # bytes of the rest
PART = 32 * 1024  # bytes of the rest that are decoded at once


def decode_large(body: bytes | mmap, turns: Turns, spooled: Collection[str] = ()) -> object:
    """As `msgspec.json.decode`, in short steps, and without NUL in any text.

    Texts of a megabyte become spools where they follow one of the names in `spooled`.
    """
    mark = f"{token_hex(16)}:"  # no sent string can look like a placeholder
    names = {name.encode() for name in spooled}
    rest: list[bytes] = []
    texts: list[str | Spool] = []
    done = 0
    name = slice(0)
    for start, end in _strings(body, turns):
        turns.step()
        if end - start >= LONG:
            rest += (body[done:start], f"{mark}{len(texts)}".encode())
            is_spooled = end - start > LARGE and body[name] in names and _is_colon(body[name.stop : start])
            texts.append((_spool if is_spooled else _text)(body, start, end, turns))
            done = end
        name = slice(start, min(end, start + LONG))
    rest.append(body[done:])
    short = b"".join(rest)
    if len(short) > MOST_BESIDE:
        raise TooLarge
    return _Rest(mark, texts, turns).decode(short, 0)


def _strings(body: bytes | mmap, turns: Turns) -> Iterator[tuple[int, int]]:
    """Where the content of each string begins and ends."""
    number = end = 0
    while start := body.find(b'"', end, end + MOST_BESIDE) + 1:
        number += 1
        if number > 2 * MAX_JSON_VALUES:
            raise TooManyValues
        close = closing_quote(body, start, turns)
        if close < 0:
            return
        yield start, close
        end = close + 1


def closing_quote(body: bytes | mmap, start: int, turns: Turns) -> int:
    """Where the string whose content begins at `start` ends; -1 if nowhere."""
    first = body.find(b'"', start, start + PIECE)
    if first >= 0 and body[first - 1 : first] != b"\\":
        return first
    at, size = start, 1024
    while at < len(body):
        piece = body[at : at + size]
        if (len(piece) - len(piece.rstrip(b"\\"))) % 2:  # it ends inside an escape
            piece = body[at : at + size + 1]
        plain = piece.replace(b"\\\\", b"..").replace(b'\\"', b"..") if b"\\" in piece else piece
        quote = plain.find(b'"')
        if quote >= 0:
            return at + quote
        at, size = at + len(piece), min(2 * size, PIECE)
        turns.step()
    return -1


def _is_colon(between: bytes) -> bool:
    """What stands between two strings, quotes included, makes the first one the name of the second."""
    return b"".join(between.split()) == b'":"'


def _text(body: bytes | mmap, start: int, end: int, turns: Turns) -> str:
    if end - start > MAX_TEXT:
        raise TooLarge
    return "".join(_without_nul(text_parts(body, start, end, turns)))


def _spool(body: bytes | mmap, start: int, end: int, turns: Turns) -> Spool:
    result = Spool()
    for part in _without_nul(text_parts(body, start, end, turns)):
        result.write(part.encode())
    return result


def _without_nul(parts: Iterator[str]) -> Iterator[str]:
    for part in parts:
        if "\x00" in part:
            raise Malformed
        yield part


def text_parts(body: bytes | mmap, start: int, end: int, turns: Turns) -> Iterator[str]:
    """The pieces of a string."""
    at = start
    while at < end:
        part, at = _part(body, at, end)
        yield part
        turns.step()


def _part(body: bytes | mmap, start: int, end: int) -> tuple[str, int]:
    """The next piece, which ends between two characters, and where it ends."""
    for more in range(LONGEST_SEQUENCE):
        cut = min(start + PIECE + more, end)
        try:
            return msgspec.json.decode(b'"%b"' % body[start:cut], type=str), cut
        except (msgspec.DecodeError, UnicodeDecodeError):
            if cut == end:
                break
    raise Malformed


class _Rest:
    """Decodes what is beside the long strings, and puts these back."""

    def __init__(self, mark: str, texts: list[str | Spool], turns: Turns) -> None:
        self._mark = mark
        self._texts = texts
        self._turns = turns

    def decode(self, raw: bytes, depth: int) -> object:
        """Large objects and arrays are taken apart without decoding what they hold."""
        self._turns.step()
        if depth > MAX_DEPTH:
            raise TooDeep
        start = raw.lstrip()[:1] if len(raw) > PART else b""
        if start == b"{":
            items = msgspec.json.decode(raw, type=dict[str, msgspec.Raw]).items()
            return {self._name(key): self.decode(bytes(inner), depth + 1) for key, inner in items}
        if start == b"[":
            return self._elements(msgspec.json.decode(raw, type=list[msgspec.Raw]), depth)
        return self._fill(msgspec.json.decode(raw), depth)

    def _elements(self, elements: list[msgspec.Raw], depth: int) -> list[object]:
        result: list[object] = []
        for batch in _batches(elements):
            self._turns.step()
            if len(batch) == 1:
                result.append(self.decode(batch[0], depth + 1))
            else:
                values = msgspec.json.decode(b"[%b]" % b",".join(batch), type=list[object])
                result += [self._fill(value, depth + 1) for value in values]
        return result

    def _fill(self, value: object, depth: int) -> object:
        if depth > MAX_DEPTH:
            raise TooDeep
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {self._name(key): self._fill(inner, depth + 1) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._fill(inner, depth + 1) for inner in value]
        return value

    def _name(self, value: str) -> str:
        name = self._text(value)
        if isinstance(name, Spool):
            raise Malformed
        return name

    def _text(self, value: str) -> str | Spool:
        if value.startswith(self._mark):
            return self._texts[int(value.removeprefix(self._mark))]
        if "\x00" in value:
            raise Malformed
        return value


def _batches(elements: list[msgspec.Raw]) -> Iterator[list[bytes]]:
    """Many small elements together, a large one by itself."""
    batch: list[bytes] = []
    size = 0
    for element in map(bytes, elements):
        if batch and size + len(element) > PART:
            yield batch
            batch, size = [], 0
        batch.append(element)
        size += len(element)
    if batch:
        yield batch
