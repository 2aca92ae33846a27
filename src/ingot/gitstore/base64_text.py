"""Base64 of a whole file, decoded in pieces: decoding at once would block other threads."""

from __future__ import annotations

import base64
import string
from collections.abc import Iterator

from ingot.kit.spool import PIECE, Spool
from ingot.kit.turns import with_turns

_ALPHABET = (string.ascii_letters + string.digits + "+/").encode()
_OTHERS = bytes(set(range(256)) - set(_ALPHABET))


def decode_base64(content: str | bytes | Spool) -> bytes | Spool:
    """As `base64.b64decode`, which ignores invalid characters. ValueError if it cannot be decoded."""
    if not isinstance(content, Spool) and len(content) <= PIECE:
        return base64.b64decode(content, validate=False)
    result = Spool()
    rest = padding = b""
    for piece in with_turns(_pieces(content)):
        if padding:
            padding += piece
        else:
            letters, sign, after = piece.partition(b"=")
            rest += letters.translate(None, _OTHERS)
            whole = len(rest) - len(rest) % 4
            result.write(base64.b64decode(rest[:whole]))
            rest, padding = rest[whole:], sign + after
        if len(padding) > PIECE:
            raise ValueError("Padding stands at the end of base64.")
    result.write(base64.b64decode(rest + padding))
    return result


def _pieces(content: str | bytes | Spool) -> Iterator[bytes]:
    if isinstance(content, Spool):
        for piece in content.pieces():
            if not piece.isascii():
                raise ValueError("Base64 is ASCII.")
            yield piece
        return
    for start in range(0, len(content), PIECE):
        part = content[start : start + PIECE]
        yield part.encode("ascii") if isinstance(part, str) else part
