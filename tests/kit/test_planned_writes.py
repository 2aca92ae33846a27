"""Inserts, updates and deletes that go from their plan to the driver do what the library would do."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Executable,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from ingot.kit.db import Database, Id, Json, UtcDateTime, counting_statements
from ingot.kit.statements.results import Written
from tests.support.databases import Databases

notes = Table(
    "planned_notes",
    MetaData(),
    Column("id", Id, primary_key=True),
    Column("name", String(50), nullable=False, unique=True),
    Column("level", Integer, nullable=False, server_default="3"),
    Column("is_open", Boolean, nullable=True),
    Column("made_at", UtcDateTime, nullable=True),
    Column("details", Json, nullable=True),
)
MOMENT = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
OF_NAME = update(notes).where(notes.c.name == bindparam("of_name"))


@pytest.fixture(scope="module")
def db(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = Database(databases.fresh(tmp_path_factory.mktemp("data")))
    yield opened
    opened.dispose()


@pytest.fixture
def tx(db: Database, tmp_path: Path) -> Iterator[Connection]:
    with db.write() as connection:
        notes.metadata.create_all(connection)
        yield connection
        notes.metadata.drop_all(connection)


def run(tx: Connection, statement: Executable, values: dict[str, Any] | None = None) -> Written:
    result = tx.execute(statement, values)
    assert isinstance(result, Written), "it went the library's way"
    return result


def held(tx: Connection) -> dict[str, tuple[int, bool | None]]:
    return {row.name: (row.level, row.is_open) for row in tx.execute(select(notes))}


def test_statements_of_one_shape_write_each_their_own_values(tx: Connection) -> None:
    for name, level in (("a", 1), ("b", 2)):
        run(tx, insert(notes).values(name=name, level=level, is_open=level == 1))
    for name, level in (("a", 10), ("b", 20)):
        run(tx, update(notes).where(notes.c.name == name).values(level=level))

    assert held(tx) == {"a": (10, True), "b": (20, False)}
    assert run(tx, delete(notes).where(notes.c.level == 10)).rowcount == 1
    assert run(tx, delete(notes).where(notes.c.level == 10)).rowcount == 0
    assert held(tx) == {"b": (20, False)}


def test_values_are_stored_as_the_library_stores_them(tx: Connection) -> None:
    whole: dict[str, Any] = {"name": "é", "is_open": None, "made_at": MOMENT, "details": {"a": [1, None, "é"]}}
    for name, details in (("é", whole["details"]), ("empty", None), ("list", [])):
        run(tx, insert(notes).values(**{**whole, "name": name, "details": details}))

    rows = {row.name: row for row in tx.execute(select(notes))}
    assert (rows["é"].made_at, rows["é"].details, rows["é"].level) == (MOMENT, whole["details"], 3)
    assert (rows["empty"].details, rows["list"].details) == (None, [])


def test_named_parameters_decide_which_columns_are_written(tx: Connection) -> None:
    run(tx, insert(notes), {"name": "a", "level": 1})
    run(tx, insert(notes), {"name": "b"})
    run(tx, OF_NAME, {"of_name": "a", "level": 5})
    run(tx, OF_NAME, {"of_name": "b", "is_open": True})
    run(tx, OF_NAME, {"of_name": "b", "level": 6, "is_open": False})

    assert held(tx) == {"a": (5, None), "b": (6, False)}


def test_returned_rows_are_those_that_were_written(tx: Connection) -> None:
    first = run(tx, insert(notes).values(name="a").returning(notes.c.id)).scalar_one()
    second = run(tx, insert(notes).values(name="b").returning(notes.c.id)).scalar_one()
    raised = update(notes).values(level=notes.c.level + 1).returning(notes.c.id, notes.c.level)

    assert first != second
    assert sorted(run(tx, raised).all()) == sorted([(first, 4), (second, 4)])
    result = run(tx, delete(notes).where(notes.c.id.in_([first, second])).returning(notes.c.name))
    assert sorted(result.scalars()) == ["a", "b"]
    assert run(tx, raised).all() == []


def test_what_conflicts_is_left_or_changed_as_the_statement_says(tx: Connection, db: Database) -> None:
    either = sqlite.insert if db.is_sqlite else postgresql.insert
    for level in (1, 2):
        leave: Any = either(notes).values(name="a", level=level).on_conflict_do_nothing(index_elements=["name"])
        assert run(tx, leave).rowcount == (1 if level == 1 else 0)
    change: Any = either(notes).values(name="a", level=7)
    run(tx, change.on_conflict_do_update(index_elements=["name"], set_={"level": change.excluded.level}))

    assert held(tx) == {"a": (7, None)}


def test_lists_and_selects_inside_a_write(tx: Connection) -> None:
    for name in ("a", "b", "c"):
        run(tx, insert(notes).values(name=name))
    run(tx, update(notes).where(notes.c.name.in_(["a", "b"])).values(level=9))
    run(tx, update(notes).where(notes.c.name.in_(["c"])).values(level=8))
    assert tx.execute(delete(notes).where(notes.c.name.in_([]))).rowcount == 0
    most = select(func.max(notes.c.level)).scalar_subquery()
    run(tx, update(notes).where(notes.c.name == "c").values(level=most))

    assert held(tx) == dict.fromkeys(("a", "b", "c"), (9, None))


def test_a_write_is_counted_once(tx: Connection) -> None:
    with counting_statements() as counter:
        run(tx, insert(notes).values(name="a"))

    assert counter == [1]


def test_a_second_row_of_one_name_is_refused(tx: Connection) -> None:
    twice = insert(notes).values(name="twice")
    run(tx, twice)
    savepoint = tx.begin_nested()

    with pytest.raises(IntegrityError, match="hidden due to hide_parameters"):
        tx.execute(twice)
    savepoint.rollback()
    assert held(tx) == {"twice": (3, None)}
