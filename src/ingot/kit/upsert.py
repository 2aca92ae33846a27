"""`INSERT … ON CONFLICT`, which SQLAlchemy has in each database's dialect."""

from typing import TYPE_CHECKING

from sqlalchemy import Table

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite


def upsert(dialect: str, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """An insertion that can say what happens on a conflict; `dialect` is `tx.dialect.name`."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as sqlite_insert

        return sqlite_insert(table)
    from sqlalchemy.dialects.postgresql import insert as postgres_insert

    return postgres_insert(table)
