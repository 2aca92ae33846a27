"""Base64 of a whole file, decoded in pieces: decoding at once would block other threads."""

from __future__ import annotations

import base64
import string

PIECE = 256 * 1024
_ALPHABET = (string.ascii_letters + string.digits + "+/").encode()
_OTHERS = bytes(set(range(256)) - set(_ALPHABET))


def decode_base64(content: str | bytes) -> bytes:
    """As `base64.b64decode`, which ignores invalid characters. ValueError if it cannot be decoded."""
    if len(content) <= PIECE:
        return base64.b64decode(content, validate=False)
    raw = content.encode("ascii") if isinstance(content, str) else content
    padding = raw.find(b"=")
    end = len(raw) if padding < 0 else padding
    if len(raw) - end > PIECE:
        raise ValueError("Padding stands at the end of base64.")
    parts, rest = [], b""
    for start in range(0, end, PIECE):
        letters = rest + raw[start : min(start + PIECE, end)].translate(None, _OTHERS)
        whole = len(letters) - len(letters) % 4
        parts.append(base64.b64decode(letters[:whole]))
        rest = letters[whole:]
    return b"".join([*parts, base64.b64decode(rest + raw[end:])])
