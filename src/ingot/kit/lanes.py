"""Threads for reading: few reads at once, because that is fastest, but a slow read gives its turn to the next one.

A read that has run for `PATIENCE` seconds while others wait becomes a slow one and no longer counts. The slow ones
are limited too. While all their places are taken and somebody waits, the oldest is ended after `LONGEST` seconds.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ingot.kit.statement_limit import StatementLimit

T = TypeVar("T")

PATIENCE = 0.04
LONGEST = 2.0


class Turn:
    """One read under way."""

    __slots__ = ("is_slow", "limit", "started")

    def __init__(self, started: float, limit: StatementLimit) -> None:
        self.started = started
        self.limit = limit
        self.is_slow = False


class Lanes:
    """Runs reads in threads; belongs to one event loop."""

    def __init__(self, turns: int, slow: int, statement_timeout: float = 0.0) -> None:
        self._free = turns
        self._slow_places = slow
        self._statement_timeout = statement_timeout
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._running: dict[Turn, None] = {}
        self._check: asyncio.TimerHandle | None = None
        self._threads = ThreadPoolExecutor(turns + slow, thread_name_prefix="read")

    async def run(self, work: Callable[[], T]) -> T:
        """Wait for a turn and run the work in a thread."""
        loop = asyncio.get_running_loop()
        if self._free:
            self._free -= 1
        else:
            await self._wait(loop)
        turn = Turn(loop.time(), StatementLimit(self._statement_timeout))
        self._running[turn] = None
        try:
            return await loop.run_in_executor(self._threads, turn.limit.run, work)
        except asyncio.CancelledError:
            turn.limit.is_ended = True  # nobody waits for it any more
            raise
        finally:
            self._end(turn)

    async def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiting.append(waiter)
        self._watch(loop)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                self._pass_on()  # the turn came at the same moment
            raise

    def _end(self, turn: Turn) -> None:
        del self._running[turn]
        if turn.is_slow:
            self._slow_places += 1
        else:
            self._pass_on()

    def _pass_on(self) -> None:
        """Give a turn to the first who waits."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
        self._free += 1

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Look at the running reads when the oldest has used up its patience; costs nothing while nobody waits."""
        if self._check is not None or not self._waiting:
            return
        quick = [turn.started for turn in self._running if not turn.is_slow]
        due = min(quick, default=loop.time()) + PATIENCE
        self._check = loop.call_at(max(due, loop.time() + 0.005), self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self._check = None
        now = loop.time()
        for turn in [turn for turn in self._running if not turn.is_slow and now - turn.started >= PATIENCE]:
            if not self._waiting:
                break
            if not self._slow_places:
                self._end_longest(now)
                break
            self._slow_places -= 1
            turn.is_slow = True
            self._pass_on()
        self._watch(loop)

    def _end_longest(self, now: float) -> None:
        oldest = min(self._running, key=lambda turn: turn.started)
        if now - oldest.started >= LONGEST:
            oldest.limit.is_ended = True

    def close(self) -> None:
        """Wait for running work and end the threads."""
        self._threads.shutdown(wait=True, cancel_futures=True)
