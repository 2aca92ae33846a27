"""The database layer: transactions, what follows a commit, and turns."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from ingot.access.tables import projects
from ingot.kit.db import Database, after_commit, hold_row, take_turn
from ingot.kit.errors import RecordNotFound
from tests.support.databases import Databases


@pytest.fixture
def db(databases: Databases, tmp_path: Path) -> Iterator[Database]:
    database = Database(databases.fresh(tmp_path))
    with database.write() as tx:
        tx.execute(text("CREATE TABLE test_numbers (n INTEGER)"))
    yield database
    database.dispose()


def numbers(db: Database) -> list[int]:
    with db.read() as conn:
        return list(conn.execute(text("SELECT n FROM test_numbers ORDER BY n")).scalars())


def add(db: Database, number: int, done: list[int], *, fail: bool = False) -> None:
    with db.write() as tx:
        tx.execute(text("INSERT INTO test_numbers VALUES (:n)"), {"n": number})
        after_commit(tx, lambda: done.append(number))
        if fail:
            raise KeyError


def test_what_follows_a_commit_does_not_follow_a_rollback(db: Database) -> None:
    done: list[int] = []

    add(db, 1, done)
    with pytest.raises(KeyError):
        add(db, 2, done, fail=True)
    add(db, 3, done)

    assert (numbers(db), done) == ([1, 3], [1, 3])


def test_a_write_inside_a_write_is_refused_at_once(db: Database) -> None:
    with db.write(), pytest.raises(RuntimeError, match="already open"):
        add(db, 1, [])

    add(db, 2, [])
    assert numbers(db) == [2]


def test_an_action_after_the_commit_may_write(db: Database) -> None:
    with db.write() as tx:
        after_commit(tx, lambda: add(db, 5, []))

    assert numbers(db) == [5]


def test_one_transaction_at_a_time_takes_a_turn(db: Database) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        with db.write() as tx:
            take_turn(tx, "test")
            inside.append(1)
            most.append(len(inside))
            tx.execute(text("INSERT INTO test_numbers VALUES (1)"))
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(numbers(db)), max(most)) == (8, 1)


def test_errors_do_not_show_the_values_of_a_statement(db: Database) -> None:
    with pytest.raises(Exception, match="no_such_table") as raised, db.read() as conn:
        conn.execute(text("SELECT * FROM no_such_table WHERE secret = :value"), {"value": "swordfish"})

    assert "swordfish" not in str(raised.value)


def test_a_row_that_is_gone_cannot_be_held(db: Database) -> None:
    with pytest.raises(RecordNotFound), db.write() as tx:
        hold_row(tx, projects, 999_999)


@pytest.mark.parametrize("kind", ["read", "write"])
def test_a_connection_that_is_in_use_while_all_are_closed_is_closed_afterwards(db: Database, kind: str) -> None:
    with (db.read if kind == "read" else db.write)() as conn:
        driver = conn.connection.driver_connection
        assert driver is not None
        driver.execute("SELECT 1")
        db.dispose()

    with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError), match="closed"):
        driver.execute("SELECT 1")
    add(db, 1, [])
    assert numbers(db) == [1]
