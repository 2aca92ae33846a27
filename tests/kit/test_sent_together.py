"""Queries of a page that are sent in one go: the same rows, each given once, and nothing is left behind."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, bindparam, func, insert, select
from sqlalchemy.exc import DBAPIError

from ingot.kit.db import Database, Id, counting_statements
from ingot.kit.statements import Query, sent_together
from tests.support.databases import Databases

tools = Table(
    "sent_tools",
    MetaData(),
    Column("id", Id, primary_key=True),
    Column("name", String(50), nullable=False),
    Column("weight", Integer, nullable=False),
)
NAMES = select(tools.c.name).where(tools.c.id.in_(bindparam("ids", expanding=True))).order_by(tools.c.id)
TOTAL = select(func.sum(tools.c.weight))
SHARE = select(tools.c.weight / bindparam("parts", type_=Integer)).order_by(tools.c.id)


@pytest.fixture
def db(databases: Databases, tmp_path: Path) -> Iterator[Database]:
    database = Database(databases.fresh(tmp_path))
    with database.write() as tx:
        tools.create(tx)
        tx.execute(insert(tools), [{"id": 1, "name": "anvil", "weight": 80}, {"id": 2, "name": "tongs", "weight": 2}])
    yield database
    database.dispose()


@pytest.fixture
def conn(db: Database) -> Iterator[Connection]:
    with db.read() as connection:
        yield connection


def names(conn: Connection, *ids: int) -> list[str]:
    return list(conn.execute(NAMES, {"ids": ids}).scalars())


def total(conn: Connection) -> int:
    return int(conn.execute(TOTAL).scalar_one())


def test_the_rows_are_those_of_single_queries_in_any_order(conn: Connection) -> None:
    with counting_statements() as counter, sent_together(conn, (NAMES, {"ids": [1, 2]}), (TOTAL, {})):
        assert (total(conn), names(conn, 2), names(conn, 1, 2)) == (82, ["tongs"], ["anvil", "tongs"])

    assert counter == [3]


@pytest.mark.postgres
def test_postgresql_runs_them_in_one_transaction_of_their_own(conn: Connection) -> None:
    moment = select(func.now(), tools.c.id)
    first, second = moment.where(tools.c.id == 1), moment.where(tools.c.id == 2)

    with sent_together(conn, (first, {}), (second, {})):
        together = [conn.execute(query).one()[0] for query in (first, second)]
    apart = [conn.execute(query).one()[0] for query in (first, second)]

    assert together[0] == together[1] < apart[0] < apart[1]


def test_what_was_sent_is_given_once_and_not_beyond_the_block(db: Database, conn: Connection) -> None:
    queries: tuple[Query, ...] = ((NAMES, {"ids": [1]}), (TOTAL, {}))
    with sent_together(conn, *queries):
        assert total(conn) == 82
        with db.write() as tx:
            tx.execute(insert(tools).values(id=3, name="hammer", weight=3))
        assert total(conn) == 85
    with sent_together(conn, *queries):
        pass
    with db.write() as tx:
        tx.execute(insert(tools).values(id=4, name="bellows", weight=10))
    assert total(conn) == 95


def test_blocks_inside_each_other_keep_their_own(conn: Connection) -> None:
    with sent_together(conn, (NAMES, {"ids": [1]}), (TOTAL, {})):
        with sent_together(conn, (NAMES, {"ids": [2]}), (SHARE, {"parts": 2})):
            assert names(conn, 2) == ["tongs"]
        with counting_statements() as counter:
            assert (names(conn, 1), total(conn)) == (["anvil"], 82)
    assert counter == ([0] if conn.dialect.name == "postgresql" else [2])


@pytest.mark.postgres
def test_a_query_that_fails_is_the_librarys_fault_and_the_connection_goes_on(conn: Connection) -> None:
    with pytest.raises(DBAPIError, match="division by zero"), sent_together(conn, (TOTAL, {}), (SHARE, {"parts": 0})):
        pass

    assert (total(conn), names(conn, 1)) == (82, ["anvil"])
    with sent_together(conn, (TOTAL, {}), (SHARE, {"parts": 2})):
        assert conn.execute(SHARE, {"parts": 2}).scalars().all() == [40, 1]


@pytest.mark.postgres
def test_a_connection_that_is_lost_meanwhile_is_told_as_lost(db: Database) -> None:
    own = select(func.pg_terminate_backend(func.pg_backend_pid()))
    with db.read() as conn:
        with pytest.raises(DBAPIError) as fault, sent_together(conn, (TOTAL, {}), (own, {})):
            pass
        assert fault.value.connection_invalidated
    with db.read() as conn:
        assert total(conn) == 82
