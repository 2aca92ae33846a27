"""Queries that a page asks more than once run once: the calls behind it load the same project and the same rights.

An answer is known by the text of the statement and its values, so what one caller may see is never another's. It lasts
as long as the block in `remembering_answers`, and a write ends it.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, Select

# Longer answers are read as they come, not held.
MOST_ROWS = 100

Key = tuple[object, ...]
T = TypeVar("T")


class Answer(NamedTuple):
    """What the driver gave: the columns' description and all rows."""

    description: Sequence[Sequence[Any]]
    rows: Sequence[tuple[Any, ...]]


# The answers so far, or None where nothing is remembered.
current_answers: ContextVar[dict[Key, Answer] | None] = ContextVar("answers", default=None)
# What was made of answers; Any: of many types.
current_values: ContextVar[dict[Hashable, Any] | None] = ContextVar("values", default=None)


@contextmanager
def remembering_answers() -> Iterator[None]:
    """Run each query once in this block, for work that only reads."""
    token, token_of_values = current_answers.set({}), current_values.set({})
    try:
        yield
    finally:
        current_answers.reset(token)
        current_values.reset(token_of_values)


def forget_answers() -> None:
    """Something was written: ask again."""
    answers, values = current_answers.get(), current_values.get()
    if answers is not None:
        answers.clear()
    if values is not None:
        values.clear()


def is_remembering() -> bool:
    """Whether queries run once here, so that one which others ask too costs less than a narrower one."""
    return current_answers.get() is not None


def remembered_value(key: Hashable, read: Callable[[], T]) -> T:
    """What `read` gives, which nobody may change; read once in a block that remembers."""
    values = current_values.get()
    if values is None:
        return read()
    if key not in values:
        values[key] = read()
    value: T = values[key]
    return value


class RowWithId(Protocol):
    """A row that its id names."""

    @property
    def id(self) -> int:
        """The id."""


def remember_rows(conn: Connection, query: Select[Any], rows: Iterable[RowWithId]) -> None:
    """Another query gave these rows with the same columns: a block that remembers need not ask for them again."""
    values = current_values.get()
    if values is not None and getattr(conn, "is_autocommit", False):
        values.setdefault(query, {}).update((row.id, row) for row in rows)


# Any: rows of the query.
def rows_by_id(conn: Connection, query: Select[Any], ids: Collection[int]) -> list[Any]:
    """The rows that a query gives for its parameter `ids`; in a block that remembers, each is asked for once."""
    values = current_values.get()
    if values is None or not getattr(conn, "is_autocommit", False):
        return list(conn.execute(query, {"ids": list(ids)}))
    known: dict[int, Any] = values.setdefault(query, {})
    missing = [number for number in ids if number not in known]
    if missing:
        known |= dict.fromkeys(missing)
        known |= {row.id: row for row in conn.execute(query, {"ids": missing})}
    return [row for number in ids if (row := known[number]) is not None]


def key_of(text: str, parameters: Sequence[object] | Mapping[str, object]) -> Key | None:
    """What names a query with its values; None where a value cannot be compared."""
    values = parameters.values() if isinstance(parameters, Mapping) else parameters
    key = (text, *(tuple(value) if isinstance(value, list) else value for value in values))
    try:
        hash(key)
    except TypeError:
        return None
    return key
