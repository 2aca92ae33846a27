"""Indexes of some rows only, on both databases."""

from typing import Any

from sqlalchemy import ColumnElement, Index, TextClause
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateIndex
from sqlalchemy.sql.compiler import DDLCompiler


class PartialIndex(Index):
    """Holds the rows for which `where` is true.

    An index that is told of PostgreSQL at once loads its dialect, which a start on SQLite need not wait for.
    """

    inherit_cache = True

    def __init__(
        self, name: str, *columns: ColumnElement[Any], where: ColumnElement[bool] | TextClause, unique: bool = False
    ) -> None:
        self.where = where
        super().__init__(name, *columns, unique=unique, sqlite_where=where)


@compiles(CreateIndex, "postgresql")
def _create_on_postgresql(element: CreateIndex, compiler: DDLCompiler, **options: bool) -> str:
    index = element.element
    if isinstance(index, PartialIndex):
        index.dialect_kwargs["postgresql_where"] = index.where
    return str(compiler.visit_create_index(element, **options))  # type: ignore[no-untyped-call]
