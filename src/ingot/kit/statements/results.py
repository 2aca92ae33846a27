"""What a query gives back: the part of SQLAlchemy's results that is used here, over the driver's cursor."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Protocol

import msgspec
from sqlalchemy.exc import MultipleResultsFound, NoResultFound

from ingot.kit.statements.rows import Maker, MakeRow

CHUNK = 500
Fetched = Sequence[tuple[object, ...]]


class Cursor(Protocol):
    """What is read of a driver's cursor."""

    def fetchmany(self, size: int, /) -> Fetched:
        """The next rows."""

    def fetchall(self) -> Fetched:
        """All rows that are left."""

    def close(self) -> object:
        """Let go of what was not fetched."""


Fail = Callable[[str, Exception], None]  # raises what the library raises for a fault of the driver, if it is one


class Result(msgspec.Struct, eq=False):
    """Rows, or the first values of rows, of one statement."""

    _cursor: Cursor
    _make: MakeRow
    _first: MakeRow | None = None
    _fail: Fail | None = None
    _text: str = ""

    # Any: the columns of a row follow from the statement.
    def fetch(self, number: int) -> Fetched:
        """The next rows as the driver gives them."""
        try:
            return self._cursor.fetchmany(number)
        except Exception as error:
            if self._fail is not None:
                self._fail(self._text, error)
            raise

    def all(self) -> list[Any]:
        """Everything that is left."""
        try:
            rows = self._cursor.fetchall()
        except Exception as error:
            if self._fail is not None:
                self._fail(self._text, error)
            raise
        return list(map(self._make, rows))

    def __iter__(self) -> Iterator[Any]:
        part = self.fetch(CHUNK)
        rows = map(self._make, part)
        # Most answers are short, and cost no generator.
        return rows if len(part) < CHUNK else chain(rows, self._rest())

    def _rest(self) -> Iterator[Any]:
        while part := self.fetch(CHUNK):
            yield from map(self._make, part)
            if len(part) < CHUNK:
                return

    def first(self) -> Any:
        """The first, or None."""
        part = self.fetch(1)
        self._cursor.close()
        return self._make(part[0]) if part else None

    def one_or_none(self) -> Any:
        """The only one, or None."""
        part = self.fetch(2)
        self._cursor.close()
        if len(part) > 1:
            raise MultipleResultsFound("Multiple rows were found when one or none was required")
        return self._make(part[0]) if part else None

    def one(self) -> Any:
        """The only one."""
        part = self.fetch(2)
        self._cursor.close()
        if len(part) != 1:
            if part:
                raise MultipleResultsFound("Multiple rows were found when exactly one was required")
            raise NoResultFound("No row was found when one was required")
        return self._make(part[0])

    def fetchone(self) -> Any:
        """The next, or None."""
        part = self.fetch(1)
        return self._make(part[0]) if part else None

    def close(self) -> None:
        """Let go of what was not fetched."""
        self._cursor.close()


class Rows(Result):
    """The rows of a query."""

    @staticmethod
    def in_memory(rows: Fetched, maker: Maker) -> "Rows":
        """Rows that were fetched before."""
        return Rows(Buffered(rows), maker.row, maker.first)

    def behind(self, rows: Fetched) -> "Rows":
        """The same, with rows that were fetched already in front."""
        return Rows(Buffered(rows, self._cursor), self._make, self._first, self._fail, self._text)

    def scalars(self) -> Result:
        """The first column alone."""
        make = self._make
        return Result(self._cursor, self._first or (lambda fetched: make(fetched)[0]), None, self._fail, self._text)

    def scalar(self) -> Any:
        """The first column of the first row, or None."""
        row = self.first()
        return None if row is None else row[0]

    def scalar_one(self) -> Any:
        """The first column of the only row."""
        return self.one()[0]

    def scalar_one_or_none(self) -> Any:
        """The first column of the only row, or None."""
        row = self.one_or_none()
        return None if row is None else row[0]

    def tuples(self) -> "Rows":
        """The rows, which are tuples."""
        return self

    def mappings(self) -> Iterable[Any]:
        """The rows as mappings by name."""
        return (row._mapping for row in self)  # noqa: SLF001 - as the library calls it


class Written(Rows):
    """What an insert, update or delete gives back: how many rows it concerned, and those that it returns."""

    rowcount: int = 0


class Buffered:
    """A cursor whose first rows were fetched before."""

    __slots__ = ("_rest", "_rows")

    def __init__(self, rows: Fetched, rest: Cursor | None = None) -> None:
        self._rows = iter(rows)
        self._rest = rest

    def fetchmany(self, size: int, /) -> Fetched:
        """The next rows."""
        part = list(islice(self._rows, size))
        if self._rest is not None and len(part) < size:
            part += self._rest.fetchmany(size - len(part))
        return part

    def fetchall(self) -> Fetched:
        """All rows that are left."""
        rows = list(self._rows)
        return rows if self._rest is None else [*rows, *self._rest.fetchall()]

    def close(self) -> None:
        """Let go of what was not fetched."""
        if self._rest is not None:
            self._rest.close()
