"""Connections shared out evenly among the processes of one port.

Whoever is idle when connections come would take them all, and clients that stay for minutes would wait in one process
while another has nothing to do. So a process that has more than another leaves a new connection to it for a moment.
Not for longer, because the other may be busy too.
"""

from __future__ import annotations

import asyncio
import logging
import mmap
import socket
from collections.abc import Callable

log = logging.getLogger("ingot.http")

PATIENCE = 0.005  # seconds
AT_ONCE = 100  # connections that others left, before the loop does something else
NOBODY = 2**32 - 1  # more than any process has: who accepts none leaves all to others
# Where the system has no room for another connection, it is asked again after so many seconds.
WITHOUT_ROOM = 0.5


class Share:
    """The connections of one process, and how many the others have."""

    def __init__(self, counts: memoryview, number: int) -> None:
        self._counts, self._number = counts, number
        self.end()

    def begin(self) -> None:
        """This process accepts connections from now on."""
        self._is_accepting = True
        self.note(0)

    def end(self) -> None:
        """It accepts no more."""
        self._is_accepting = False
        self._counts[self._number] = NOBODY

    def note(self, connections: int) -> None:
        """So many are open."""
        if self._is_accepting:
            self._counts[self._number] = connections

    @property
    def is_larger_than_another(self) -> bool:
        """Whether another process has fewer."""
        return bool(self._counts[self._number] > min(self._counts))


class Shares:
    """The connections of all processes, in memory that is shared with those forked later."""

    def __init__(self, processes: int) -> None:
        self._counts = memoryview(mmap.mmap(-1, 4 * processes)).cast("I")

    def of(self, number: int) -> Share:
        """The share of a process that begins."""
        return Share(self._counts, number)


class Acceptor:
    """Accepts the connections of one process, on its event loop."""

    def __init__(
        self,
        listener: socket.socket,
        protocol: Callable[[], asyncio.BaseProtocol],
        share: Share,
        patience: float = PATIENCE,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener, self._protocol, self._share, self._patience = listener, protocol, share, patience
        self._beginning: set[asyncio.Task[None]] = set()
        self._pause: asyncio.TimerHandle | None = None
        self._has_room = True
        listener.setblocking(False)
        self._loop.add_reader(listener, self._look)
        share.begin()

    async def close(self) -> None:
        """Accept no more. Connections that were accepted stay, and have begun when this ends."""
        self._share.end()
        if self._pause is None:
            self._loop.remove_reader(self._listener)
        else:
            self._pause.cancel()
        await asyncio.gather(*self._beginning, return_exceptions=True)

    def _look(self) -> None:
        if self._share.is_larger_than_another:
            self._wait(self._patience)
        else:
            self._accept()

    def _wait(self, seconds: float) -> None:
        self._loop.remove_reader(self._listener)
        self._pause = self._loop.call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._pause = None
        self._loop.add_reader(self._listener, self._look)
        # Those who have fewer did not come.
        for _ in range(AT_ONCE):
            if not self._accept():
                return

    def _accept(self) -> bool:
        try:
            connection, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return False  # another process was faster, or the client has left
        except OSError as error:
            if self._has_room:
                log.warning("there is no room for another connection: %s", error.strerror)
            self._has_room = False
            self._wait(WITHOUT_ROOM)
            return False
        self._has_room = True
        connection.setblocking(False)
        task = self._loop.create_task(self._begin(connection))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)
        return True

    async def _begin(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection)
        except OSError:  # the client has left
            connection.close()
        except BaseException:
            connection.close()
            raise
