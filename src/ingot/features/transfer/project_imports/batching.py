"""Rows collected in a batch, and stored with one statement per table."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table, bindparam, insert, update

from ingot.kit.counters import raise_to

MOST = 2000


class NeedsCare(Exception):
    """A row of a batch cannot be stored: the batch is rolled back and stored again, record by record."""


class Batch:
    """Collected rows, by table, in their order."""

    def __init__(self) -> None:
        self._rows: dict[tuple[Table, tuple[str, ...]], list[Mapping[str, object]]] = {}
        self._changes: dict[tuple[Table, tuple[str, ...]], list[Mapping[str, object]]] = {}
        self._numbers: dict[str, int] = {}

    def add(self, tx: Connection, table: Table, values: Mapping[str, object]) -> None:
        """Add a row whose id is not needed; large batches are stored early."""
        rows = self._rows.setdefault((table, tuple(values)), [])
        rows.append(values)
        if len(rows) >= MOST:
            self.write_rows(tx, table)

    def change(self, table: Table, row_id: int, values: Mapping[str, object]) -> None:
        """New values for a stored row."""
        self._changes.setdefault((table, tuple(values)), []).append({"row_id": row_id, **values})

    def raise_to(self, kind: str, number: int) -> None:
        """Later numbers of this kind are above `number`."""
        self._numbers[kind] = max(number, self._numbers.get(kind, 0))

    def write_rows(self, tx: Connection, table: Table) -> None:
        """Store the rows of one table now, before a row that must follow them."""
        for key in [key for key in self._rows if key[0] is table]:
            tx.execute(insert(table), self._rows.pop(key))

    def write_numbers(self, tx: Connection, owner: str) -> None:
        """Move the counters now, before one is asked for its next number."""
        for kind, number in self._numbers.items():
            raise_to(tx, owner, kind, number)
        self._numbers.clear()

    def write(self, tx: Connection, owner: str) -> None:
        """Store everything."""
        self.write_numbers(tx, owner)
        for (table, _), rows in self._rows.items():
            tx.execute(insert(table), rows)
        for (table, names), rows in self._changes.items():
            values: dict[str, Any] = {name: bindparam(name) for name in names}
            tx.execute(update(table).where(table.c.id == bindparam("row_id")).values(values), rows)
        self._rows.clear()
        self._changes.clear()
