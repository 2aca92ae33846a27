"""Bringing a database to this version's schema: a fresh one is made at once, an older one is migrated, a newer refused.

    extra_ddl("project_search", sqlite=["CREATE VIRTUAL TABLE IF NOT EXISTS …"], postgresql=["CREATE EXTENSION IF …"])

Put such a registration beside the tables it belongs to. Statements run after all tables exist, in the order of
registration; write them so that running them again changes nothing (`IF NOT EXISTS`).
"""

import logging
from collections.abc import Sequence
from pathlib import Path

import msgspec
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import OperationalError, ProgrammingError

from ingot.kit.db import Database, metadata, take_turn

log = logging.getLogger("ingot.schema")

MIGRATIONS = Path(__file__).parent.parent / "migrations"


class NewerDatabase(Exception):
    """The database was made by a newer version."""


class ExtraDdl(msgspec.Struct, frozen=True):
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


def revisions() -> list[str]:
    """The numbers of all migrations, oldest first; the files are named after them (`0001_baseline.py`)."""
    return sorted(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def stored_revision(conn: Connection) -> str | None:
    """The migration that the database is at; None for a fresh one."""
    if not inspect(conn).has_table("alembic_version"):
        return None
    return conn.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one_or_none()


def prepare(db: Database) -> None:
    """Make or upgrade the schema; nothing is done, and nothing heavy imported, when it is up to date."""
    head = revisions()[-1]
    if _quick_revision(db) == head:
        return
    with db.write() as tx:
        if not db.is_sqlite:
            # The turn of another node lasts as long as its migration.
            tx.exec_driver_sql("SET LOCAL lock_timeout = 0")
        # Nodes that start together would create the same tables twice.
        take_turn(tx, "schema")
        stored = stored_revision(tx)
        if stored is None:
            create_everything(tx)
            stamp(tx, head)
        elif stored not in revisions():
            raise NewerDatabase(
                f"The database is of a newer version (schema {stored}, this version knows {head}); start that version."
            )
        elif stored != head:
            log.warning("Upgrading the database from schema %s to %s", stored, head)
            upgrade(tx)


def _quick_revision(db: Database) -> str | None:
    """One look without inspecting anything: the usual case is a database that is up to date."""
    try:
        with db.read() as conn:
            return conn.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one_or_none()
    except (OperationalError, ProgrammingError):
        return None


def stamp(tx: Connection, revision: str) -> None:
    """Note the revision of a schema that was made at once."""
    tx.exec_driver_sql(
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL,"
        " CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
    )
    tx.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{revision}')")  # noqa: S608 - our own file name


def upgrade(tx: Connection, revision: str = "head") -> None:
    """Run the migrations that are missing, inside this transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = tx
    command.upgrade(config, revision)
