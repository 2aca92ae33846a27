"""Tables that are part of project archives because their rooms declare it.

    archive_table("project_badges", project_badges, problems=badge_problems)

Beside its table, a room declares the relation's name in archives. Exports then write every row of the project, and
imports store every record: all columns but `id` and `project_id`, users translated to those of this instance. A table
without `id` has one more column in its primary key, and a record replaces the row of the same key.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from sqlalchemy import Column, Connection, Table

Problems = Mapping[str, list[str]]
_PLACE = frozenset({"id", "project_id"})


class ArchivedTable(msgspec.Struct, frozen=True):
    """A table whose rows are records of an archive."""

    relation: str
    table: Table
    problems: Callable[[Mapping[str, Any]], Problems]
    next_id: Callable[[Connection], int] | None = None

    def columns(self) -> Iterator[Column[Any]]:
        """The columns that a record has, under their names."""
        return (column for column in self.table.c if column.name not in _PLACE)

    @property
    def has_id(self) -> bool:
        """Rows are distinguished by `id`."""
        return "id" in self.table.c

    @property
    def key(self) -> Column[Any]:
        """What distinguishes the rows of one project."""
        return next(column for column in self.table.primary_key if column.name != "project_id")


_tables: dict[str, ArchivedTable] = {}


def archive_table(
    relation: str,
    table: Table,
    *,
    problems: Callable[[Mapping[str, object]], Problems] = lambda _: {},
    next_id: Callable[[Connection], int] | None = None,
) -> None:
    """Carry the table in archives. `problems` names what is wrong with the values of a record, by column.

    `next_id` gives the ids of new rows where the table does not choose them itself.
    """
    for column in table.c:
        targets = {key.column.table.name for key in column.foreign_keys} - {"users"}
        if targets and column.name not in _PLACE:
            raise TypeError(f"{table.name}.{column.name} names {targets}: write a relation of its own for this table")
    _tables[relation] = ArchivedTable(relation, table, problems, next_id)


def archived_tables() -> Mapping[str, ArchivedTable]:
    """All declared tables by the name of their relation."""
    return _tables


def names_user(column: Column[Any]) -> bool:
    """The column holds the id of a user."""
    return any(key.column.table.name == "users" for key in column.foreign_keys)
