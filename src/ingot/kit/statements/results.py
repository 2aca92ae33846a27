"""What a query gives back: the part of SQLAlchemy's results that is used here, over the driver's cursor."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy.exc import MultipleResultsFound, NoResultFound

from ingot.kit.statements.rows import MakeRow

CHUNK = 500
Fetch = Callable[[int | None], Sequence[tuple[object, ...]]]


class Result:
    """Rows, or the first values of rows, of one statement."""

    __slots__ = ("_close", "_fetch", "_make")

    # Any: the columns of a row follow from the statement.
    def __init__(self, fetch: Fetch, make: MakeRow, close: Callable[[], object]) -> None:
        self._fetch = fetch
        self._make = make
        self._close = close

    def all(self) -> list[Any]:
        """Everything that is left."""
        return list(map(self._make, self._fetch(None)))

    def __iter__(self) -> Iterator[Any]:
        while part := self._fetch(CHUNK):
            yield from map(self._make, part)

    def first(self) -> Any:
        """The first, or None."""
        part = self._fetch(1)
        self._close()
        return self._make(part[0]) if part else None

    def one_or_none(self) -> Any:
        """The only one, or None."""
        part = self._fetch(2)
        self._close()
        if len(part) > 1:
            raise MultipleResultsFound("Multiple rows were found when one or none was required")
        return self._make(part[0]) if part else None

    def one(self) -> Any:
        """The only one."""
        part = self._fetch(2)
        self._close()
        if len(part) != 1:
            if part:
                raise MultipleResultsFound("Multiple rows were found when exactly one was required")
            raise NoResultFound("No row was found when one was required")
        return self._make(part[0])

    def fetchone(self) -> Any:
        """The next, or None."""
        part = self._fetch(1)
        return self._make(part[0]) if part else None

    def close(self) -> None:
        """Let go of what was not fetched."""
        self._close()


class Rows(Result):
    """The rows of a query."""

    __slots__ = ()

    @staticmethod
    # Any: as above.
    def in_memory(rows: Sequence[tuple[object, ...]], make: MakeRow) -> "Rows":
        """Rows that were fetched before."""
        return Rows(fetch_from(rows), make, lambda: None)

    def scalars(self) -> Result:
        """The first column alone."""
        make = self._make
        return Result(self._fetch, lambda fetched: make(fetched)[0], self._close)

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

    __slots__ = ("rowcount",)

    # Any: as above.
    def __init__(self, rows: Sequence[tuple[object, ...]], make: MakeRow, rowcount: int) -> None:
        super().__init__(fetch_from(rows), make, lambda: None)
        self.rowcount = rowcount


def fetch_from(rows: Sequence[tuple[object, ...]]) -> Fetch:
    """Fetch from rows in memory."""
    rest = iter(rows)
    return lambda number: list(rest if number is None else islice(rest, number))


def fetch_after(rows: Sequence[tuple[object, ...]], fetch: Fetch) -> Fetch:
    """Fetch these rows, then those that the driver still has."""
    begin = fetch_from(rows)
    return lambda number: [*begin(None), *fetch(None)] if number is None else begin(number) or fetch(number)
