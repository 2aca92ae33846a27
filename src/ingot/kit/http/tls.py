"""TLS on one connection: the handshake counts like a connection, and has as long as the headers of a request."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, ClassVar

from ingot.kit.http.protocol import GuardedProtocol

if TYPE_CHECKING:
    from uvicorn.config import Config
    from uvicorn.server import ServerState

    from ingot.kit.http.certificates import Certificate
    from ingot.kit.http.connections import ConnectionGuard


# Seconds for a client to answer the end of its connection. A silent one must not hold up the end of the server.
FAREWELL = 2.0


class EncryptedProtocol(GuardedProtocol):
    """HTTP on a connection that is encrypted; it takes the place of its handshake."""

    handshake: Handshake

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.guard.forget(self.handshake)
        super().connection_made(transport)


class Handshake(asyncio.Protocol):
    """Holds a connection until it is encrypted."""

    certificate: ClassVar[Certificate]
    http: ClassVar[type[EncryptedProtocol]]
    is_idle = True  # the guard may give it up to make room

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.loop = _loop or asyncio.get_running_loop()
        self.quiet_since = self.loop.time()
        self._http = self.http(config, server_state, app_state, self.loop)
        self._http.handshake = self
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = transport.get_extra_info("peername")
        if self.http.guard.admit(self, peer[0] if peer else ""):
            # Before the first byte is read, a copy of the socket starts anew with encryption.
            self._encrypt(transport.get_extra_info("socket").dup())
        transport.abort()

    def abort(self) -> None:
        """Give the handshake up."""
        if self._task is not None:
            self._task.cancel()

    def check_progress(self, now: float) -> None:
        """Nothing to do: the handshake has a time limit of its own."""

    def _encrypt(self, connection: socket.socket) -> None:
        self.certificate.renew(self.loop.time())

        def finish(task: asyncio.Task[None]) -> None:
            self.http.guard.forget(self)
            # A client that is impatient, or does not speak TLS, gets no other answer than the end.
            if task.cancelled() or task.exception() is not None:
                connection.close()

        self._task = self.loop.create_task(self._shake_hands(connection))
        self._task.add_done_callback(finish)

    async def _shake_hands(self, connection: socket.socket) -> None:
        await self.loop.connect_accepted_socket(
            lambda: self._http,
            connection,
            ssl=self.certificate.context,
            ssl_handshake_timeout=self.http.guard.header_timeout,
            ssl_shutdown_timeout=FAREWELL,
        )


def encrypted_protocol_for(guard: ConnectionGuard, certificate: Certificate) -> type[Handshake]:
    """The protocol of encrypted connections that this guard watches."""
    http = type("Encrypted", (EncryptedProtocol,), {"guard": guard})
    return type("Handshake", (Handshake,), {"certificate": certificate, "http": http})
