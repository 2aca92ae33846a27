"""Bringing a database to this version's schema: the declared tables, and what SQLAlchemy cannot declare.

    extra_ddl("project_search", sqlite=["CREATE VIRTUAL TABLE IF NOT EXISTS …"], postgresql=["CREATE EXTENSION IF …"])

Put such a registration beside the tables it belongs to. Statements run after all tables exist, in the order of
registration; write them so that running them again changes nothing (`IF NOT EXISTS`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from ingot.kit.db import Database, metadata, take_turn


@dataclass(frozen=True, slots=True)
class ExtraDdl:
    """Statements of one purpose, by database."""

    sqlite: tuple[str, ...]
    postgresql: tuple[str, ...]


_extra: dict[str, ExtraDdl] = {}


def extra_ddl(name: str, *, sqlite: Sequence[str] = (), postgresql: Sequence[str] = ()) -> None:
    """Register statements beyond the tables: virtual tables, triggers, extensions, special indexes."""
    _extra[name] = ExtraDdl(tuple(sqlite), tuple(postgresql))


def extra_statements(dialect: str) -> list[str]:
    """All registered statements for a database, in order."""
    return [statement for entry in _extra.values() for statement in getattr(entry, dialect)]


def create_everything(tx: Connection) -> None:
    """Create the tables that are missing, then the rest."""
    metadata.create_all(tx)
    for statement in extra_statements(tx.dialect.name):
        tx.exec_driver_sql(statement)


def prepare(db: Database) -> None:
    """Create what is missing."""
    with db.write() as tx:
        # Nodes that start together would create the same tables twice.
        take_turn(tx, "schema")
        create_everything(tx)
