"""How values are written into archives."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from sqlalchemy import Column, Connection, Select

from ingot.features.transfer.project_exports.rows import TimedRow

BATCH = 200


class NumberedRow(Protocol):
    """A row with an id."""

    id: int


R = TypeVar("R", bound=NumberedRow)


def stamp(moment: datetime | None) -> str | None:
    """`2019-11-25T19:43:39.000Z`."""
    if moment is None:
        return None
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def listed(record: Mapping[str, object], name: str) -> list[Any]:
    """The entries of a list of a record; none where it has no such list."""
    value = record.get(name)
    return list(value) if isinstance(value, list) else []


def mapped(record: Mapping[str, object], name: str) -> Mapping[str, Any]:
    """The object inside a record; empty where there is none."""
    value = record.get(name)
    return value if isinstance(value, dict) else {}


def times(row: TimedRow) -> dict[str, str | None]:
    """The two moments that nearly every record has."""
    return {"created_at": stamp(row.created_at), "updated_at": stamp(row.updated_at)}


def batches(conn: Connection, query: Select[Any], key: Column[Any]) -> Iterator[list[Any]]:
    """All rows of a statement by ascending key, a batch at a time, so that memory does not grow with the project."""
    last: Any = None
    while True:
        statement = query if last is None else query.where(key > last)
        rows = list(conn.execute(statement.order_by(key).limit(BATCH)))
        if not rows:
            return
        yield rows
        last = getattr(rows[-1], key.name)


def parts(rows: Sequence[R], weights: Mapping[int, int], most: int) -> Iterator[Sequence[R]]:
    """Split a batch into parts of limited total size, or a single large row."""
    part: list[R] = []
    weight = 0
    for row in rows:
        if part and weight + weights.get(row.id, 0) > most:
            yield part
            part, weight = [], 0
        part.append(row)
        weight += weights.get(row.id, 0)
    if part:
        yield part
