"""Decoding a large JSON text without holding up the other threads of the process.

The decoder does not let go of the interpreter, for a third of a second where a body is as large as it may be. So long
strings are taken out and decoded piece by piece, and the short rest is decoded at once.
"""

from collections.abc import Iterator
from secrets import token_hex

import msgspec

from ingot.kit.errors import Malformed, TooLarge
from ingot.kit.request_limits import MAX_DEPTH, MAX_JSON_VALUES, MAX_TEXT, TooDeep, TooManyValues

LARGE = 1 << 20  # smaller texts are decoded at once
LONG = 48  # bytes of a string that is taken out
PIECE = 256 * 1024
LONGEST_SEQUENCE = 12  # bytes of one character: two escapes
MOST_BESIDE = 4 << 20  # bytes of the rest


def decode_large(body: bytes) -> object:
    """As `msgspec.json.decode`, in short steps."""
    mark = f"{token_hex(16)}:"  # nobody can send a string that looks like the place of another one
    rest: list[bytes] = []
    texts: list[str] = []
    done = 0
    for start, end in _strings(body):
        if end - start >= LONG:
            rest += (body[done:start], f"{mark}{len(texts)}".encode())
            texts.append(_text(body, start, end))
            done = end
    rest.append(body[done:])
    short = b"".join(rest)
    if len(short) > MOST_BESIDE:
        raise TooLarge
    return _filled(msgspec.json.decode(short), mark, texts, 0)


def _strings(body: bytes) -> Iterator[tuple[int, int]]:
    """Where the content of each string begins and ends."""
    number = end = 0
    while start := body.find(b'"', end) + 1:
        number += 1
        if number > 2 * MAX_JSON_VALUES:
            raise TooManyValues
        close = _closing_quote(body, start)
        if close < 0:
            return
        yield start, close
        end = close + 1


def _closing_quote(body: bytes, start: int) -> int:
    first = body.find(b'"', start)
    if first < 0 or body[first - 1 : first] != b"\\":
        return first
    at, size = start, 1024
    while at < len(body):
        piece = body[at : at + size]
        if (len(piece) - len(piece.rstrip(b"\\"))) % 2:  # it ends inside an escape
            piece = body[at : at + size + 1]
        quote = piece.replace(b"\\\\", b"..").replace(b'\\"', b"..").find(b'"')
        if quote >= 0:
            return at + quote
        at, size = at + len(piece), min(2 * size, PIECE)
    return -1


def _text(body: bytes, start: int, end: int) -> str:
    if end - start > MAX_TEXT:
        _refuse_long_wide_text(body, start, end)
    return "".join(part for part, _ in _parts(body, start, end))


def _refuse_long_wide_text(body: bytes, start: int, end: int) -> None:
    """Each character of a text takes as much memory as its widest one. Nothing is kept while this is found out."""
    length, is_wide = 0, False
    for part, is_ascii in _parts(body, start, end):
        length += len(part)
        is_wide = is_wide or not is_ascii
        if is_wide and length > MAX_TEXT:
            raise TooLarge


def _parts(body: bytes, start: int, end: int) -> Iterator[tuple[str, bool]]:
    """The pieces of a string, each with whether it is ASCII."""
    at = start
    while at < end:
        part, at = _part(body, at, end)
        yield part, part.isascii()


def _part(body: bytes, start: int, end: int) -> tuple[str, int]:
    """The next piece, which ends between two characters, and where it ends."""
    for more in range(LONGEST_SEQUENCE):
        cut = min(start + PIECE + more, end)
        try:
            return msgspec.json.decode(b'"%b"' % body[start:cut], type=str), cut
        except (msgspec.DecodeError, UnicodeDecodeError):
            if cut == end:
                break
    raise Malformed


def _filled(value: object, mark: str, texts: list[str], depth: int) -> object:
    """The value with the strings that were taken out."""
    if depth > MAX_DEPTH:
        raise TooDeep
    if isinstance(value, str):
        return texts[int(value.removeprefix(mark))] if value.startswith(mark) else value
    if isinstance(value, dict):
        items = value.items()
        return {_filled(key, mark, texts, depth): _filled(inner, mark, texts, depth + 1) for key, inner in items}
    if isinstance(value, list):
        return [_filled(inner, mark, texts, depth + 1) for inner in value]
    return value
