"""Read connections that stay open between reads.

There is nothing to reset after a read in autocommit, but taking a connection from a pool and giving it back costs as
much as three small statements. A connection to PostgreSQL that broke meanwhile is noticed without asking the server.
"""

from collections import deque
from collections.abc import Callable
from types import TracebackType

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ingot.kit.broken_connections import is_broken

MOST_IDLE = 16


class ReadyConnections:
    """Idle connections; the one that was used last comes first, because it has the statements cached."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._waiting: deque[Connection] = deque()
        self.period = 0  # between one closing and the next

    def take(self) -> Connection:
        """An idle connection, or a new one."""
        while True:
            try:
                connection = self._waiting.pop()
            except IndexError:
                return self._connect()
            if connection.dialect.name == "sqlite" or not is_broken(connection.connection.dbapi_connection):
                return connection
            connection.invalidate()
            connection.close()

    def give_back(self, connection: Connection, period: int) -> None:
        """Keep a connection that was taken in this period for the next read."""
        # The driver's is gone from one that was closed or found broken.
        is_usual = connection._dbapi_connection is not None and not connection._has_events  # noqa: SLF001
        if not is_usual or period != self.period or len(self._waiting) >= MOST_IDLE:
            connection.close()  # connections with listeners are closed too: the listeners are for one read only
            return
        try:
            if connection.in_transaction():
                connection.rollback()  # only the library thinks that a transaction is open
        except DBAPIError:
            connection.close()  # it broke meanwhile
            return
        self._waiting.append(connection)

    def close(self) -> None:
        """Close the idle ones, and those in use when they come back."""
        self.period += 1
        while self._waiting:
            self._waiting.pop().close()


class ReadyConnection:
    """One read: `with` gives the connection and takes it back."""

    __slots__ = ("_connection", "_period", "_ready")

    def __init__(self, ready: ReadyConnections) -> None:
        self._ready = ready
        self._connection: Connection | None = None
        self._period = ready.period

    def __enter__(self) -> Connection:
        self._connection = self._ready.take()
        return self._connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            self._ready.give_back(self._connection, self._period)
            self._connection = None
