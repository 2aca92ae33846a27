"""Threads of which only a few run at once, because that is fastest. Slow work gives its turn to the next in line.

Work that has run for `PATIENCE` seconds while others wait becomes slow and no longer counts. The slow places are
limited too. While all of them are taken and somebody waits, the oldest read is ended after `LONGEST` seconds.

A turn goes to whoever waits and has the fewest turns, so that a caller with many requests delays its own. One caller
has at most `most_per_caller` at once where that is set, slow ones included, also while others are free.
"""

import asyncio
import sys
from collections import Counter, deque
from collections.abc import Callable
from typing import TypeVar

from ingot.kit.callers import current_caller
from ingot.kit.errors import TooManyAtOnce
from ingot.kit.statement_limit import StatementLimit
from ingot.kit.threads import Threads

T = TypeVar("T")
PATIENCE = 0.04
LONGEST = 2.0
GRACE = 0.5


class Turn:
    """One piece of work under way."""

    __slots__ = ("caller", "can_end", "is_slow", "limit", "started")

    def __init__(self, caller: str, started: float, limit: StatementLimit, can_end: bool) -> None:
        self.caller = caller
        self.started = started
        self.limit = limit
        self.can_end = can_end
        self.is_slow = False


class Lanes:
    """Runs work in threads; belongs to one event loop."""

    def __init__(
        self,
        turns: int,
        slow: int,
        statement_timeout: float = 0.0,
        name: str = "read",
        *,
        most_per_caller: int | None = None,
        longest_wait: float = 0.0,
    ) -> None:
        self._free = turns
        self._most_per_caller = most_per_caller or sys.maxsize
        self._longest_wait = longest_wait  # seconds; 0 means no end
        self._slow_places = slow
        self._statement_timeout = statement_timeout
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by caller
        self._turns: Counter[str] = Counter()  # of each caller
        self._running: dict[Turn, None] = {}
        self._ended: Turn | None = None
        self._ended_at = 0.0
        self._check: asyncio.TimerHandle | None = None
        self._threads = Threads(turns + slow, name)

    async def run(self, work: Callable[[], T], *, can_end: bool = True, can_refuse: bool = True) -> T:
        """Wait for a turn and run the work in a thread. Work that must not stop half-way says `can_end=False`.

        A part of something that has begun says `can_refuse=False`: it waits for its turn, however long that takes.
        """
        loop = asyncio.get_running_loop()
        caller = current_caller()
        if self._free and self._may_have_more(caller):
            self._free -= 1
            self._turns[caller] += 1
        else:
            await self._wait(loop, caller, self._longest_wait if can_refuse else 0.0)
        turn = Turn(caller, loop.time(), StatementLimit(self._statement_timeout), can_end)
        self._running[turn] = None
        try:
            return await self._threads.run(lambda: turn.limit.run(work))
        except asyncio.CancelledError:
            turn.limit.is_ended = can_end  # nobody waits for it any more
            raise
        finally:
            self._end(turn)

    async def _wait(self, loop: asyncio.AbstractEventLoop, caller: str, longest: float) -> None:
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(caller, deque()).append(waiter)
        self._watch(loop)
        late = loop.call_later(longest, self._refuse, caller, waiter) if longest else None
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                self._leave(caller)  # the turn came at the same moment
                self._pass_on()
            raise
        finally:
            if late is not None:
                late.cancel()

    def _refuse(self, caller: str, waiter: "asyncio.Future[None]") -> None:
        """Only who waits for work of their own; others wait for as long as the server is busy."""
        if not waiter.done() and not self._may_have_more(caller):
            waiter.set_exception(TooManyAtOnce())

    def _may_have_more(self, caller: str) -> bool:
        return not caller or self._turns[caller] < self._most_per_caller

    def _end(self, turn: Turn) -> None:
        del self._running[turn]
        self._leave(turn.caller)
        if not turn.is_slow:
            self._pass_on()
            return
        self._slow_places += 1
        if self._free and self._waiting:
            self._free -= 1  # the caller may have one more now
            self._pass_on()

    def _leave(self, caller: str) -> None:
        self._turns[caller] -= 1
        if not self._turns[caller]:
            del self._turns[caller]

    def _pass_on(self) -> None:
        """Give a turn to the first in line of the caller with the fewest, if that is not too many."""
        while (caller := self._next()) is not None:
            line = self._waiting.pop(caller)
            waiter = line.popleft()
            if line:
                self._waiting[caller] = line  # behind those with as few turns
            if not waiter.done():
                self._turns[caller] += 1
                waiter.set_result(None)
                return
        self._free += 1

    def _next(self) -> str | None:
        """Whose turn it is; None where nobody waits who may have one more."""
        return min(filter(self._may_have_more, self._waiting), key=self._turns.__getitem__, default=None)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Check the running work when the oldest has run out of time; costs nothing while nobody waits."""
        if self._check is not None or self._next() is None:
            return
        quick = [turn.started for turn in self._running if not turn.is_slow]
        due = min(quick, default=loop.time()) + PATIENCE
        self._check = loop.call_at(max(due, loop.time() + 0.005), self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self._check = None
        now = loop.time()
        for turn in [turn for turn in self._running if not turn.is_slow and now - turn.started >= PATIENCE]:
            if self._next() is None:
                break
            if not self._slow_places:
                self._end_longest(now)
                break
            self._slow_places -= 1
            turn.is_slow = True
            self._pass_on()
        self._watch(loop)

    def _end_longest(self, now: float) -> None:
        """End the oldest work of whoever has the most turns.

        One at a time: the next follows when this one has ended, or does not react.
        """
        if self._ended in self._running and now - self._ended_at < GRACE:
            return
        endable = [turn for turn in self._running if turn.can_end and not turn.limit.is_ended]
        chosen = min(endable, key=lambda turn: (-self._turns[turn.caller], turn.started), default=None)
        if chosen is not None and now - chosen.started >= LONGEST:
            chosen.limit.is_ended = True
            self._ended, self._ended_at = chosen, now

    def close(self) -> None:
        """Wait for running work and end the threads."""
        self._threads.close()
