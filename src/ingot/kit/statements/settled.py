"""Which queries read settled data alone (`kit.settled_data`): what they read is found from the statement itself."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Column, CompoundSelect, Select, Table, TextClause
from sqlalchemy.sql.elements import ColumnClause
from sqlalchemy.sql.selectable import Alias, TableClause
from sqlalchemy.sql.visitors import iterate

# The columns of each settled table that seldom change; none: all of them.
_settled: dict[Table, frozenset[str]] = {}


def settle(table: Table, columns: Collection[str]) -> None:
    """Note a table; a row that comes or goes counts as a change, whatever its columns."""
    keys = {column.name for column in table.primary_key}
    _settled[table] = frozenset({*columns, *keys}) if columns else frozenset()


def reads_settled_data(query: Select[Any] | CompoundSelect[Any]) -> bool:
    """Whether all tables and columns of a query are settled ones. Texts of SQL, which may name others, are not read."""
    for part in iterate(query):
        # A table that is selected as a whole does not name its columns otherwise.
        parts = [part, *part.selected_columns] if isinstance(part, Select) else [part]
        if not all(map(_is_settled, parts)):
            return False
    return True


def _is_settled(part: object) -> bool:
    if isinstance(part, TextClause):
        return False
    if isinstance(part, TableClause):
        return part in _settled
    if not isinstance(part, ColumnClause):
        return True
    table = part.table
    while isinstance(table, Alias):
        table = table.element
    if isinstance(part, Column) and isinstance(table, Table):
        columns = _settled.get(table)
        return columns is not None and (not columns or part.name in columns)
    # A number that is written out.
    return part.is_literal and part.name.isdigit()
