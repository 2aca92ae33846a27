"""Places for work that is expensive for as long as it lasts: so many at once, and so many of one caller.

Others wait in a line, and are refused when it is too long or when they have waited for too long. A caller who has all
the places that one may have lets others pass.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

LINE = 4  # callers that may wait, for each place


class NoPlace(Exception):
    """The caller has waited for too long, or too many wait already."""


class Places:
    """Belongs to one event loop."""

    def __init__(self, most: int, most_per_caller: int, seconds: float, *, line: int = LINE) -> None:
        self._most, self._most_per_caller, self._seconds = most, most_per_caller, seconds
        self._longest = line  # for each place
        self._total = 0
        self._callers: Counter[str] = Counter()
        self._line: dict[asyncio.Future[None], str] = {}

    @asynccontextmanager
    async def place(self, caller: str) -> AsyncIterator[bool]:
        """Wait for a place and keep it during the block, which learns whether it waited; `NoPlace` if there is none."""
        has_room = self._has_room(caller)
        if has_room:  # nobody waits for it: whoever can come in is let in at once
            self._enter(caller)
        else:
            await self._wait(caller)
        try:
            yield not has_room
        finally:
            self._leave(caller)

    async def room(self, caller: str) -> None:
        """Wait until there is a place, without taking it."""
        if not self._has_room(caller):
            async with self.place(caller):
                pass

    def has_several(self, caller: str) -> bool:
        """Whether the caller has more than one place."""
        return self._callers[caller] > 1

    def _has_room(self, caller: str) -> bool:
        return self._total < self._most and self._callers[caller] < self._most_per_caller

    def _enter(self, caller: str) -> None:
        self._total += 1
        self._callers[caller] += 1

    def _leave(self, caller: str) -> None:
        self._total -= 1
        self._callers[caller] -= 1
        if not self._callers[caller]:
            del self._callers[caller]
        self._let_in()

    def _let_in(self) -> None:
        for waiter, caller in list(self._line.items()):
            if not waiter.done() and self._has_room(caller):
                self._enter(caller)
                del self._line[waiter]
                waiter.set_result(None)

    async def _wait(self, caller: str) -> None:
        own = sum(other == caller for other in self._line.values())
        if own >= self._longest * self._most_per_caller or len(self._line) >= self._longest * self._most:
            raise NoPlace
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line[waiter] = caller
        try:
            async with asyncio.timeout(self._seconds):
                await waiter
        except BaseException as error:
            if self._line.pop(waiter, None) is None:
                self._leave(caller)  # the place came at the same moment
            if isinstance(error, TimeoutError):
                raise NoPlace from None
            raise
