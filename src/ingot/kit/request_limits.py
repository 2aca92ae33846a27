"""How many values one request may bring: each costs time before the caller is known."""

from collections.abc import Iterator
from mmap import mmap

from ingot.kit.errors import ParamError
from ingot.kit.turns import Turns

MAX_BODY = 32 << 20  # of everything but files
MAX_PARAMETERS = 4096  # of a query string, of a form, of a multipart body
MAX_JSON_VALUES = 50_000  # keys and elements together
MAX_DEPTH = 32
MAX_LIST = 10_000  # elements of one list
MAX_TEXT = 8 << 20  # of one text, and of a form; only contents of files in JSON are longer
PIECE = 256 * 1024
MAX_SEARCH_LENGTH = 1024
MAX_SEARCH_WORDS = 32


class TooManyParameters(ParamError):
    """The request has more than 4096 parameters."""


class TooManyValues(ParamError):
    """The JSON body has more than 50000 keys and elements."""


class TooDeep(ParamError):
    """The parameters are nested more than 32 levels deep."""


def check_parameters(raw: bytes) -> None:
    """Count the parameters of a query string or form before they are taken apart."""
    if raw.count(b"&") >= MAX_PARAMETERS:
        raise TooManyParameters


def check_json(body: bytes | mmap, turns: Turns) -> None:
    """Count the keys and elements of a JSON text before it is decoded; the content of strings does not count."""
    if sum(_separators(piece) for piece in _pieces(body, turns)) <= MAX_JSON_VALUES:
        return
    values = quotes = 0
    for piece in _pieces(body, turns):
        # Without escapes every quote begins or ends a string.
        plain = piece.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in piece else piece
        parts = plain.split(b'"')
        values += sum(_separators(part) for part in parts[quotes % 2 :: 2])
        quotes += len(parts) - 1
        if values > MAX_JSON_VALUES or quotes > 4 * MAX_JSON_VALUES:
            raise TooManyValues


def _pieces(body: bytes | mmap, turns: Turns) -> Iterator[bytes]:
    """The text in pieces that end between escapes: a pass over all of it at once would stop every other thread."""
    start = 0
    while start < len(body):
        end = start + PIECE
        tail = body[start:end]
        if (len(tail) - len(tail.rstrip(b"\\"))) % 2:
            end += 1
        yield body[start:end]
        start = end
        turns.step()


def _separators(text: bytes) -> int:
    """Every key and element but the first of its object or array follows a comma, the first a bracket."""
    return text.count(b",") + text.count(b"{") + text.count(b"[")


def search_problem(text: str) -> str | None:
    """What is wrong with a text that somebody searches for."""
    if len(text) > MAX_SEARCH_LENGTH:
        return f"is too long (maximum is {MAX_SEARCH_LENGTH} characters)"
    if len(text.split()) > MAX_SEARCH_WORDS:
        return f"has too many words (maximum is {MAX_SEARCH_WORDS})"
    return None
