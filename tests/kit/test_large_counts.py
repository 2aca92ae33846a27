"""A list that is far too long for a total is not counted for each of its pages."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, bindparam, func, select, text

from ingot.kit.db import Database, counting_statements
from ingot.kit.large_counts import COUNT_LIMIT, MARGIN, count_up_to_limit
from tests.support.databases import Databases

_metadata = MetaData()
numbers = Table("numbers", _metadata, Column("number", Integer, primary_key=True))
_UP_TO = select(numbers.c.number).where(numbers.c.number <= bindparam("last")).limit(COUNT_LIMIT + MARGIN + 1)
COUNT = select(func.count()).select_from(_UP_TO.subquery())


@pytest.fixture(scope="module")
def db(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = Database(databases.fresh(tmp_path_factory.mktemp("counts")))
    _metadata.create_all(database.writer)
    with database.write() as tx:
        tx.execute(
            text(
                "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 13000)"
                " INSERT INTO numbers SELECT n FROM up"
            )
        )
    yield database
    database.dispose()


def _counted(db: Database, last: int) -> tuple[int, int]:
    """The number, and how many statements it took."""
    with db.read() as conn, counting_statements() as counter:
        return count_up_to_limit(conn, COUNT, {"last": last}), counter[0]


def test_a_list_far_above_the_limit_is_counted_once(db: Database) -> None:
    first, second = _counted(db, 12_500), _counted(db, 12_500)

    assert first == (COUNT_LIMIT + MARGIN + 1, 1)
    assert second == (COUNT_LIMIT + 1, 0)


def test_a_list_near_the_limit_is_counted_each_time(db: Database) -> None:
    assert [_counted(db, 12_000) for _ in range(2)] == [(12_000, 1)] * 2


def test_other_values_and_other_databases_are_other_lists(
    db: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _counted(db, 12_600)
    empty = Database(f"sqlite:///{tmp_path_factory.mktemp('other')}/other.db")
    _metadata.create_all(empty.writer)

    assert _counted(db, 5) == (5, 1)
    assert _counted(empty, 12_600) == (0, 1)
    empty.dispose()
