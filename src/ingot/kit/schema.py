"""Bringing a database to this version's schema: a fresh one is made at once, an older one is migrated.

A newer one is used as it is where its newer version noted that this schema still works on it: migrations add, and what
nothing needs any more is dropped later. Otherwise it is refused.

    extra_ddl("project_search", sqlite=["CREATE VIRTUAL TABLE IF NOT EXISTS …"], postgresql=["CREATE EXTENSION IF …"])

Put such a registration beside the tables it belongs to. Statements run after all tables exist, in the order of
registration; write them so that running them again changes nothing (`IF NOT EXISTS`).
"""

import logging
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import OperationalError, ProgrammingError

from ingot.kit.db import Database, metadata, take_turn

log = logging.getLogger("ingot.schema")

MIGRATIONS = Path(__file__).parent.parent / "migrations"
# The first line of a migration that drops what versions with schema 0046 and later do not need:
# `-- contracts since 0046: why`.
CONTRACTS = "-- contracts since "
# Versions of older schemas do not know that a newer database may be used.
FIRST_USABLE = "0045"
# Everybody who uses a table waits behind a migration that waits for it, so it waits briefly and tries again.
LOCK_SECONDS = 3.0
PAUSE_SECONDS = 1.0
ATTEMPTS = 100
# A lock that did not come in time; a deadlock with somebody's request.
_REPEATABLE = ("55P03", "40P01")


class NewerDatabase(Exception):
    """The database was made by a newer version on which this one does not work."""


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


def usable_from(dialect: str) -> str:
    """The oldest schema whose versions work on this version's: none of them needs what was dropped."""
    result = FIRST_USABLE
    for file in (MIGRATIONS / "versions").glob(f"*.{dialect}.sql"):
        first_line = file.read_text().partition("\n")[0]
        if first_line.startswith(CONTRACTS):
            result = max(result, first_line.removeprefix(CONTRACTS).partition(":")[0])
    return result


def prepare(db: Database, lock_seconds: float = LOCK_SECONDS) -> None:
    """Make or upgrade the schema; nothing is done, and nothing heavy imported, when it is up to date."""
    if _quick_revision(db) == revisions()[-1]:
        return
    for attempt in range(ATTEMPTS):
        try:
            _prepare(db, lock_seconds)
            return
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) not in _REPEATABLE or attempt == ATTEMPTS - 1:
                raise
        log.warning("The upgrade is waiting for a table lock held by a backup or a long transaction")
        time.sleep(PAUSE_SECONDS)


def _prepare(db: Database, lock_seconds: float) -> None:
    head = revisions()[-1]
    with db.write() as tx:
        if not db.is_sqlite:
            # The turn of another node lasts as long as its migration.
            tx.exec_driver_sql("SET LOCAL lock_timeout = 0")
            tx.exec_driver_sql("SET LOCAL statement_timeout = 0")
        # Nodes that start together would create the same tables twice.
        take_turn(tx, "schema")
        if not db.is_sqlite:
            tx.exec_driver_sql(f"SET LOCAL lock_timeout = '{round(lock_seconds * 1000)}ms'")
        stored = stored_revision(tx)
        if stored is None:
            create_everything(tx)
            stamp(tx, head)
        elif stored not in revisions():
            _require_usable(tx, stored, head)
        elif stored != head:
            log.warning("Upgrading the database from schema %s to %s", stored, head)
            upgrade(tx)


def _require_usable(tx: Connection, stored: str, head: str) -> None:
    """Refuse a newer database unless its version noted that this one works on it."""
    if not _has_note(tx) or head < tx.exec_driver_sql("SELECT usable_from FROM alembic_version").scalar_one():
        raise NewerDatabase(
            f"The database was upgraded by a newer version of Ingot (schema {stored}, this version supports {head})."
            " Start that version."
        )
    log.warning("The database is of a newer version (schema %s); this version (schema %s) works on it", stored, head)


def _has_note(tx: Connection) -> bool:
    return any(column["name"] == "usable_from" for column in inspect(tx).get_columns("alembic_version"))


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
        " usable_from VARCHAR(32), CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
    )
    oldest = usable_from(tx.dialect.name)
    tx.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{revision}', '{oldest}')")  # noqa: S608 - our file names


def upgrade(tx: Connection, revision: str = "head") -> None:
    """Run the migrations that are missing, inside this transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = tx
    command.upgrade(config, revision)
    if not _has_note(tx):
        # Not a migration: the table is Alembic's, and only versions that look for the column need it.
        tx.exec_driver_sql("ALTER TABLE alembic_version ADD COLUMN usable_from VARCHAR(32)")
    oldest = usable_from(tx.dialect.name)
    tx.exec_driver_sql(f"UPDATE alembic_version SET usable_from = '{oldest}'")  # noqa: S608 - from our own files
