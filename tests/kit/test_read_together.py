"""Queries that give one value each are asked in one statement, and answered as if they had been asked alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table, bindparam, func, insert, select
from sqlalchemy.exc import DBAPIError

from ingot.kit.db import Database, counting_statements, remembering_answers
from ingot.kit.statements import read_together
from tests.support.databases import Databases

nails = Table("nails", MetaData(), Column("id", Integer, primary_key=True), Column("kind", String(20)))
COUNT = select(func.count()).select_from(nails).where(nails.c.kind == bindparam("kind"))
LIKE = select(func.count()).select_from(nails).where(nails.c.kind.like("%(kind)%"), nails.c.id > bindparam("kind"))
PERCENT = select(func.count()).select_from(nails).where(nails.c.id % 2 == bindparam("kind"))
NAME = select(nails.c.kind).where(nails.c.id == bindparam("kind"))


@pytest.fixture(scope="module")
def db(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = tmp_path_factory.mktemp("together")
    database = Database(databases.fresh(folder))
    with database.write() as tx:
        nails.create(tx)
        rows = [{"id": number, "kind": "odd" if number % 2 else "a (kind) of"} for number in range(1, 10)]
        tx.execute(insert(nails), rows)
    yield database
    database.dispose()


def test_one_statement_answers_all(db: Database) -> None:
    queries = [(COUNT, {"kind": "odd"}), (COUNT, {"kind": "even"}), (LIKE, {"kind": 4}), (PERCENT, {"kind": 1})]
    with counting_statements() as counter, remembering_answers(), db.read() as conn:
        read_together(conn, *queries, (NAME, {"kind": 3}))
        answers = [conn.execute(query, values).scalar_one() for query, values in queries]
        name = conn.execute(NAME, {"kind": 3}).scalar_one()

    assert (answers, name) == ([5, 0, 2, 5], "odd")
    assert counter == [1]


def test_what_is_known_is_not_asked_again_and_one_alone_is_left(db: Database) -> None:
    with counting_statements() as counter, remembering_answers(), db.read() as conn:
        assert conn.execute(COUNT, {"kind": "odd"}).scalar_one() == 5
        read_together(conn, (COUNT, {"kind": "odd"}), (COUNT, {"kind": "even"}))
        assert counter == [1]
        read_together(conn, (COUNT, {"kind": "odd"}), (COUNT, {"kind": "even"}), (LIKE, {"kind": 4}))
        assert counter == [2]


def test_outside_of_a_block_that_remembers_nothing_is_asked(db: Database) -> None:
    with counting_statements() as counter, db.read() as conn:
        read_together(conn, (COUNT, {"kind": "odd"}), (COUNT, {"kind": "even"}))

    assert counter == [0]


def test_a_fault_of_the_database_is_raised(db: Database) -> None:
    missing = Table("no_nails", MetaData(), Column("id", Integer))
    query = select(func.count()).select_from(missing)
    with remembering_answers(), db.read() as conn, pytest.raises(DBAPIError, match="no_nails"):
        read_together(conn, (query, {}), (COUNT, {"kind": "odd"}))
