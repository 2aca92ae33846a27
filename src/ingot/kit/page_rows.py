"""The rows of one page: all at once, or a few at a time where their texts are long."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Connection, Select, Text, bindparam

from ingot.kit.statements.connection import sent_together, sorts_texts
from ingot.kit.statements.long_texts import refusing_long_texts


class PageRows:
    """The rows of a statement with order, limit and offset; `values` are its parameters.

    Rows that have long texts, or that SQLite has to sort, are read by their ids, in the order of a statement that gives
    the ids alone: while SQLite sorts, it holds everything that the statement selects.
    """

    def __init__(self, conn: Connection, statement: Select[Any], values: Mapping[str, object]) -> None:
        self.conn, self._statement, self._values = conn, statement, values
        self._ids: list[int] | None = None
        self._rows: Sequence[Any] | None = None

    @contextmanager
    def sent_with(self, query: Select[Any], values: Mapping[str, object]) -> Iterator[None]:
        """In this block another query of the same list is asked together with the rows."""
        with ExitStack() as stack:
            with refusing_long_texts():
                stack.enter_context(sent_together(self.conn, (query, values), (self._statement, self._values)))
            yield

    def load(self) -> Sequence[Any]:
        """All rows; raises `LongTexts` where that is too much."""
        with refusing_long_texts():
            if sorts_texts(self.conn, self._statement, self._values):
                self._load_ids()
            self._rows = self.read(0, len(self._ids)) if self._ids is not None else self._read_all()
        return self._rows

    def count(self) -> int:
        """How many rows there are, once `load` has failed or what it gave turned out to need long texts."""
        if self._rows is None and self._ids is None:
            self._load_ids()
        if self._rows is None and self._ids is None:
            self._rows = self._read_all()  # there is no other way
        return len(self._rows or self._ids or ())

    def read(self, start: int, number: int) -> Sequence[Any]:
        """Some of the counted rows, from this place on."""
        if self._rows is not None:
            return self._rows[start : start + number]
        by_id = _by_id(self._statement)
        if by_id is None or self._ids is None:
            raise RuntimeError("the rows were not counted")
        ids = self._ids[start : start + number]
        if not ids:
            return []
        place = {row_id: at for at, row_id in enumerate(ids)}
        rows = self.conn.execute(by_id.rows, {**self._values, "page_ids": ids}).all()
        return sorted(rows, key=lambda row: place[row.id])

    def _read_all(self) -> Sequence[Any]:
        rows: Sequence[Any] = self.conn.execute(self._statement, self._values).all()
        return rows

    def _load_ids(self) -> None:
        by_id = _by_id(self._statement)
        if by_id is not None:
            ids = [row.id for row in self.conn.execute(by_id.ids, self._values)]
            self._ids = ids if len(set(ids)) == len(ids) else None


class _ById(NamedTuple):
    """Statements for the ids of a page, and for the rows that have some of them."""

    ids: Select[Any]
    rows: Select[Any]


# Derived statements live as long as their source: for ever, where that is cached.
_derived: WeakKeyDictionary[Select[Any], _ById | None] = WeakKeyDictionary()


def _by_id(statement: Select[Any]) -> _ById | None:
    """None where no id tells the rows apart."""
    if statement not in _derived:
        _derived[statement] = _derive(statement)
    return _derived[statement]


def _derive(statement: Select[Any]) -> _ById | None:
    column: ColumnElement[Any] | None = statement.selected_columns.get("id")
    if column is None or not getattr(column, "primary_key", False):
        return None
    if statement._distinct or statement._group_by_clauses:  # noqa: SLF001 - there is no public way to ask
        return None
    # All other short columns stay: an order may name one of them.
    short = [one for one in statement.selected_columns if not isinstance(one.type, Text)]
    plain = statement.order_by(None).limit(None).offset(None)
    return _ById(statement.with_only_columns(*short), plain.where(column.in_(bindparam("page_ids", expanding=True))))


_narrow: WeakKeyDictionary[Select[Any], dict[tuple[str, ...], Select[Any]]] = WeakKeyDictionary()


def without_texts(statement: Select[Any], wanted: tuple[str, ...]) -> Select[Any]:
    """The same rows without long texts, but for those of these names: nothing has to be sorted by ids first."""
    derived = _narrow.setdefault(statement, {})
    if wanted not in derived:
        derived[wanted] = _without_texts(statement, wanted)
    return derived[wanted]


def _without_texts(statement: Select[Any], wanted: tuple[str, ...]) -> Select[Any]:
    columns = list(statement.selected_columns)
    # All short columns stay: an order may name one of them.
    short = [one for one in columns if one.key in wanted or not isinstance(one.type, Text)]
    is_exact = statement._distinct or statement._group_by_clauses  # noqa: SLF001 - there is no public way to ask
    return statement.with_only_columns(*(columns if is_exact else short))
