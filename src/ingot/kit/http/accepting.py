"""Connections shared out evenly among the processes of one port.

Whoever is idle when connections come would take them all, and clients that stay for minutes would wait in one process
while another has nothing to do. So a process that has more than another leaves a new connection to it for a moment.
Not for longer, because the other may be busy too.
"""

from __future__ import annotations

import asyncio
import mmap
import socket
from collections.abc import Callable

PATIENCE = 0.005  # seconds
# Where the system has no room for another connection, it is asked again after so many seconds.
WITHOUT_ROOM = 0.5


class Share:
    """The connections of one process, and how many the others have."""

    def __init__(self, counts: memoryview, number: int) -> None:
        self._counts, self._number = counts, number
        self.note(0)  # a process that this one replaces may have left some

    def note(self, connections: int) -> None:
        """So many are open."""
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
        listener.setblocking(False)
        self._loop.add_reader(listener, self._look)

    def close(self) -> None:
        """Accept no more. Connections that were accepted stay."""
        if self._pause is None:
            self._loop.remove_reader(self._listener)
        else:
            self._pause.cancel()

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
        self._accept()

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # another process was faster, or the client has left
        except OSError:
            self._wait(WITHOUT_ROOM)
            return
        connection.setblocking(False)
        task = self._loop.create_task(self._begin(connection))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)

    async def _begin(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection)
        except OSError:
            connection.close()
