"""Queries that go from their plan to the driver give what the library would give, on the suite's database."""

import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Date,
    Float,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    bindparam,
    event,
    func,
    insert,
    literal,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    MultipleResultsFound,
    NoResultFound,
    OperationalError,
    StatementError,
)

from ingot.kit.db import Database, Id, Json, UtcDateTime, counting_statements
from ingot.kit.statement_limit import StatementLimit
from ingot.kit.statements import WrittenOut
from ingot.kit.statements.connection import PlannedConnection, text_of
from tests.support.databases import Databases

things = Table(
    "statement_things",
    MetaData(),
    Column("id", Id, primary_key=True),
    Column("name", String(50), nullable=False, unique=True),
    Column("level", Integer, nullable=True),
    Column("weight", Float, nullable=True),
    Column("is_open", Boolean, nullable=True),
    Column("due", Date, nullable=True),
    Column("made_at", UtcDateTime, nullable=True),
    Column("details", Json, nullable=True),
)
MOMENT = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
FULL = {
    "id": 1,
    "name": "50%_off\\",
    "level": 7,
    "weight": 1.5,
    "is_open": True,
    "due": date(2026, 3, 2),
    "made_at": MOMENT,
    "details": {"a": [1, None, "é", 2.5], "b": {}},
}
EMPTY = {"id": 2, "name": "nothing"}
ZERO = {"id": 3, "name": "zero", "level": 0, "weight": 0.0, "is_open": False, "made_at": MOMENT, "details": []}
BY_IDS = select(things.c.id).where(things.c.id.in_(bindparam("ids", expanding=True))).order_by(things.c.id)
WRITTEN_OUT = select(things.c.id).where(things.c.id.in_(WrittenOut("ids", expanding=True))).order_by(things.c.id)
BY_NAMES = select(things.c.id).where(things.c.name.in_(bindparam("names", expanding=True))).order_by(things.c.id)
NOT_IDS = select(things.c.id).where(things.c.id.not_in(bindparam("ids", expanding=True))).order_by(things.c.id)
BY_ID = select(things).where(things.c.id == bindparam("thing_id"))


@pytest.fixture(scope="module")
def db(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = tmp_path_factory.mktemp("statements")
    database = Database(databases.fresh(folder))
    with database.write() as tx:
        things.create(tx)
        for values in (FULL, EMPTY, ZERO):
            tx.execute(insert(things).values(**values))
    yield database
    database.dispose()


@pytest.fixture
def conn(db: Database) -> Iterator[Connection]:
    with db.read() as connection:
        yield connection


def ids(conn: Connection, statement: Select[Any], **values: object) -> list[int]:
    return list(conn.execute(statement, values).scalars())


def test_every_type_comes_back_as_it_went_in(conn: Connection) -> None:
    full, empty, zero = conn.execute(select(things).order_by(things.c.id)).all()

    assert {name: getattr(full, name) for name in FULL} == FULL
    assert full.made_at.tzinfo is UTC
    assert full.is_open is True
    assert [*empty][2:] == [None] * 6
    assert (zero.level, zero.weight, zero.is_open, zero.details) == (0, 0.0, False, [])
    assert zero.is_open is False


def test_a_statement_runs_the_shorter_way_and_reads_as_the_library_does(db: Database) -> None:
    statement = select(things, func.count().over().label("count")).order_by(things.c.id)

    with db.read() as conn:
        assert isinstance(conn, PlannedConnection)
        planned = conn.execute(statement).all()
        library = Connection.execute(conn, statement).all()

    assert [tuple(row) for row in planned] == [tuple(row) for row in library]
    assert [row._asdict() for row in planned] == [row._asdict() for row in library]
    assert [dict(row._mapping) for row in planned] == [dict(row._mapping) for row in library]
    assert planned[0].count == 3


def test_the_values_of_an_equal_shape_are_its_own(conn: Connection) -> None:
    def named(name: str, limit: int) -> list[int]:
        return ids(conn, select(things.c.id).where(things.c.name == name).limit(limit))

    assert [named("zero", 1), named("nothing", 2), named("zero", 0), named("nobody", 9)] == [[3], [2], [], []]


def test_a_constant_takes_its_values_at_each_run(conn: Connection) -> None:
    assert [conn.execute(BY_ID, {"thing_id": number}).one().name for number in (3, 2, 3)] == ["zero", "nothing", "zero"]


def test_a_missing_value_is_an_error_of_the_program(conn: Connection) -> None:
    for _ in range(2):  # with and without a plan
        with pytest.raises(StatementError, match="thing_id"):
            conn.execute(BY_ID)


@pytest.mark.parametrize("kind", [list, tuple, set, iter])
def test_a_named_list_is_one_value(conn: Connection, kind: Any) -> None:
    assert ids(conn, BY_IDS, ids=kind([3, 1, 99])) == [1, 3]
    assert ids(conn, BY_NAMES, names=kind(["zero", 'quo"te', "50%_off\\"])) == [1, 3]
    assert ids(conn, NOT_IDS, ids=kind([3, 1])) == [2]


def test_an_empty_list_has_nothing_in_it(conn: Connection) -> None:
    assert ids(conn, BY_IDS, ids=[]) == []
    assert ids(conn, BY_NAMES, names=[]) == []
    assert ids(conn, NOT_IDS, ids=[]) == [1, 2, 3]
    assert ids(conn, select(things.c.id).where(things.c.id.in_([]))) == []
    assert ids(conn, select(things.c.id).where(things.c.id.not_in([])).order_by(things.c.id)) == [1, 2, 3]


def test_lists_of_any_length_share_a_statement(conn: Connection) -> None:
    for numbers in ([1], [1, 2], [2, 3, 1], []):
        by_value = select(things.c.id).where(things.c.id.in_(numbers), things.c.name.not_in(["x", "y"]))
        assert ids(conn, by_value.order_by(things.c.id)) == sorted(numbers)
    assert ids(conn, BY_IDS, ids=range(100_000)) == [1, 2, 3]


def test_a_list_that_is_written_out_has_as_many_parameters_as_values_on_sqlite(conn: Connection) -> None:
    for numbers in ([1], [3, 1], [2, 3, 1], []):
        for _ in range(3):
            assert ids(conn, WRITTEN_OUT, ids=numbers) == sorted(numbers)

    key = text_of(conn, WRITTEN_OUT, {"ids": [3, 1]})
    assert key is not None
    assert key[1:] == ((3, 1) if conn.dialect.name == "sqlite" else ((3, 1),))


def test_lists_of_moments_and_dates_are_bound_as_such(conn: Connection) -> None:
    assert ids(conn, select(things.c.id).where(things.c.made_at.in_([MOMENT])).order_by(things.c.id)) == [1, 3]
    assert ids(conn, select(things.c.id).where(things.c.due.in_([date(2026, 3, 2)]))) == [1]
    at = select(things.c.id).where(things.c.made_at.in_(bindparam("moments", expanding=True))).order_by(things.c.id)
    assert ids(conn, at, moments=[MOMENT]) == [1, 3]


def test_the_same_list_may_stand_twice(conn: Connection) -> None:
    numbers = bindparam("ids", expanding=True)
    either = select(things.c.id).where(things.c.id.in_(numbers) | things.c.level.in_(numbers)).order_by(things.c.id)

    assert ids(conn, either, ids=[7, 2]) == [1, 2]


def test_wildcards_in_a_search_are_letters(conn: Connection) -> None:
    assert ids(conn, select(things.c.id).where(things.c.name.contains("%_", autoescape=True))) == [1]
    assert ids(conn, select(things.c.id).where(things.c.name.like("%\\\\", escape="\\"))) == [1]
    assert ids(conn, select(things.c.id).where(things.c.name.startswith("_", autoescape=True))) == []


def test_columns_of_one_name_stay_apart(conn: Connection) -> None:
    other = things.alias("other")
    row = conn.execute(
        select(things.c.id, other.c.id, literal("x").label("class"))
        .join_from(things, other, other.c.id == things.c.id + 1)
        .where(things.c.id == 1)
    ).one()

    assert (row.id, row.id_1, tuple(row)) == (1, 2, (1, 2, "x"))


def test_a_union_is_a_query_too(conn: Connection) -> None:
    both = union_all(select(things.c.id, things.c.details).where(things.c.id == 1), select(literal(9), literal(None)))

    assert [(row.id, row.details) for row in conn.execute(both).all()] == [(1, FULL["details"]), (9, None)]


def test_asking_for_one_minds_the_number(conn: Connection) -> None:
    everything, nothing = select(things.c.id).order_by(things.c.id), select(things.c.id).where(things.c.id == 99)

    assert conn.execute(nothing).one_or_none() is None
    assert conn.execute(nothing).first() is None
    assert conn.execute(nothing).scalar_one_or_none() is None
    assert conn.execute(everything).scalar() == 1
    for ask in ("one", "one_or_none", "scalar_one", "scalar_one_or_none"):
        with pytest.raises(MultipleResultsFound):
            getattr(conn.execute(everything), ask)()
    for ask in ("one", "scalar_one"):
        with pytest.raises(NoResultFound):
            getattr(conn.execute(nothing), ask)()
    assert conn.execute(everything).scalars().first() == 1
    assert list(conn.execute(everything)) == [(1,), (2,), (3,)]


def test_a_transaction_sees_what_it_wrote_and_nobody_does_after_a_rollback(db: Database) -> None:
    seen: list[list[int]] = []

    def write_and_fail() -> None:
        with db.write() as tx, db.read() as conn:
            tx.execute(insert(things).values(id=4, name="four"))
            seen.extend(ids(one, BY_IDS, ids=[3, 4]) for one in (tx, conn))
            tx.execute(insert(things).values(id=5, name="zero"))

    with pytest.raises(IntegrityError):
        write_and_fail()

    assert seen == [[3, 4], [3]]
    with db.read() as conn:
        assert ids(conn, BY_IDS, ids=[3, 4]) == [3]


def test_a_reader_sees_the_newest_data_at_each_statement(db: Database) -> None:
    seen = []
    with db.read() as conn:
        for level in (5, 6, 7):
            with db.write() as tx:
                tx.execute(update(things).where(things.c.id == 1).values(level=level))
            seen.append(conn.execute(BY_ID, {"thing_id": 1}).one().level)

    assert seen == [5, 6, 7]


def test_statements_are_counted_once(conn: Connection) -> None:
    with counting_statements() as counter:
        ids(conn, BY_IDS, ids=[1])
        ids(conn, BY_IDS, ids=[])
        ids(conn, select(things.c.id).where(things.c.id.in_([])))
        conn.execute(text("SELECT 1"))

    assert counter == [4]


def test_a_listener_on_a_connection_hears_of_queries(conn: Connection) -> None:
    heard: list[str] = []
    event.listen(conn, "before_cursor_execute", lambda *given: heard.append(given[2]))

    ids(conn, BY_IDS, ids=[1])

    assert len(heard) == 1
    assert "statement_things" in heard[0]


def test_faults_are_the_library_s_and_hide_values(db: Database) -> None:
    missing = Table("statement_missing", MetaData(), Column("id", Integer), Column("name", String))
    with db.read() as conn:
        with pytest.raises(DBAPIError) as caught:
            conn.execute(select(missing).where(missing.c.name == "secret-value"))
        assert "secret-value" not in str(caught.value)
        assert ids(conn, BY_IDS, ids=[1]) == [1], "the connection goes on"


LIMIT = 1.0  # seconds; what a session asks when it begins takes less, also on a busy machine


def test_a_query_over_its_time_is_ended(databases: Databases, tmp_path: Path) -> None:
    database = Database(databases.fresh(tmp_path), statement_timeout=LIMIT)
    numbers = select(literal(1).label("n")).cte("numbers", recursive=True)
    numbers = numbers.union_all(select(numbers.c.n + 1).where(numbers.c.n < 10**9))
    endless = select(func.count()).select_from(numbers)
    caught: list[BaseException] = []

    def ask() -> None:
        with database.read() as conn:
            try:
                StatementLimit(LIMIT).run(lambda: conn.execute(endless).scalar_one())
            except OperationalError as error:
                caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join(300)
    database.dispose()

    assert len(caught) == 1
