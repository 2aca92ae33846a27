"""Reading custom attributes: of one record, of a page of records, and as a filter of lists."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, select, true, tuple_

from ingot.kit.entity import Entity, group_by


class CustomAttribute(Entity, kw_only=True):
    """A key with its value."""

    key: str
    value: str


def owner_column(table: Table) -> Any:
    """The column that names the record which has the attributes."""
    return next(iter(table.primary_key.columns))


def attributes_by_owner(conn: Connection, table: Table, ids: Collection[int]) -> dict[int, list[CustomAttribute]]:
    """The attributes of a page of records, in one query; records without any have an empty list."""
    column = owner_column(table)
    rows = conn.execute(select(table).where(column.in_(ids)).order_by(table.c.key)).all()
    grouped = group_by(rows, lambda row: row[0])
    return {
        number: [CustomAttribute(key=row.key, value=row.value) for row in grouped.get(number, [])] for number in ids
    }


def has_attributes(table: Table, owner: ColumnElement[int], attributes: Mapping[str, object]) -> ColumnElement[bool]:
    """Condition: the record has every one of these keys with this value."""
    column = owner_column(table)
    pairs = [(key, str(value)) for key, value in attributes.items()]
    if not pairs:
        return true()
    # A key has one value per record, so counting the pairs that match is enough.
    matching = select(func.count()).where(column == owner, tuple_(table.c.key, table.c.value).in_(pairs))
    return matching.scalar_subquery() == len(pairs)
