"""Queries that a page asks more than once run once: the calls behind it load the same project and the same rights.

An answer is known by the text of the statement and its values, so what one caller may see is never another's. It lasts
as long as the block in `remembering_answers`, and a write ends it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

# Longer answers are read as they come, not held.
MOST_ROWS = 100

Key = tuple[object, ...]


class Answer(NamedTuple):
    """What the driver gave: the columns' description and all rows."""

    description: Sequence[Sequence[Any]]
    rows: Sequence[tuple[Any, ...]]


# The answers so far, or None where nothing is remembered.
current_answers: ContextVar[dict[Key, Answer] | None] = ContextVar("answers", default=None)


@contextmanager
def remembering_answers() -> Iterator[None]:
    """Run each query once in this block, for work that only reads."""
    token = current_answers.set({})
    try:
        yield
    finally:
        current_answers.reset(token)


def forget_answers() -> None:
    """Something was written: ask again."""
    answers = current_answers.get()
    if answers is not None:
        answers.clear()


def key_of(text: str, parameters: Sequence[object] | Mapping[str, object]) -> Key | None:
    """What names a query with its values; None where a value cannot be compared."""
    values = parameters.values() if isinstance(parameters, Mapping) else parameters
    key = (text, *(tuple(value) if isinstance(value, list) else value for value in values))
    try:
        hash(key)
    except TypeError:
        return None
    return key
