"""Long base64 is decoded as short base64 is."""

import base64
import random

import pytest

from ingot.gitstore.base64_text import decode_base64
from ingot.kit.spool import PIECE, Spool

NOISE = random.Random(3).randbytes(3 * PIECE)
PLAIN = base64.b64encode(NOISE).decode()
TEXTS = {
    "plain": PLAIN,
    "one padded": base64.b64encode(NOISE + b"12").decode(),
    "two padded": base64.b64encode(NOISE + b"1").decode(),
    "lines": base64.encodebytes(NOISE + b"1").decode(),
    "foreign letters": "-" + PLAIN[:-5] + "!\r\n" + PLAIN[-5:] + "  ",
    "after the padding": base64.b64encode(NOISE + b"1").decode() + "\n\nabc",
}
WRONG = {
    "no padding": base64.b64encode(NOISE + b"1").decode().rstrip("="),
    "no ASCII": PLAIN + "é",
    "too much after the padding": PLAIN + "=" * 2 * PIECE,
}


def spooled(text: str) -> Spool:
    spool = Spool()
    spool.write(text.encode())
    return spool


def decoded(content: str | Spool) -> bytes:
    result = decode_base64(content)
    return b"".join(result.pieces()) if isinstance(result, Spool) else result


@pytest.mark.parametrize("name", TEXTS)
def test_the_bytes_are_the_same(name: str) -> None:
    expected = base64.b64decode(TEXTS[name])

    assert decoded(TEXTS[name]) == expected
    assert decoded(spooled(TEXTS[name])) == expected


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_base64_is_refused(name: str) -> None:
    for content in (WRONG[name], spooled(WRONG[name])):
        with pytest.raises(ValueError, match=r"[Bb]ase64|adding|ASCII|ascii"):
            decode_base64(content)
