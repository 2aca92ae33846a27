"""Queries that a page asks more than once run once: the calls behind it load the same project and the same rights.

An answer is known by the text of the statement and its values, so what one caller may see is never another's. It lasts
as long as the block in `remembering_answers`, and a write ends it. Answers of queries that are declared `lasting` are
also left to later blocks, for as long as the database has the same version; those that are made of settled data
(`kit.settled_data`) for as long as these have. A call of the API is no such block, but it takes and leaves lasting
answers too (`current_lasting`).
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import CompoundSelect, Connection, Select

from ingot.kit.data_version import Versioned, Versions
from ingot.kit.statements.settled import reads_settled_data

# Longer answers are read as they come, not held.
MOST_ROWS = 100

Key = tuple[object, ...]
K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
Q = TypeVar("Q", bound=Select[Any] | CompoundSelect[Any])


class Answer(NamedTuple):
    """What the driver gave: the columns' description and all rows."""

    description: Sequence[Sequence[Any]]
    rows: Sequence[tuple[Any, ...]]


# The answers so far, or None where nothing is remembered.
current_answers: ContextVar[dict[Key, Answer] | None] = ContextVar("answers", default=None)
# What was made of answers; Any: of many types.
current_values: ContextVar[dict[Hashable, Any] | None] = ContextVar("values", default=None)


class Lasts(Enum):
    """How long an answer holds."""

    BLOCK = 0  # no longer than its block
    DATA = 1  # until anything is written
    SETTLED = 2  # until settled data are


class KnownAnswers:
    """What the blocks of a process leave to each other."""

    def __init__(self, most: int) -> None:
        self._by_duration: dict[Lasts, Versioned[Hashable, Any]] = {
            Lasts.DATA: Versioned(most),
            Lasts.SETTLED: Versioned(most),
        }

    def get(self, versions: Versions, key: Hashable, lasts: Lasts) -> Any:
        """What was kept at this version."""
        return self._by_duration[lasts].get(_version_for(versions, lasts), key)

    def put(self, versions: Versions, key: Hashable, value: object, lasts: Lasts, size: int) -> None:
        """Keep what was read after this version was."""
        self._by_duration[lasts].put(_version_for(versions, lasts), key, value, size)

    def forget(self) -> None:
        """Drop everything."""
        for known in self._by_duration.values():
            known.forget()


def _version_for(versions: Versions, lasts: Lasts) -> Hashable | None:
    return versions.settled if lasts is Lasts.SETTLED else versions.data


class LastingAnswers:
    """Answers that blocks leave to each other. The versions are read at the first of them, so before the data."""

    __slots__ = ("_is_over", "_known", "_read_versions", "_versions")

    def __init__(self, known: KnownAnswers, read_versions: Callable[[], Versions]) -> None:
        self._known = known
        self._read_versions = read_versions
        self._versions: Versions | None = None
        self._is_over = False

    def find(self, key: Hashable, lasts: Lasts = Lasts.DATA) -> Any:
        """What was kept before, if nothing was written since; None: nothing was."""
        if self._versions is None:
            self._versions = self._read_versions()
        return None if self._is_over else self._known.get(self._versions, key, lasts)

    def keep(self, key: Hashable, value: object, lasts: Lasts = Lasts.DATA, size: int = 1) -> None:
        """Leave it to later blocks; it was looked for before."""
        if not self._is_over and self._versions is not None:
            self._known.put(self._versions, key, value, lasts, size)

    def end(self) -> None:
        """Something was written here: the version is an old one."""
        self._is_over = True


# What earlier blocks left, or None where they leave nothing.
current_lasting: ContextVar[LastingAnswers | None] = ContextVar("lasting", default=None)
_lasting: set[Select[Any] | CompoundSelect[Any]] = set()


def lasting(query: Q) -> Q:
    """Declare that the answer seldom changes, as settings, rights and places do; for statements that are built once."""
    _lasting.add(query)
    return query


def duration_of(query: Select[Any] | CompoundSelect[Any]) -> Lasts:
    """How long later visits are given the answer again; to be asked once, because the statement is searched."""
    if query not in _lasting:
        return Lasts.BLOCK
    return Lasts.SETTLED if reads_settled_data(query) else Lasts.DATA


@contextmanager
def remembering_answers(lasting_answers: LastingAnswers | None = None) -> Iterator[None]:
    """Run each query once in this block, for work that only reads."""
    token, token_of_values = current_answers.set({}), current_values.set({})
    token_of_lasting = current_lasting.set(lasting_answers)
    try:
        yield
    finally:
        current_answers.reset(token)
        current_values.reset(token_of_values)
        current_lasting.reset(token_of_lasting)


def forget_answers() -> None:
    """Something was written: ask again."""
    answers, values, left = current_answers.get(), current_values.get(), current_lasting.get()
    if answers is not None:
        answers.clear()
    if values is not None:
        values.clear()
    if left is not None:
        left.end()


def find_answer(key: Key, lasts: Lasts) -> Answer | None:
    """What a query was answered in this block, or in an earlier one where its answer lasts."""
    answers, left = current_answers.get(), current_lasting.get()
    known = None if answers is None else answers.get(key)
    if known is None and lasts is not Lasts.BLOCK and left is not None:
        known = left.find(key, lasts)
    return known


def keep_answer(key: Key, answer: Answer, lasts: Lasts) -> None:
    """Keep it for this block, and for later ones where it lasts."""
    answers, left = current_answers.get(), current_lasting.get()
    if answers is not None:
        answers[key] = answer
    if lasts is not Lasts.BLOCK and left is not None:
        left.keep(key, answer, lasts, 1 + len(answer.rows))


def lasting_values(keys: Collection[K], read: Callable[[Collection[K]], Mapping[K, T]]) -> dict[K, T]:
    """What `read` gives for keys, which follows from the data alone; left to later blocks, as lasting answers are."""
    left = current_lasting.get()
    if left is None:
        return dict(read(keys))
    known: dict[K, T] = {key: found[0] for key in keys if (found := left.find(key)) is not None}
    missing = [key for key in keys if key not in known]
    for key, value in (read(missing) if missing else {}).items():
        known[key] = value
        left.keep(key, (value,))
    return known


def is_remembering() -> bool:
    """Whether every query runs once here, so that one which others ask too costs less than a narrower one."""
    return current_answers.get() is not None


def has_lasting_answers() -> bool:
    """The same of queries that are declared `lasting`."""
    return current_lasting.get() is not None or current_answers.get() is not None


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
