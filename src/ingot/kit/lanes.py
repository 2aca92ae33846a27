"""Threads of which only a few run at once, because that is fastest. Slow work gives its turn to the next in line.

Work that has run for `PATIENCE` seconds while others wait becomes slow and no longer counts. The slow places are
limited too. While all of them are taken and somebody waits, the oldest read is ended after `LONGEST` seconds.

A turn goes to whoever waits and has the fewest turns, so that a caller with many requests delays its own. One caller
has at most `most_per_caller` at once where that is set, slow ones included, also while others are free. A caller whose
work keeps a processor busy has one at a time (`kit.caller_work`), but for those that only wait, for git or a database.

A thread that is done takes the next in line itself: a busy event loop comes to it only after all that it was sent
meanwhile, and a queue that it moves by one each time hardly moves. With a `burst` it does so for that long, and then
the loop has a round first: threads and loop share one interpreter, and this bounds the threads' part of it.
"""

import asyncio
import math
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import clock_gettime, monotonic, pthread_getcpuclockid, thread_time
from typing import Any, NamedTuple, TypeVar

from ingot.kit.caller_work import CallerWork
from ingot.kit.callers import current_caller
from ingot.kit.errors import TooManyAtOnce
from ingot.kit.statement_limit import StatementLimit
from ingot.kit.threads import Threads, finish

T = TypeVar("T")
PATIENCE = 0.04
LONGEST = 2.0
GRACE = 0.5
HARDLY = 0.1  # of a processor: work that computes less waits for something
CLEAR = 0.2  # seconds until that can be told


class Turn:
    """One piece of work, waiting or under way."""

    __slots__ = ("caller", "can_end", "clock", "future", "is_slow", "limit", "loop", "spent", "started", "work")

    def __init__(self, work: Callable[[], object], limit: StatementLimit, *, can_end: bool) -> None:
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.caller = current_caller()
        self.work = work
        self.limit = limit
        self.can_end = can_end
        self.is_slow = False
        self.started = 0.0  # not yet
        self.spent = 0.0  # seconds of the processor; while it runs, what the thread had spent before
        self.clock: int | None = None  # of the thread, once that has begun

    def do(self) -> None:
        """Do the work in this thread; whoever waits for it is told."""
        result: Any = None
        error: BaseException | None = None
        before = self.spent = thread_time()
        self.clock = pthread_getcpuclockid(threading.get_ident())
        try:
            result = self.limit.run(self.work)
        except BaseException as raised:  # noqa: BLE001 - it is raised again where the work is waited for
            error = raised
        self.spent = thread_time() - before
        with suppress(RuntimeError):  # the loop has ended, nobody waits
            self.loop.call_soon_threadsafe(finish, self.future, result, error)

    def waits(self, now: float) -> bool:
        """Whether it has hardly computed in all the time since it began; only of work under way."""
        since = now - self.started
        return self.clock is not None and since >= CLEAR and clock_gettime(self.clock) - self.spent < HARDLY * since


class _Watch(NamedTuple):
    """The next look after the running work."""

    loop: asyncio.AbstractEventLoop
    due: float
    timer: asyncio.TimerHandle


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
        burst: float = math.inf,
        work: CallerWork | None = None,
    ) -> None:
        self._lock = threading.Lock()  # for all that follows: threads end their turns themselves
        self._free = turns
        self._most_per_caller = most_per_caller or sys.maxsize
        self._longest_wait = longest_wait  # seconds; 0 means no end
        self._burst = burst  # seconds
        self._slow_places = slow
        self._statement_timeout = statement_timeout
        self._waiting: dict[str, deque[Turn]] = {}  # by caller
        self._turns: Counter[str] = Counter()  # of each caller
        self._work = work or CallerWork()
        self._running: dict[Turn, None] = {}
        self._ended: Turn | None = None
        self._ended_at = 0.0
        self._watching: _Watch | None = None
        self._is_closed = False
        self._threads = Threads(turns + slow, name)

    async def run(self, work: Callable[[], T], *, can_end: bool = True, can_refuse: bool = True) -> T:
        """Wait for a turn and run the work in a thread. Work that must not stop half-way says `can_end=False`.

        A part of something that has begun says `can_refuse=False`: it waits for its turn, however long that takes.
        """
        turn = Turn(work, StatementLimit(self._statement_timeout), can_end=can_end)
        late: asyncio.TimerHandle | None = None
        with self._lock:
            has_turn = self._free > 0 and self._may_have_more(turn.caller)
            if has_turn:
                self._free -= 1
                self._begin(turn)
            else:
                self._waiting.setdefault(turn.caller, deque()).append(turn)
                self._watch(turn.loop)
        if has_turn:
            self._threads.run(partial(self._do_all, turn))
        elif can_refuse and self._longest_wait:
            late = turn.loop.call_later(self._longest_wait, self._refuse, turn)
        try:
            result: T = await turn.future
        except asyncio.CancelledError:
            turn.limit.is_ended = can_end  # nobody waits for it any more
            raise
        finally:
            if late is not None:
                late.cancel()
        return result

    def _do_all(self, turn: Turn) -> None:
        """Do this and then, in the same thread, whatever is next in line."""
        until = monotonic() + self._burst
        following: Turn | None = turn
        while following is not None:
            following.do()
            with self._lock:
                following = self._end(following)
                if following is None:
                    self._look_soon()
            if following is not None and monotonic() >= until and self._hand_on(following):
                return

    def _hand_on(self, turn: Turn) -> bool:
        """Have the loop that waits for a turn begin it; False where that loop has ended. The one of the turn before may
        have: whoever calls the server from inside has a loop for each call."""
        try:
            turn.loop.call_soon_threadsafe(self._threads.run, partial(self._do_all, turn))
        except RuntimeError:
            return False
        return True

    def _refuse(self, turn: Turn) -> None:
        """Only who waits for work of their own; others wait for as long as the server is busy."""
        with self._lock:
            has_most = bool(turn.caller) and self._turns[turn.caller] >= self._most_per_caller
            if has_most and not (turn.started or turn.future.done()):
                turn.future.set_exception(TooManyAtOnce())

    def _may_have_more(self, caller: str) -> bool:
        if not caller:
            return True
        turns = self._turns[caller]
        return turns < self._most_per_caller and not (turns and self._work.is_heavy(caller) and self._computes(caller))

    def _computes(self, caller: str) -> bool:
        now = monotonic()
        return any(turn.caller == caller and not turn.waits(now) for turn in self._running)

    def _begin(self, turn: Turn) -> None:
        turn.started = monotonic()  # the loop's own clock stands still while it works
        self._turns[turn.caller] += 1
        self._running[turn] = None

    def _end(self, turn: Turn) -> Turn | None:
        """Give up a turn; returns who has it now."""
        del self._running[turn]
        self._work.note(turn.caller, turn.spent)
        self._turns[turn.caller] -= 1
        if not self._turns[turn.caller]:
            del self._turns[turn.caller]
        if turn.is_slow:
            self._slow_places += 1
            if not (self._free and self._waiting):
                return None
            self._free -= 1  # the caller may have one more now
        return self._pass_on()

    def _pass_on(self) -> Turn | None:
        """Give a turn to the first in line of the caller with the fewest, if that is not too many."""
        while not self._is_closed and (caller := self._next()) is not None:
            line = self._waiting.pop(caller)
            turn = line.popleft()
            if line:
                self._waiting[caller] = line  # behind those with as few turns
            if not turn.future.done():
                self._begin(turn)
                return turn
        self._free += 1
        return None

    def _next(self) -> str | None:
        """Whose turn it is; None where nobody waits who may have one more."""
        return min(filter(self._may_have_more, self._waiting), key=self._turns.__getitem__, default=None)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Check the running work when the oldest has run out of time; costs nothing while nobody waits."""
        watch = self._watch_ahead()
        if not self._waiting or (watch is not None and watch.due <= loop.time() + PATIENCE):
            return
        due = self._due(loop.time())
        # A caller may be heavy for minutes, and others who come meanwhile wait for much less.
        if due is None or (watch is not None and watch.due <= due):
            return
        self._stop_watching(loop)
        due = max(due, loop.time() + 0.005)
        self._watching = _Watch(loop, due, loop.call_at(due, self._look, loop))

    def _watch_ahead(self) -> _Watch | None:
        return None if self._watching is None or self._watching.loop.is_closed() else self._watching

    def _stop_watching(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._watching is not None and self._watching.loop is loop:
            self._watching.timer.cancel()
        self._watching = None

    def _due(self, now: float) -> float | None:
        """When somebody who waits may have a turn though none ends; None: not before one does."""
        if self._next() is not None:
            return min((turn.started for turn in self._running if not turn.is_slow), default=now) + PATIENCE
        heavy_for = min(filter(None, map(self._work.heavy_for, self._waiting)), default=None)
        return None if heavy_for is None else now + min(heavy_for, CLEAR)  # their work may be seen to wait by then

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            self._stop_watching(loop)
            begun = [*self._use_free(), *self._replace_slow(monotonic())]
            self._watch(loop)
        for turn in begun:
            self._threads.run(partial(self._do_all, turn))

    def _look_soon(self) -> None:
        """After a turn that nobody was given: the work may have made a caller who waits a heavy one."""
        if self._watch_ahead() is not None or not any(map(self._work.is_heavy, self._waiting)):
            return
        for line in self._waiting.values():
            with suppress(RuntimeError):  # that loop has ended
                line[0].loop.call_soon_threadsafe(self._look, line[0].loop)
                return

    def _use_free(self) -> list[Turn]:
        """Turns that are free, for those who were heavy callers when they began to wait."""
        begun: list[Turn] = []
        while self._free and not self._is_closed and self._next() is not None:
            self._free -= 1
            if (following := self._pass_on()) is not None:
                begun.append(following)
        return begun

    def _replace_slow(self, now: float) -> list[Turn]:
        """Move work that takes long to the slow places; returns what has its turns."""
        begun: list[Turn] = []
        for turn in [turn for turn in self._running if not turn.is_slow and now - turn.started >= PATIENCE]:
            if self._next() is None:
                break
            if not self._slow_places:
                self._end_longest(now)
                break
            self._slow_places -= 1
            turn.is_slow = True
            if (following := self._pass_on()) is not None:
                begun.append(following)
        return begun

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
        """Wait for running work and end the threads; what waits for a turn has none any more."""
        with self._lock:
            self._is_closed = True
        self._threads.close()
