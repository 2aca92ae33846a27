"""HTTP/1.1 on one connection: uvicorn's protocol with limits of size and time, and without unclear requests."""

from __future__ import annotations

import asyncio
import http
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ingot.kit.api_request import ARRIVAL
from ingot.kit.http.connections import PROGRESS, ConnectionGuard
from ingot.kit.http.framing import MAX_HEAD, MAX_HEADERS, MAX_TARGET, Refusal, check_head

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application
    from uvicorn.config import Config
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
    from uvicorn.server import ServerState


class GuardedProtocol(HttpToolsProtocol):
    """Refuses or disconnects clients that send too much, too slowly or ambiguously."""

    guard: ClassVar[ConnectionGuard]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._refusal: Refusal | None = None
        self._is_over = False  # no further input is read
        self._reads_head = True
        self._reads_body = False
        self._head_size = 0
        self._received = 0  # of the body, since the last progress
        self._unsent = 0
        self.quiet_since = self._reading_since = self._writing_since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if not self.guard.admit(self, self.client[0] if self.client else ""):
            self._refuse(Refusal(503, "Too many connections."))

    def connection_lost(self, exc: Exception | None) -> None:
        self.guard.forget(self)
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """No request is under way."""
        return not self._reads_body and (self.cycle is None or self.cycle.response_complete)

    def data_received(self, data: bytes) -> None:
        if self._is_over or self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        if not self._reads_body and not self._reads_head:
            self._begin_head()
        self._received += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            pass  # the connection ends with the answer
        except httptools.HttpParserError:
            self._refuse(self._refusal or Refusal(400, "Invalid HTTP request received."))
            return
        if self._reads_head:
            self._head_size += len(data)
            if self._head_size > MAX_HEAD:
                self._refuse(Refusal(431, "The headers are too large."))

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if not self._reads_head:
            self._begin_head()

    def _begin_head(self) -> None:
        self._reads_head = True
        self._head_size = 0
        self.quiet_since = self.loop.time()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > MAX_TARGET:
            self._raise(Refusal(414, "The address is too long."))

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._reads_head:
            return  # trailers, which proxies do not check
        super().on_header(name, value)
        self._head_size += len(name) + len(value)
        if len(self.headers) > MAX_HEADERS or self._head_size > MAX_HEAD:
            self._raise(Refusal(431, "The headers are too large."))

    def on_headers_complete(self) -> None:
        try:
            check_head(self.parser.get_http_version(), self.url, self.headers)
        except Refusal as refusal:
            self._raise(refusal)
        super().on_headers_complete()
        if self.parser.should_upgrade():
            # Nothing is upgraded here, and what follows must not be taken for another request.
            self.cycle.keep_alive = False
        self._reads_head = False
        self._head_size = 0
        self._reads_body = True
        self._received = 0
        self._reading_since = self.loop.time()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        # Not before the answers to what the same client sent earlier: they may change what it is to see.
        cycle.scope[ARRIVAL] = perf_counter()  # type: ignore[literal-required]
        super()._start_asgi_task(cycle, app)

    def on_message_complete(self) -> None:
        self._reads_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self.quiet_since = self.loop.time()
        super().on_response_complete()

    def abort(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def check_progress(self, now: float) -> None:
        """Disconnect a client that keeps the server waiting for too long."""
        if self.transport.is_closing() and not self.transport.get_write_buffer_size():
            return
        if self._is_stuck_writing(now):
            self.transport.abort()
        elif self.flow.read_paused:
            # Reading is paused; the client is not at fault.
            self.quiet_since, self._reading_since, self._received = max(self.quiet_since, now), now, 0
        elif self._reads_body:
            self._check_body(now)
        elif self._reads_head and now - self.quiet_since > self.guard.header_timeout and self.is_idle:
            self._refuse(Refusal(408, "The request headers did not arrive in time."))

    def _check_body(self, now: float) -> None:
        waits_for_us = self.cycle is not None and self.cycle.waiting_for_100_continue
        if waits_for_us or self._received >= PROGRESS:
            self._received, self._reading_since = 0, now
        elif now - self._reading_since > self.guard.body_timeout:
            self.transport.abort()

    def _is_stuck_writing(self, now: float) -> bool:
        unsent = self.transport.get_write_buffer_size()
        if not unsent or unsent > self._unsent or self._unsent - unsent >= PROGRESS:
            self._unsent, self._writing_since = unsent, now
        return unsent > 0 and now - self._writing_since > self.guard.body_timeout

    def _raise(self, refusal: Refusal) -> None:
        """Raise from a callback of the parser, which hides exceptions."""
        self._refusal = refusal
        raise refusal

    def _refuse(self, refusal: Refusal) -> None:
        """Answer by hand and close. Answers to earlier requests are given first, and the last of them ends it."""
        if self.transport.is_closing():
            return
        self._is_over = True
        if not self.is_idle and not self._reads_body:
            self.cycle.keep_alive = False
            return
        if self.cycle is not None and not self.cycle.response_complete:
            # The body of this request is broken; its reader must stop.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(_answer(refusal))
        self.transport.close()


def _answer(refusal: Refusal) -> bytes:
    body = refusal.text.encode()
    lines = [
        f"HTTP/1.1 {refusal.status} {http.HTTPStatus(refusal.status).phrase}",
        "content-type: text/plain; charset=utf-8",
        f"content-length: {len(body)}",
        "connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def protocol_for(guard: ConnectionGuard) -> type[GuardedProtocol]:
    """The protocol of the connections that this guard watches."""
    return type("Protocol", (GuardedProtocol,), {"guard": guard})
