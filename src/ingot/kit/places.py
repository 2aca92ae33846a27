"""Places for work that is expensive for as long as it lasts: so many at once, of one caller or address, on one subject.

Others wait in a line, and are refused when it is too long or when they have waited for too long. A caller who has all
the places that one may have lets others pass, and so do those who come from an address or for a subject that has all
its places.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

LINE = 4  # callers that may wait, for each place


class NoPlace(Exception):
    """The caller has waited for too long, or too many wait already."""


class Guest(NamedTuple):
    """Who works, and on what."""

    caller: str
    subject: str
    address: str


class Places:
    """Belongs to one event loop."""

    def __init__(
        self,
        most: int,
        most_per_caller: int,
        seconds: float,
        *,
        most_per_subject: int | None = None,
        most_per_address: int | None = None,
        line: int = LINE,
    ) -> None:
        self._most, self._most_per_caller, self._seconds = most, most_per_caller, seconds
        self._most_per_subject = most if most_per_subject is None else most_per_subject
        self._most_per_address = most if most_per_address is None else most_per_address
        self._longest = line  # for each place
        self._total = 0
        self._callers: Counter[str] = Counter()
        self._subjects: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._line: dict[asyncio.Future[None], Guest] = {}

    @asynccontextmanager
    async def place(self, caller: str, subject: str = "", address: str = "") -> AsyncIterator[bool]:
        """Wait for a place and keep it during the block, which learns whether it waited; `NoPlace` if there is none."""
        guest = Guest(caller, subject, address)
        has_room = self._has_room(guest)
        if has_room:  # nobody waits for it: whoever can come in is let in at once
            self._enter(guest)
        else:
            await self._wait(guest)
        try:
            yield not has_room
        finally:
            self._leave(guest)

    async def room(self, caller: str, subject: str = "", address: str = "") -> None:
        """Wait until there is a place, without taking it."""
        if not self._has_room(Guest(caller, subject, address)):
            async with self.place(caller, subject, address):
                pass

    def has_several(self, caller: str) -> bool:
        """Whether the caller has more than one place."""
        return self._callers[caller] > 1

    def _has_room(self, guest: Guest) -> bool:
        return (
            self._total < self._most
            and self._callers[guest.caller] < self._most_per_caller
            and self._subjects[guest.subject] < self._most_per_subject
            and self._addresses[guest.address] < self._most_per_address
        )

    def _enter(self, guest: Guest) -> None:
        self._total += 1
        self._callers[guest.caller] += 1
        if guest.subject:
            self._subjects[guest.subject] += 1
        if guest.address:
            self._addresses[guest.address] += 1

    def _leave(self, guest: Guest) -> None:
        self._total -= 1
        counted = ((self._callers, guest.caller), (self._subjects, guest.subject), (self._addresses, guest.address))
        for counter, key in counted:
            counter[key] -= 1
            if counter[key] <= 0:
                del counter[key]
        self._let_in()

    def _let_in(self) -> None:
        for waiter, guest in list(self._line.items()):
            if not waiter.done() and self._has_room(guest):
                self._enter(guest)
                del self._line[waiter]
                waiter.set_result(None)

    def _may_wait(self, guest: Guest) -> bool:
        own = sum(other.caller == guest.caller for other in self._line.values())
        same = sum(other.subject == guest.subject for other in self._line.values()) if guest.subject else 0
        beside = sum(other.address == guest.address for other in self._line.values()) if guest.address else 0
        return (
            own < self._longest * self._most_per_caller
            and same < self._longest * self._most_per_subject
            and beside < self._longest * self._most_per_address
            and len(self._line) < self._longest * self._most
        )

    async def _wait(self, guest: Guest) -> None:
        if not self._may_wait(guest):
            raise NoPlace
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line[waiter] = guest
        try:
            async with asyncio.timeout(self._seconds):
                await waiter
        except BaseException as error:
            if self._line.pop(waiter, None) is None:
                self._leave(guest)  # the place came at the same moment
            if isinstance(error, TimeoutError):
                raise NoPlace from None
            raise
