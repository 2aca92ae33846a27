"""Slow reads beside quick ones, on a real database."""

import asyncio
import queue
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from ingot.kit.caller_work import AT_ONCE, MOST, CallerWork
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
SOON = 30.0
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


def test_a_caller_whose_work_keeps_a_processor_busy_has_one_turn_at_a_time() -> None:
    work, release = CallerWork(), threading.Event()
    lanes, begun = Lanes(4, 2, name="git", work=work), queue.SimpleQueue[tuple[str, bool]]()

    async def wait(host: str) -> None:
        serve_for(host)
        go_on = compute_until if host == "192.0.2.8" else partial(threading.Event.wait, timeout=PATIENCE)
        await lanes.run(lambda: (begun.put((host, work.is_heavy(host))), go_on(release)))

    async def begins() -> tuple[str, bool]:
        return await asyncio.to_thread(begun.get, timeout=PATIENCE)

    async def scenario() -> None:
        serve_for("192.0.2.8")
        await lanes.run(compute)
        work.note("192.0.2.8", 1.0)  # as if it had gone on: this machine may be busy
        tasks = [asyncio.create_task(wait(host)) for host in ("192.0.2.8", "192.0.2.8", "192.0.2.7", "192.0.2.7")]
        assert sorted([await begins() for _ in range(3)]) == [("192.0.2.7", False)] * 2 + [("192.0.2.8", True)]
        # Nobody's turn has ended; a moment later the caller is like any other.
        assert await begins() == ("192.0.2.8", False)
        release.set()
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
    lanes.close()


HEAVY, OTHER, THIRD = "192.0.2.8", "192.0.2.7", "192.0.2.9"


class Begun:
    """Work that says in whose name it began, and goes on until it is released."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._begun = queue.SimpleQueue[str]()
        self._releases: dict[str, threading.Event] = {}

    def ask(self, host: str, name: str, *, computes: bool = False) -> asyncio.Task[bool]:
        """Wait for a turn for this caller, whose work computes or waits."""
        release = self._releases[name] = threading.Event()

        def work() -> bool:
            self._begun.put(name)
            return compute_until(release) if computes else release.wait(PATIENCE)

        async def run() -> bool:
            serve_for(host)
            return await self._lanes.run(work)

        return asyncio.create_task(run())

    def release(self, *names: str) -> None:
        """Let these end."""
        for name in names:
            self._releases[name].set()

    async def next(self) -> str:
        """Whose work begins next."""
        return await asyncio.to_thread(self._begun.get, timeout=SOON)


def test_work_that_only_waits_keeps_a_heavy_caller_from_nothing() -> None:
    work = CallerWork()
    lanes = Lanes(4, 2, work=work)
    begun = Begun(lanes)

    async def scenario() -> None:
        work.note(HEAVY, PATIENCE)
        tasks = [begun.ask(HEAVY, name) for name in ("first", "second", "third")]
        assert [await begun.next() for _ in tasks] == ["first", "second", "third"]
        assert work.is_heavy(HEAVY)
        begun.release("first", "second", "third")
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
    lanes.close()


def test_others_are_not_kept_waiting_for_as_long_as_a_caller_is_heavy() -> None:
    work = CallerWork()
    lanes = Lanes(1, 3, work=work)
    begun = Begun(lanes)

    async def scenario() -> None:
        work.note(HEAVY, PATIENCE)
        first = begun.ask(HEAVY, "first", computes=True)
        assert await begun.next() == "first"
        second = begun.ask(HEAVY, "second", computes=True)
        # They take the turn of the first, which is slow, and then that of the one before.
        later = [begun.ask(OTHER, "other")]
        assert await begun.next() == "other"
        later.append(begun.ask(THIRD, "third"))
        assert await begun.next() == "third"
        begun.release("first", "second", "other", "third")
        await asyncio.gather(first, second, *later)

    asyncio.run(scenario())
    lanes.close()


def test_a_caller_who_becomes_heavy_while_more_waits_has_the_next_turn_in_time() -> None:
    work = CallerWork()
    lanes = Lanes(4, 2, most_per_caller=2, work=work)
    begun = Begun(lanes)

    async def scenario() -> None:
        tasks = [begun.ask(HEAVY, name, computes=True) for name in ("first", "second", "third")]
        assert {await begun.next(), await begun.next()} == {"first", "second"}
        work.note(HEAVY, 1.0)  # as if the first had computed
        begun.release("first")
        assert await begun.next() == "third"
        begun.release("second", "third")
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
    lanes.close()


def test_a_heavy_caller_has_the_next_turn_in_time_beside_one_with_too_many() -> None:
    work = CallerWork()
    lanes = Lanes(4, 2, most_per_caller=2, work=work)
    begun = Begun(lanes)

    async def scenario() -> None:
        tasks = [begun.ask(OTHER, f"other {number}") for number in range(3)]
        assert {await begun.next(), await begun.next()} == {"other 0", "other 1"}
        work.note(HEAVY, 1.0)
        tasks += [begun.ask(HEAVY, "first", computes=True), begun.ask(HEAVY, "second", computes=True)]
        assert [await begun.next(), await begun.next()] == ["first", "second"]
        begun.release("first", "second", *(f"other {number}" for number in range(3)))
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
    lanes.close()


def test_the_loop_goes_on_when_a_heavy_caller_waits_while_the_threads_end() -> None:
    work = CallerWork()
    lanes = Lanes(2, 1, work=work)
    begun = Begun(lanes)

    async def scenario() -> None:
        work.note(HEAVY, 0.6)
        tasks = [begun.ask(HEAVY, "first", computes=True), begun.ask(HEAVY, "second", computes=True)]
        assert await begun.next() == "first"
        await leave(tasks)
        closing = asyncio.create_task(asyncio.to_thread(lanes.close))
        is_past = asyncio.Event()  # the look that was due
        asyncio.get_running_loop().call_later(work.heavy_for(HEAVY) + 0.1, is_past.set)
        await is_past.wait()
        begun.release("first")
        await closing

    asyncio.run(scenario())


def test_the_work_of_many_callers_is_noted_from_several_threads() -> None:
    work, switch = CallerWork(), sys.getswitchinterval()

    for number in range(MOST):
        work.note(f"heavy {number}", PATIENCE)  # so that each note looks through all of them

    def note(network: int) -> None:
        for number in range(300):
            work.note(f"{network}.{number}", 1.0)

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as threads:
            assert list(threads.map(note, (1, 2))) == [None, None]
    finally:
        sys.setswitchinterval(switch)


def compute_until(release: threading.Event) -> bool:
    """Keep a processor busy until it is released."""
    until = time.monotonic() + PATIENCE
    while not release.is_set() and time.monotonic() < until:
        pass
    return release.is_set()


def compute() -> None:
    """Half a second of the processor, and a little more."""
    until = time.thread_time() + AT_ONCE + 0.2
    while time.thread_time() < until:
        pass


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
