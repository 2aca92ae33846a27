import uuid
from pathlib import Path

import pytest
from sqlalchemy import inspect

from ingot.kit import schema
from ingot.kit.db import Database
from ingot.kit.schema import NewerDatabase
from ingot.migrations.writing import DIALECTS, baseline_file, baseline_text
from tests.support.databases import Databases, PostgresDatabases


@pytest.fixture
def empty(databases: Databases, tmp_path: Path) -> Database:
    """A database without any table."""
    if isinstance(databases, PostgresDatabases):
        name = f"empty_{uuid.uuid4().hex[:12]}"
        databases.server.execute(f"CREATE DATABASE {name}")
        return Database(databases.server.url(name))
    return Database(f"sqlite:///{tmp_path}/empty.db")


def shape(db: Database) -> dict[str, object]:
    """Everything that the database knows about its tables."""
    if db.is_sqlite:
        with db.read() as conn:
            rows = conn.exec_driver_sql(
                "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name <> 'alembic_version'"
            ).all()
        return {f"{row[0]} {row[1]}": " ".join((row[3] or "").split()) for row in rows}
    look = inspect(db.reader)
    found: dict[str, object] = {}
    for table in look.get_table_names():
        columns = [(c["name"], str(c["type"]), c["nullable"], c["default"]) for c in look.get_columns(table)]
        found[table] = (
            columns,
            look.get_pk_constraint(table),
            sorted(map(str, look.get_foreign_keys(table))),
            sorted(map(str, look.get_unique_constraints(table))),
            sorted(map(str, look.get_check_constraints(table))),
        )
    with db.read() as conn:
        rows = conn.exec_driver_sql("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'").all()
    found["indexes"] = sorted(map(tuple, rows))
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_baseline_is_what_the_tables_declare(databases: Databases, dialect: str) -> None:
    if schema.revisions() != ["0001"]:
        pytest.skip("the baseline is frozen once there are migrations above it")
    assert baseline_file(dialect).read_text() == baseline_text(dialect), "run `make baseline`"


def test_migrations_lead_to_the_same_schema_as_a_fresh_start(
    databases: Databases, empty: Database, tmp_path: Path
) -> None:
    fresh = Database(databases.fresh(tmp_path))

    with empty.write() as tx:
        schema.upgrade(tx)

    assert shape(empty) == shape(fresh)
    with empty.read() as conn:
        assert schema.stored_revision(conn) == schema.revisions()[-1]
    fresh.dispose()
    empty.dispose()


def test_preparing_twice_changes_nothing(empty: Database) -> None:
    schema.prepare(empty)
    before = shape(empty)

    schema.prepare(empty)

    assert shape(empty) == before
    empty.dispose()


def test_a_newer_database_is_refused(empty: Database) -> None:
    schema.prepare(empty)
    with empty.write() as tx:
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(NewerDatabase, match="newer version \\(schema 9999"):
        schema.prepare(empty)
    empty.dispose()
