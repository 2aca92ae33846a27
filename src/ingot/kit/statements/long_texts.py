"""Noticing that a statement gives long texts before they are in memory.

A hundred records may have a megabyte of text each. Whoever can also read fewer rows at once asks for them in a block of
`refusing_long_texts` and catches `LongTexts`. SQLite hands over one row after the other; PostgreSQL would send
everything at once, so it sends a mark in place of each long text.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from secrets import token_hex
from typing import Any

LONG = 64 * 1024  # bytes of one text
MOST_CHARACTERS = 4 << 20  # of all texts of a statement
STEP = 8  # rows that are fetched at once

_MARK = f"long text {token_hex(16)}"  # nobody can have stored it
_refuses: ContextVar[bool] = ContextVar("refuses_long_texts", default=False)

Fetched = Sequence[tuple[Any, ...]]


class LongTexts(Exception):
    """A statement has more text than is read at once."""


@contextmanager
def refusing_long_texts() -> Iterator[None]:
    """Queries in this block raise `LongTexts` instead of giving very much text."""
    token = _refuses.set(True)
    try:
        yield
    finally:
        _refuses.reset(token)


def refuses_long_texts() -> bool:
    """The code that runs is in such a block."""
    return _refuses.get()


def mark_long_texts(names: Sequence[str], texts: Sequence[int]) -> tuple[str, str] | None:
    """What to write before and behind a statement of PostgreSQL with these columns; `texts` are places among them.

    None where two columns have one name.
    """
    if len(set(names)) < len(names):
        return None
    columns = [f'"{name}"' for name in names]
    for place in texts:
        column = columns[place]
        columns[place] = f"CASE WHEN octet_length({column}) > {LONG} THEN '{_MARK}' ELSE {column} END AS {column}"
    return f"SELECT {', '.join(columns)} FROM (", ") AS statement"  # noqa: S608 - names of our own columns


def fetch_short(fetch: Callable[[int], Fetched], texts: Sequence[int]) -> list[tuple[Any, ...]]:
    """All rows, or `LongTexts`."""
    rows: list[tuple[Any, ...]] = []
    characters = 0
    while part := fetch(STEP):
        for row in part:
            for place in texts:
                text = row[place]
                if text is None:
                    continue
                characters += len(text)
                if characters > MOST_CHARACTERS or text == _MARK:
                    raise LongTexts
        rows += part
    return rows
