"""A caller whose work keeps a processor busy leaves turns to others."""

import asyncio
import queue
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from ingot.kit.caller_work import AT_ONCE, MOST, CallerWork
from ingot.kit.callers import serve_for
from ingot.kit.lanes import Lanes
from tests.kit.test_lanes import PATIENCE, leave

SOON = 30.0
HEAVY, OTHER, THIRD = "192.0.2.8", "192.0.2.7", "192.0.2.9"


def test_a_caller_whose_work_keeps_a_processor_busy_has_one_turn_at_a_time() -> None:
    work, release = CallerWork(), threading.Event()
    lanes, begun = Lanes(4, 2, name="git", work=work), queue.SimpleQueue[tuple[str, bool]]()

    async def wait(host: str) -> None:
        serve_for(host)
        go_on = compute_until if host == HEAVY else partial(threading.Event.wait, timeout=PATIENCE)
        await lanes.run(lambda: (begun.put((host, work.is_heavy(host))), go_on(release)))

    async def begins() -> tuple[str, bool]:
        return await asyncio.to_thread(begun.get, timeout=PATIENCE)

    async def scenario() -> None:
        serve_for(HEAVY)
        await lanes.run(compute)
        work.note(HEAVY, 1.0)  # as if it had gone on: this machine may be busy
        tasks = [asyncio.create_task(wait(host)) for host in (HEAVY, HEAVY, OTHER, OTHER)]
        assert sorted([await begins() for _ in range(3)]) == [(OTHER, False)] * 2 + [(HEAVY, True)]
        # Nobody's turn has ended; a moment later the caller is like any other.
        assert await begins() == (HEAVY, False)
        release.set()
        await asyncio.gather(*tasks)

    asyncio.run(scenario())
    lanes.close()


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
