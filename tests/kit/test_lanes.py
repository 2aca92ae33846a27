"""Slow reads beside quick ones, on a real database."""

import asyncio
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from ingot.kit.callers import serve_for
from ingot.kit.db import Database
from ingot.kit.errors import TooManyAtOnce
from ingot.kit.faults import as_api_error
from ingot.kit.lanes import Lanes
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


def long_statement(db: Database) -> str:
    """On PostgreSQL one that sleeps: it goes on after its caller left, and would take time from other tests."""
    return ENDLESS if db.is_sqlite else f"SELECT pg_sleep({PATIENCE})"


def close(db: Database, pools: Pools) -> None:
    """Close the pools, and end the statements for which nobody waits any more."""
    sleeping = "datname = current_database() AND query LIKE 'SELECT pg_sleep%%' AND pid <> pg_backend_pid()"
    closing = threading.Thread(target=pools.close)
    closing.start()
    while closing.is_alive():
        if not db.is_sqlite:
            read(db, f"SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE {sleeping}")
        closing.join(0.2)


async def leave(slow: list[asyncio.Task[Any]]) -> None:
    """Wait for these no longer."""
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)


@pytest.fixture
def patient(databases: Databases, tmp_path: Path) -> Iterator[Database]:
    """Ends no statement of its own accord while a test looks at it."""
    opened = Database(databases.fresh(tmp_path)).limited(PATIENCE)
    yield opened
    opened.dispose()


def test_quick_reads_pass_a_slow_one(patient: Database) -> None:
    pools = Pools(1, 2, slow=SLOW_PLACES, statement_timeout=PATIENCE)

    async def scenario() -> None:
        statement = long_statement(patient)
        slow = [
            asyncio.create_task(pools.run(lambda: read(patient, statement), wide=False)) for _ in range(SLOW_PLACES)
        ]
        await asyncio.sleep(0)
        quick = [await pools.run(lambda: read(patient, "SELECT 7"), wide=False) for _ in range(20)]

        assert quick == [7] * 20
        assert not any(task.done() for task in slow)
        await leave(slow)

    asyncio.run(scenario())
    close(patient, pools)


@pytest.mark.parametrize("wide", [False, True])
def test_a_statement_that_takes_too_long_is_answered_503(db: Database, pools: Pools, wide: bool) -> None:
    with pytest.raises(OperationalError) as raised:
        asyncio.run(pools.run(lambda: read(db, ENDLESS), wide=wide))

    known = as_api_error(raised.value)
    assert known is not None
    assert known.status == 503


def test_more_slow_reads_than_places_do_not_stop_the_quick_ones(patient: Database, db: Database) -> None:
    # On PostgreSQL none is ended to make room: the quick one comes when a slow one is over its time.
    db = patient if patient.is_sqlite else db
    pools = Pools(1, 2, slow=SLOW_PLACES, statement_timeout=PATIENCE)

    async def scenario() -> None:
        statement = long_statement(db)
        slow = [asyncio.create_task(pools.run(lambda: read(db, statement), wide=False)) for _ in range(SLOW_PLACES + 1)]
        await asyncio.sleep(0)
        assert await pools.run(lambda: read(db, "SELECT 7"), wide=False) == 7
        if db.is_sqlite:
            # The oldest was ended to make room; the newest goes on. One in between may have been ended after it, on a
            # machine that stood still before the first was noticed to have gone.
            assert (slow[0].done(), slow[-1].done()) == (True, False)
        await leave(slow)

    asyncio.run(scenario())
    close(db, pools)


def test_a_caller_who_leaves_while_waiting_keeps_no_turn(patient: Database) -> None:
    pools = Pools(1, 2, slow=SLOW_PLACES, statement_timeout=PATIENCE)

    async def scenario() -> None:
        first = asyncio.create_task(pools.run(lambda: read(patient, "SELECT 1"), wide=False))
        await asyncio.sleep(0)
        leaving = [asyncio.create_task(pools.run(lambda: read(patient, "SELECT 2"), wide=False)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in leaving:
            task.cancel()
        await asyncio.gather(first, *leaving, return_exceptions=True)

        assert [await pools.run(lambda: read(patient, "SELECT 7"), wide=False) for _ in range(5)] == [7] * 5

    asyncio.run(scenario())
    pools.close()


async def record(lanes: Lanes, host: str, order: list[str], begins: threading.Event) -> None:
    """Note in the thread whose turn came, once it may begin."""
    serve_for(host)
    await lanes.run(lambda: (begins.wait(PATIENCE), order.append(host)))


def test_a_caller_with_many_requests_delays_its_own() -> None:
    lanes, order, begins = Lanes(1, 0), list[str](), threading.Event()

    async def scenario() -> None:
        many = [asyncio.create_task(record(lanes, "2001:db8::1", order, begins)) for _ in range(6)]
        await asyncio.sleep(0)
        # Other addresses of the same network have no share of their own.
        many += [asyncio.create_task(record(lanes, f"2001:db8::{number}", order, begins)) for number in range(2, 5)]
        few = [asyncio.create_task(record(lanes, "192.0.2.7", order, begins)) for _ in range(2)]
        await asyncio.sleep(0)
        begins.set()
        await asyncio.gather(*many, *few)

    asyncio.run(scenario())
    lanes.close()
    assert len(order) == 11
    # By turns from when they waited; the second of the many had waited for longer.
    assert [place for place, host in enumerate(order) if host == "192.0.2.7"] == [2, 4]


def test_of_slow_work_the_greediest_caller_loses_the_oldest(patient: Database) -> None:
    if not patient.is_sqlite:
        pytest.skip("on PostgreSQL none is ended to make room")
    lanes, begun = Lanes(1, SLOW_PLACES, PATIENCE), threading.Semaphore(0)

    async def read_slowly(host: str, statement: str) -> object:
        serve_for(host)
        return await lanes.run(lambda: (begun.release(), read(patient, statement))[1])

    async def scenario() -> None:
        modest = asyncio.create_task(read_slowly("192.0.2.7", ENDLESS))
        await asyncio.sleep(0)
        greedy = [asyncio.create_task(read_slowly("192.0.2.8", ENDLESS)) for _ in range(SLOW_PLACES)]
        for _ in (modest, *greedy):
            await asyncio.to_thread(begun.acquire)
        assert await read_slowly("192.0.2.9", "SELECT 7") == 7
        assert [task.done() for task in (modest, greedy[0], greedy[-1])] == [False, True, False]
        await leave([modest, *greedy])

    asyncio.run(scenario())
    lanes.close()


def test_a_caller_has_so_many_turns_at_once_while_others_are_free() -> None:
    lanes, begins = Lanes(4, 2, name="git", most_per_caller=2), threading.Event()
    under_way = threading.Semaphore(0)

    async def work(host: str) -> None:
        serve_for(host)
        await lanes.run(lambda: (under_way.release(), begins.wait(PATIENCE)))

    async def scenario() -> None:
        greedy = [asyncio.create_task(work("192.0.2.8")) for _ in range(6)]
        await asyncio.sleep(0)
        modest = asyncio.create_task(work("192.0.2.7"))
        own = [asyncio.create_task(work("")) for _ in range(3)]  # the server's own work is nobody's
        # Two, one, and the three; the rest of the first caller's waits.
        for _ in range(6):
            assert await asyncio.to_thread(under_way.acquire, timeout=PATIENCE)
        assert not under_way.acquire(blocking=False)
        begins.set()
        await asyncio.gather(*greedy, modest, *own)

    asyncio.run(scenario())
    lanes.close()


def test_who_waits_too_long_for_work_of_their_own_is_refused() -> None:
    lanes, begins = Lanes(4, 0, most_per_caller=1, longest_wait=0.5), threading.Event()

    async def work(*, can_refuse: bool = True) -> None:
        serve_for("192.0.2.8")
        await lanes.run(lambda: begins.wait(PATIENCE), can_refuse=can_refuse)

    async def scenario() -> None:
        first = asyncio.create_task(work())
        await asyncio.sleep(0)
        begun_before = asyncio.create_task(work(can_refuse=False))
        await asyncio.sleep(0)
        with pytest.raises(TooManyAtOnce) as refused:
            await work()
        assert refused.value.status == 429
        assert refused.value.headers == {"Retry-After": "5"}
        assert not begun_before.done()
        begins.set()
        await first
        await begun_before
        await work()

    asyncio.run(scenario())
    lanes.close()


def test_a_busy_loop_does_not_hold_up_those_in_line() -> None:
    lanes, done = Lanes(1, 0), threading.Semaphore(0)

    async def scenario() -> None:
        tasks = [asyncio.create_task(lanes.run(done.release)) for _ in range(5)]
        await asyncio.sleep(0)
        # All of them are done while the loop does nothing but wait here.
        for _ in tasks:
            assert done.acquire(timeout=PATIENCE)
        assert not any(task.done() for task in tasks)
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
    lanes.close()


def test_after_a_burst_the_loop_has_a_round_before_the_next_in_line() -> None:
    lanes, order, all_came = Lanes(1, 0, burst=0.0), list[str](), threading.Event()

    async def scenario() -> None:
        loop = asyncio.get_running_loop()

        def work(number: int) -> None:
            order.append(f"work {number}")
            loop.call_soon_threadsafe(order.append, f"loop {number}")

        before = asyncio.create_task(lanes.run(lambda: all_came.wait(PATIENCE)))
        await asyncio.sleep(0)
        line = [asyncio.create_task(lanes.run(partial(work, number))) for number in range(4)]
        await asyncio.sleep(0)
        all_came.set()
        await asyncio.gather(before, *line)

    asyncio.run(scenario())
    lanes.close()

    assert order == [f"{who} {number}" for number in range(4) for who in ("work", "loop")]


def test_a_turn_whose_loop_ended_meanwhile_is_free_for_others() -> None:
    lanes, begun, ended = Lanes(1, 0, burst=0.0), threading.Event(), threading.Event()

    def work() -> bool:
        begun.set()
        return ended.wait(PATIENCE)

    async def leave() -> None:
        task = asyncio.create_task(lanes.run(work, can_end=False))
        await asyncio.to_thread(begun.wait, PATIENCE)
        task.cancel()

    async def come() -> str:
        return await lanes.run(lambda: "free")

    asyncio.run(leave())
    ended.set()

    assert asyncio.run(come()) == "free"
    lanes.close()


def test_slow_work_gives_way_after_a_loop_that_watched_it_has_ended() -> None:
    lanes, ends, passed = Lanes(1, 1), threading.Event(), threading.Event()

    async def leave() -> None:
        for task in [asyncio.create_task(lanes.run(lambda: ends.wait(PATIENCE))) for _ in range(2)]:
            await asyncio.sleep(0)
            task.cancel()

    async def come() -> bool:
        slow = asyncio.create_task(lanes.run(lambda: passed.wait(PATIENCE)))
        await asyncio.sleep(0)
        await lanes.run(passed.set)
        return await slow

    asyncio.run(leave())
    ends.set()

    assert asyncio.run(come())
    lanes.close()


def test_a_write_that_waits_for_a_later_one_does_not_stop_it() -> None:
    pools, written = Pools(1, 2, writes=1), threading.Event()

    async def scenario() -> list[bool]:
        first = asyncio.create_task(pools.run_write(lambda: written.wait(PATIENCE)))
        await asyncio.sleep(0)
        await pools.run_write(written.set)
        return [await first]

    assert asyncio.run(scenario()) == [True]
    pools.close()
