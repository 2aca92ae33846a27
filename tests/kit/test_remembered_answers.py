"""Inside `remembering_answers` a query runs once, for its own values, until something is written."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, Table, bindparam, insert, select, update

from ingot.kit.db import Database, counting_statements, remembering_answers
from ingot.kit.statements import lasting, lasting_values, remembered_value, rows_by_id
from ingot.kit.statements.remembering import MOST_ROWS, KnownAnswers, LastingAnswers
from tests.support.databases import Databases

coins = Table("coins", MetaData(), Column("id", Integer, primary_key=True), Column("weight", Integer))
BY_ID = select(coins.c.weight).where(coins.c.id == bindparam("coin_id"))
BY_IDS = select(coins).where(coins.c.id.in_(bindparam("ids", expanding=True)))
LASTING = lasting(select(coins.c.id, coins.c.weight).where(coins.c.id == bindparam("coin_id")))
ALL = select(coins.c.id).order_by(coins.c.id)
LAST = 2 * MOST_ROWS


@pytest.fixture(scope="module")
def db(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = tmp_path_factory.mktemp("answers")
    database = Database(databases.fresh(folder))
    with database.write() as tx:
        coins.create(tx)
        tx.execute(insert(coins), [{"id": number, "weight": number} for number in range(1, LAST + 1)])
    yield database
    database.dispose()


def weight(db: Database, coin_id: int) -> int | None:
    with db.read() as conn:
        result: int | None = conn.execute(BY_ID, {"coin_id": coin_id}).scalar_one_or_none()
        return result


def test_a_query_runs_once_for_the_same_values(db: Database) -> None:
    with counting_statements() as counter, remembering_answers():
        answers = [weight(db, coin_id) for coin_id in (1, 2, 1, 2, LAST + 1, LAST + 1)]

    assert answers == [1, 2, 1, 2, None, None]
    assert counter == [3]


def test_nothing_is_remembered_outside(db: Database) -> None:
    with remembering_answers():
        weight(db, 1)
    with counting_statements() as counter:
        weight(db, 1)
        with remembering_answers():
            weight(db, 1)

    assert counter == [2]


def test_a_write_is_seen_at_once(db: Database) -> None:
    with remembering_answers():
        before = weight(db, 3)
        with db.write() as tx:
            tx.execute(update(coins).where(coins.c.id == 3).values(weight=300))
            # What others committed is still the old weight here.
            assert weight(db, 3) == before
        assert (before, weight(db, 3)) == (3, 300)


def test_a_transaction_reads_what_it_wrote(db: Database) -> None:
    with remembering_answers(), db.write() as tx:
        for new in (40, 41):
            tx.execute(update(coins).where(coins.c.id == 4).values(weight=new))
            assert tx.execute(BY_ID, {"coin_id": 4}).scalar_one() == new


def test_long_answers_come_whole_and_are_not_held(db: Database) -> None:
    with counting_statements() as counter, remembering_answers(), db.read() as conn:
        assert conn.execute(ALL).scalars().all() == list(range(1, LAST + 1))
        assert list(conn.execute(ALL).scalars()) == list(range(1, LAST + 1))
        assert conn.execute(ALL).first() == (1,)

    assert counter == [3]


def weights(conn: Connection, *ids: int) -> list[int]:
    return [row.weight for row in rows_by_id(conn, BY_IDS, ids)]


def test_rows_are_asked_for_by_their_ids_once(db: Database) -> None:
    with counting_statements() as counter, remembering_answers(), db.read() as conn:
        answers = [weights(conn, 5, 6), weights(conn, 6, 5), weights(conn, 7, 5), weights(conn, LAST + 1, 7)]
        assert weights(conn, LAST + 1) == []

    assert answers == [[5, 6], [6, 5], [7, 5], [7]]
    assert counter == [3]


def test_rows_by_their_ids_are_read_anew_after_a_write_and_outside(db: Database) -> None:
    with remembering_answers(), db.read() as conn:
        assert weights(conn, 8) == [8]
        with db.write() as tx:
            tx.execute(update(coins).where(coins.c.id == 8).values(weight=800))
            assert weights(tx, 8) == [800]
            assert weights(conn, 8) == [8]
        assert weights(conn, 8) == [800]
    with counting_statements() as counter, db.read() as conn:
        assert [weights(conn, 8), weights(conn, 8)] == [[800], [800]]

    assert counter == [2]


def test_a_value_is_made_once_until_something_is_written(db: Database) -> None:
    values: list[int | None] = []

    def read() -> int | None:
        values.append(weight(db, 9))
        return values[-1]

    with remembering_answers():
        assert [remembered_value("nine", read), remembered_value("nine", read)] == [9, 9]
        with db.write() as tx:
            tx.execute(update(coins).where(coins.c.id == 9).values(weight=900))
        assert remembered_value("nine", read) == 900
    assert remembered_value("nine", read) == 900

    assert values == [9, 900, 900]


@pytest.fixture
def known() -> KnownAnswers:
    return KnownAnswers(1_000)


@contextmanager
def visit(db: Database, known: KnownAnswers) -> Iterator[Connection]:
    """One of several blocks that leave answers to each other."""
    with db.read() as conn, remembering_answers(LastingAnswers(known, lambda: db.versions(conn))):
        yield conn


def lasting_weight(conn: Connection, coin_id: int) -> int:
    weight: int = conn.execute(LASTING, {"coin_id": coin_id}).one().weight
    return weight


def statements(db: Database, number: int) -> int:
    """Of a block that has to read the version, which is one on PostgreSQL."""
    return number + (db.dialect == "postgresql")


def test_an_answer_that_lasts_is_left_to_later_blocks(db: Database, known: KnownAnswers) -> None:
    with visit(db, known) as conn:
        assert lasting_weight(conn, 11) == 11
        conn.execute(BY_ID, {"coin_id": 11}).scalar_one()
    with counting_statements() as counter, visit(db, known) as conn:
        assert [lasting_weight(conn, 11), lasting_weight(conn, 11)] == [11, 11]
        assert counter == [statements(db, 0)]
        assert lasting_weight(conn, 12) == 12
        conn.execute(BY_ID, {"coin_id": 11}).scalar_one()
    assert counter == [statements(db, 2)]


def test_a_value_that_lasts_is_left_to_later_blocks(db: Database, known: KnownAnswers) -> None:
    asked: list[int] = []

    def read(keys: Collection[str]) -> dict[str, None]:
        asked.append(len(keys))
        return dict.fromkeys(keys)

    for _ in range(2):
        with visit(db, known):
            assert lasting_values(["nothing"], read) == {"nothing": None}
    assert asked == [1]
    with visit(db, known):
        assert lasting_values(["nothing", "more", "most"], read) == dict.fromkeys(("nothing", "more", "most"))
    assert asked == [1, 2]
    lasting_values(["nothing"], read)
    assert asked == [1, 2, 1]


def test_what_another_process_writes_ends_what_lasts(db: Database, known: KnownAnswers) -> None:
    other = Database(db.url.render_as_string(hide_password=False))
    try:
        for weight in (130, 131):
            with visit(db, known) as conn:
                before = lasting_weight(conn, 13)
            with other.write() as tx:
                tx.execute(update(coins).where(coins.c.id == 13).values(weight=weight))
            with visit(db, known) as conn:
                assert (lasting_weight(conn, 13), before != weight) == (weight, True)
    finally:
        other.dispose()


def test_a_write_in_a_block_ends_what_lasts_for_it(db: Database, known: KnownAnswers) -> None:
    with visit(db, known) as conn:
        assert lasting_weight(conn, 14) == 14
    with visit(db, known) as conn:
        assert lasting_weight(conn, 14) == 14
        with db.write() as tx:
            tx.execute(update(coins).where(coins.c.id == 14).values(weight=140))
            # A transaction reads what it wrote.
            assert lasting_weight(tx, 14) == 140
        assert lasting_weight(conn, 14) == 140
        assert lasting_values([14], lambda _: {14: lasting_weight(conn, 14)}) == {14: 140}
        with db.write() as tx:
            tx.execute(update(coins).where(coins.c.id == 14).values(weight=141))
        assert lasting_values([14], lambda _: {14: lasting_weight(conn, 14)}) == {14: 141}
    with visit(db, known) as conn:
        assert lasting_weight(conn, 14) == 141


def test_what_was_read_while_another_wrote_does_not_last(db: Database, known: KnownAnswers) -> None:
    other = Database(db.url.render_as_string(hide_password=False))
    try:
        with visit(db, known) as conn:
            lasting_weight(conn, 15)  # the version of this block is read
            with other.write() as tx:
                tx.execute(update(coins).where(coins.c.id == 16).values(weight=160))
            assert lasting_weight(conn, 16) == 160
            with other.write() as tx:
                tx.execute(update(coins).where(coins.c.id == 16).values(weight=161))
        with visit(db, known) as conn:
            assert lasting_weight(conn, 16) == 161
    finally:
        other.dispose()
