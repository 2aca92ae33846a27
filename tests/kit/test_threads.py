"""Work that an event loop hands to threads."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from ingot.kit.threads import Threads


@pytest.fixture
def threads() -> Iterator[Threads]:
    opened = Threads(2, "test")
    yield opened
    opened.close()


def test_results_and_faults_come_back(threads: Threads) -> None:
    async def scenario() -> None:
        assert await threads.run(lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await threads.run(lambda: 1 // 0)
        assert await threads.run(threading.get_ident) != threading.get_ident()

    asyncio.run(scenario())
    asyncio.run(scenario())  # another loop


def test_no_more_threads_than_allowed_and_none_too_few(threads: Threads) -> None:
    together = threading.Barrier(2, timeout=60)

    async def scenario() -> set[int]:
        def meet() -> int:
            together.wait()
            return threading.get_ident()

        return set(await asyncio.gather(*(threads.run(meet) for _ in range(6))))

    assert len(asyncio.run(scenario())) == 2


def test_work_that_was_given_up_before_it_began_is_not_done(threads: Threads) -> None:
    release, done = threading.Event(), []

    async def scenario() -> None:
        busy = [threads.run(lambda: release.wait(60)) for _ in range(2)]
        waiting = threads.run(lambda: done.append("late"))
        waiting.cancel()
        release.set()
        assert await asyncio.gather(*busy) == [True, True]
        assert await threads.run(lambda: "next") == "next"

    asyncio.run(scenario())
    assert done == []


def test_closing_waits_for_what_runs_and_takes_nothing_more() -> None:
    threads = Threads(1, "test")

    async def scenario() -> None:
        assert await threads.run(lambda: 1) == 1
        threads.close()
        with pytest.raises(RuntimeError, match="have ended"):
            threads.run(lambda: 2)

    asyncio.run(scenario())
    assert not any(thread.name.startswith("test_") for thread in threading.enumerate())
