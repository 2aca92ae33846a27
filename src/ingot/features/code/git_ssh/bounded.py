"""Connections and channels that hold little in memory, whatever a client sends and however slowly it reads.

The library asks no server for these limits, so its own classes are extended where it has no option.
"""

import asyncio

import asyncssh
from asyncssh.packet import SSHPacket

ACCEPTED_VARIABLE = b"GIT_PROTOCOL"
LONGEST_VALUE = 100
MOST_UNREAD = 8 << 20
"""Bytes of answers that a client may leave unread: beyond what sessions write, these are replies to its requests."""


class BoundedConnection(asyncssh.SSHServerConnection):
    """A connection whose sessions wait while the client does not read.

    The library writes as much as the client's window allows, which the client chooses, into the transport's memory.
    """

    may_write: asyncio.Event

    @staticmethod
    def take_over(conn: asyncssh.SSHServerConnection) -> "BoundedConnection":
        """Make a connection that the library has created one of this kind."""
        conn.__class__ = BoundedConnection
        if not isinstance(conn, BoundedConnection):
            raise TypeError("the connection kept its class")
        conn.may_write = asyncio.Event()
        conn.may_write.set()
        return conn

    def pause_writing(self) -> None:
        self.may_write.clear()

    def resume_writing(self) -> None:
        self.may_write.set()

    def connection_lost(self, exc: Exception | None = None) -> None:
        self.may_write.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        transport = self._transport
        if isinstance(transport, asyncio.WriteTransport) and transport.get_write_buffer_size() > MOST_UNREAD:
            self.abort()
            return
        super().data_received(data, datatype)


class BoundedChannel(asyncssh.SSHServerChannel[bytes]):
    """A channel that lets the client send more only when everything so far was consumed.

    The library renews the window with every piece that it hands on, also while others wait: a client that is faster
    than git then fills the memory. So would one that sets variables without end.
    """

    def _deliver_data(self, data: bytes, datatype: int | None) -> None:
        if self._recv_buf:
            self._session.data_received(data, datatype)
        else:
            super()._deliver_data(data, datatype)

    def _process_env_request(self, packet: SSHPacket) -> bool:
        name, value = packet.get_string(), packet.get_string()
        packet.check_end()
        if name != ACCEPTED_VARIABLE or len(value) > LONGEST_VALUE:
            return False
        self._env[name] = value
        return True
