import re
import threading
from pathlib import Path

import pytest
from sqlalchemy import inspect, select

from ingot.features.planning.notes import notes
from ingot.kit import schema
from ingot.kit.db import Database
from ingot.kit.schema import NewerDatabase
from ingot.migrations.writing import DIALECTS, changes, declared, stored_statements
from tests.support.databases import Databases
from tests.support.waiting import LIMIT, until


@pytest.fixture
def empty(databases: Databases, tmp_path: Path) -> Database:
    """A database without any table."""
    return Database(databases.empty(tmp_path))


def _regular(sql: str) -> object:
    """A definition without its line breaks; columns that were added later may stand in another place."""
    text = " ".join(sql.split())
    if not text.startswith("CREATE TABLE"):
        return text
    head, _, body = text.partition("(")
    parts = re.split(r",(?![^()]*\))", body.rpartition(")")[0])
    return head, sorted(" ".join(part.split()) for part in parts)


def shape(db: Database) -> dict[str, object]:
    """Everything that the database knows about its tables."""
    if db.is_sqlite:
        with db.read() as conn:
            rows = conn.exec_driver_sql(
                "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name <> 'alembic_version'"
            ).all()
        return {f"{row[0]} {row[1]}": _regular(row[3] or "") for row in rows}
    look = inspect(db.reader)
    result: dict[str, object] = {}
    for table in look.get_table_names():
        columns = sorted((c["name"], str(c["type"]), c["nullable"], str(c["default"])) for c in look.get_columns(table))
        result[table] = (
            columns,
            look.get_pk_constraint(table),
            sorted(map(str, look.get_foreign_keys(table))),
            sorted(map(str, look.get_unique_constraints(table))),
            sorted(map(str, look.get_check_constraints(table))),
        )
    with db.read() as conn:
        rows = conn.exec_driver_sql("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'").all()
    result["indexes"] = sorted(map(tuple, rows))
    return result


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_stored_schema_is_what_the_tables_declare(databases: Databases, dialect: str) -> None:
    assert stored_statements(dialect) == declared(dialect), 'run `make migration name="what changes"`'


def test_every_migration_has_a_number_of_its_own() -> None:
    numbers = schema.revisions()

    assert numbers == [f"{place:04}" for place in range(1, len(numbers) + 1)]


def test_a_migration_adds_what_is_new_and_leaves_the_rest_to_people() -> None:
    before = [
        "CREATE TABLE labels (\n\tid INTEGER NOT NULL,\n\tname TEXT\n)",
        "CREATE INDEX ix_labels_name ON labels (name)",
        "CREATE TABLE gone (\n\tid INTEGER\n)",
    ]
    after = [
        "CREATE TABLE labels (\n\tid BIGINT NOT NULL,\n\tname TEXT,\n\tcolour TEXT,\n\tCONSTRAINT u UNIQUE (name)\n)",
        "CREATE INDEX ix_labels_name ON labels (name, colour)",
        "CREATE TABLE boards (\n\tid INTEGER\n)",
    ]

    assert list(changes(before, after)) == [
        "DROP INDEX ix_labels_name",
        "-- by hand: gone is gone",
        "-- by hand: labels had id INTEGER NOT NULL",
        "ALTER TABLE labels ADD COLUMN id BIGINT NOT NULL",
        "ALTER TABLE labels ADD COLUMN colour TEXT",
        "-- by hand: labels has CONSTRAINT u UNIQUE (name)",
        after[1],
        after[2],
    ]


def test_migrations_lead_to_the_same_schema_as_a_fresh_start(
    databases: Databases, empty: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # Not in the folder of the empty one: on SQLite it would be the same file.
    fresh = Database(databases.fresh(tmp_path_factory.mktemp("fresh")))

    with empty.write() as tx:
        schema.upgrade(tx)

    assert shape(empty) == shape(fresh)
    with empty.read() as conn:
        assert schema.stored_revision(conn) == schema.revisions()[-1]
    fresh.dispose()
    empty.dispose()


def test_rows_of_the_first_schema_are_carried_along(empty: Database) -> None:
    columns = "noteable_type, noteable_id, discussion_id, body, created_at, updated_at"
    with empty.write() as tx:
        schema.upgrade(tx, "0001")
        for discussion in ("a", "a", "b"):
            moment = "2026-01-01 00:00:00"
            values = f"'Issue', 1, '{discussion}', 'text', '{moment}', '{moment}'"
            tx.exec_driver_sql(f"INSERT INTO notes ({columns}) VALUES ({values})")

    schema.prepare(empty)

    with empty.read() as conn:
        assert conn.execute(select(notes.c.starts_thread).order_by(notes.c.id)).scalars().all() == [True, False, True]
    empty.dispose()


def test_preparing_twice_changes_nothing(empty: Database) -> None:
    schema.prepare(empty)
    before = shape(empty)

    schema.prepare(empty)

    assert shape(empty) == before
    empty.dispose()


def make_newer(db: Database, usable_from: str | None) -> None:
    schema.prepare(db)
    value = "NULL" if usable_from is None else f"'{usable_from}'"
    with db.write() as tx:
        tx.exec_driver_sql(f"UPDATE alembic_version SET version_num = '9999', usable_from = {value}")


def test_a_newer_database_that_dropped_what_this_version_needs_is_refused(empty: Database) -> None:
    make_newer(empty, "9998")

    with pytest.raises(NewerDatabase, match="newer version of Ingot \\(schema 9999"):
        schema.prepare(empty)
    empty.dispose()


def test_a_newer_database_without_a_note_is_refused(empty: Database) -> None:
    schema.prepare(empty)
    with empty.write() as tx:
        tx.exec_driver_sql("ALTER TABLE alembic_version DROP COLUMN usable_from")
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(NewerDatabase, match="newer version of Ingot \\(schema 9999"):
        schema.prepare(empty)
    empty.dispose()


def test_a_newer_database_that_only_added_is_used_as_it_is(empty: Database) -> None:
    make_newer(empty, schema.revisions()[-1])

    schema.prepare(empty)

    with empty.read() as conn:
        assert schema.stored_revision(conn) == "9999"
    empty.dispose()


@pytest.mark.postgres
def test_an_upgrade_lets_others_pass_while_it_waits_for_a_table(
    empty: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with empty.write() as tx:
        schema.upgrade(tx, "0037")
    upgrading = threading.Thread(target=schema.prepare, args=(empty, 0.05))
    with empty.writer.connect() as reader, reader.begin():
        # As a backup does, for as long as it runs.
        reader.exec_driver_sql("LOCK TABLE users IN ACCESS SHARE MODE")
        upgrading.start()
        until(lambda: "The upgrade is waiting" in caplog.text)

    upgrading.join(LIMIT)

    with empty.read() as conn:
        assert schema.stored_revision(conn) == schema.revisions()[-1]
    empty.dispose()
