"""Noticing that a statement gives long texts before they are in memory.

A hundred records may have a megabyte of text each. Whoever can also read fewer rows at once asks for them in a block of
`refusing_long_texts` and catches `LongTexts`. SQLite hands over one row after the other; PostgreSQL would send
everything at once, so it sends a mark in place of each long text. What comes from elsewhere, such as the message of a
commit, is counted with `count_text`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from operator import itemgetter
from secrets import token_hex
from typing import Any

LONG = 64 * 1024  # bytes of one text
MOST_CHARACTERS = 4 << 20  # of all texts of a statement
STEP = 8  # rows that are fetched at once

_MARK = f"long text {token_hex(16)}"  # nobody can have stored it
# How many characters may still come from elsewhere than the database; None outside of such a block.
left_characters: ContextVar[list[int] | None] = ContextVar("left_characters", default=None)

Fetched = Sequence[tuple[object, ...]]


class LongTexts(Exception):
    """A statement has more text than is read at once."""


@contextmanager
def refusing_long_texts() -> Iterator[None]:
    """Queries in this block raise `LongTexts` instead of giving very much text."""
    token = left_characters.set([MOST_CHARACTERS])
    try:
        yield
    finally:
        left_characters.reset(token)


def refuses_long_texts() -> bool:
    """The code that runs is in such a block."""
    return left_characters.get() is not None


def count_text(text: str) -> None:
    """Count a text that was read, where long ones are refused."""
    left = left_characters.get()
    if left is not None:
        left[0] -= len(text)
        if left[0] < 0:
            raise LongTexts


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
        # Column by column: a page has more rows than long columns.
        for place in texts:
            column: list[Any] = list(filter(None, map(itemgetter(place), part)))
            characters += sum(map(len, column))
            if characters > MOST_CHARACTERS or _MARK in column:
                raise LongTexts
        rows += part
    return rows
