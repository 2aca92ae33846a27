"""Rows: named tuples whose class is made once for each shape of a statement."""

import json
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import JSON, Boolean, Date
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeEngine

from ingot.kit.column_types import Json, UtcDateTime

Convert = Callable[[Any], Any]
MakeRow = Callable[[Sequence[Any]], Any]


class Maker(NamedTuple):
    """What turns fetched values into a row, and into the first value of the row alone."""

    row: MakeRow
    first: MakeRow


class _Mapped:
    """What rows have beyond a named tuple."""

    __slots__ = ()

    @property
    def _mapping(self) -> Mapping[str, Any]:
        return dict(zip(self._fields, self, strict=True))  # type: ignore[attr-defined,call-overload]


def row_type(names: Sequence[str]) -> type[tuple[Any, ...]]:
    """The class of rows with these columns as attributes; a name that Python does not take is reached by place."""
    plain = namedtuple("Row", names, rename=True)  # type: ignore[misc]  # noqa: PYI024 - the names are data
    return type("Row", (_Mapped, plain), {"__slots__": ()})


# Any: what a column holds follows from its type, which is data here.
def row_maker(names: Sequence[str], conversions: Sequence[tuple[int, Convert]]) -> Maker:
    """Turns what the driver fetched into a row."""
    kind = row_type(names)
    first: MakeRow = itemgetter(0)
    if not conversions:
        return Maker(partial(tuple.__new__, kind), first)

    # Written out for these columns, as a named tuple's class is: half of what a loop over the columns costs. What
    # stays as it is, which are most columns of wide rows, is copied at once. Moments are read without a call of their
    # own; a row with one in another form is made again, by the conversions.
    lines = ["def make(fetched):", " try:", "  row = list(fetched)"]
    for place, convert in conversions:
        lines += [f"  {line}" for line in _lines(place, convert)]
    lines += ["  return new(kind, row)", " except ValueError:", "  return new(kind, slowly(fetched))"]
    known: dict[str, Any] = {f"convert_{place}": convert for place, convert in conversions}
    known |= {"new": tuple.__new__, "kind": kind, "booleans": _BOOLEANS, "moment": datetime.fromisoformat}
    known["slowly"] = partial(_convert, conversions)
    exec("\n".join(lines), known)  # noqa: S102 - holds numbers of columns only
    make: MakeRow = known["make"]
    return Maker(make, first if conversions[0][0] else lambda fetched: make(fetched)[0])


def _lines(place: int, convert: object) -> list[str]:
    """The conversion of one value of a row."""
    if convert is bool:
        return [f"row[{place}] = booleans[row[{place}]]"]
    converted = 'moment(value + "+00:00")' if convert is _moment else f"convert_{place}(value)"
    return [f"value = row[{place}]", f"if value is not None: row[{place}] = {converted}"]


def _convert(conversions: Sequence[tuple[int, Callable[[object], object]]], fetched: Sequence[object]) -> list[object]:
    """The values of a row, one after the other."""
    row = list(fetched)
    for place, convert in conversions:
        if row[place] is not None:
            row[place] = convert(row[place])
    return row


class _Booleans(dict[object, bool | None]):
    """What SQLite's numbers mean."""

    def __missing__(self, value: object) -> bool:
        return bool(value)


_BOOLEANS = _Booleans({None: None, 0: False, 1: True})


def conversion(kind: TypeEngine[Any], dialect: Dialect, code: object) -> Convert | None:
    """How the values of a column are read; `code` is what the driver says of its type."""
    if dialect.name == "sqlite":
        for known, convert in _SQLITE:
            if isinstance(kind, known):
                return convert
    return kind._cached_result_processor(dialect, code)  # noqa: SLF001 - what the library's own results use


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(f"{text}+00:00")  # a quarter of what `replace` costs
    except ValueError:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)  # a date alone


def _json(text: str | bytes | float) -> Any:
    if not isinstance(text, str | bytes):
        return text  # a number alone may come back as one
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return json.loads(text)  # half a surrogate pair, which the strict decoder refuses


_SQLITE: tuple[tuple[type[TypeEngine[Any]], Convert], ...] = (
    (UtcDateTime, _moment),
    (Json, _json),
    (JSON, _json),
    (Boolean, bool),
    (Date, date.fromisoformat),
)
