"""Slow reads beside quick ones, on a real database."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from ingot.kit.db import Database
from ingot.kit.faults import as_api_error
from ingot.kit.services import Pools
from tests.support.databases import Databases

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
SECONDS = 1.0
PATIENCE = 120.0
SLOW_PLACES = 3


@pytest.fixture(scope="module")
def db(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = Database(databases.fresh(tmp_path_factory.mktemp("data")))
    limited = opened.limited(SECONDS)
    yield limited
    limited.dispose()


@pytest.fixture
def pools(tmp_path: Path) -> Iterator[Pools]:
    opened = Pools(1, 2, slow=SLOW_PLACES, statement_timeout=SECONDS)
    yield opened
    opened.close()


def read(db: Database, statement: str) -> Any:
    with db.read() as conn:
        return conn.exec_driver_sql(statement).scalar()


@pytest.fixture
def patient(databases: Databases, tmp_path: Path) -> Iterator[Database]:
    """Ends no statement of its own accord while a test looks at it."""
    opened = Database(databases.fresh(tmp_path)).limited(PATIENCE)
    yield opened
    opened.dispose()


def test_quick_reads_pass_a_slow_one(patient: Database) -> None:
    pools = Pools(1, 2, slow=SLOW_PLACES, statement_timeout=PATIENCE)

    async def scenario() -> None:
        slow = [asyncio.create_task(pools.run(lambda: read(patient, ENDLESS), wide=False)) for _ in range(SLOW_PLACES)]
        await asyncio.sleep(0)
        quick = [await pools.run(lambda: read(patient, "SELECT 7"), wide=False) for _ in range(20)]

        assert quick == [7] * 20
        assert not any(task.done() for task in slow)
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)

    asyncio.run(scenario())
    pools.close()


@pytest.mark.parametrize("wide", [False, True])
def test_a_statement_that_takes_too_long_is_answered_503(db: Database, pools: Pools, wide: bool) -> None:
    with pytest.raises(OperationalError) as raised:
        asyncio.run(pools.run(lambda: read(db, ENDLESS), wide=wide))

    known = as_api_error(raised.value)
    assert known is not None
    assert known.status == 503


def test_more_slow_reads_than_places_do_not_stop_the_quick_ones(patient: Database) -> None:
    db, pools = patient, Pools(1, 2, slow=SLOW_PLACES, statement_timeout=PATIENCE)

    async def scenario() -> None:
        slow = [asyncio.create_task(pools.run(lambda: read(db, ENDLESS), wide=False)) for _ in range(SLOW_PLACES + 1)]
        await asyncio.sleep(0)
        assert await pools.run(lambda: read(db, "SELECT 7"), wide=False) == 7
        if db.is_sqlite:
            # The oldest was ended to make room; the others go on.
            assert [task.done() for task in slow] == [True, *[False] * SLOW_PLACES]
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)

    asyncio.run(scenario())
    pools.close()


def test_a_caller_who_leaves_while_waiting_keeps_no_turn(db: Database, pools: Pools) -> None:
    async def scenario() -> None:
        first = asyncio.create_task(pools.run(lambda: read(db, "SELECT 1"), wide=False))
        await asyncio.sleep(0)
        leaving = [asyncio.create_task(pools.run(lambda: read(db, "SELECT 2"), wide=False)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in leaving:
            task.cancel()
        await asyncio.gather(first, *leaving, return_exceptions=True)

        assert [await pools.run(lambda: read(db, "SELECT 7"), wide=False) for _ in range(5)] == [7] * 5

    asyncio.run(scenario())
