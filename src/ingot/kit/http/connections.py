"""Watches the connections of one process: how many there are, and whether each makes progress."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from ingot.kit.http.accepting import Share, Shares
from ingot.kit.networks import contains, parse_networks, subscriber_of

if TYPE_CHECKING:
    from ingot.settings import Settings

# Less than this in a whole `body_timeout` is no progress.
PROGRESS = 4096
SWEEP_SECONDS = 0.5


class Connection(Protocol):
    """What the guard knows of a connection: one that speaks HTTP, or is still agreeing on its encryption."""

    loop: asyncio.AbstractEventLoop
    quiet_since: float

    @property
    def is_idle(self) -> bool:
        """No request is under way."""

    def abort(self) -> None:
        """Close the connection at once."""

    def check_progress(self, now: float) -> None:
        """Disconnect a client that keeps the server waiting for too long."""


class ConnectionGuard:
    """The limits, and the connections that they are counted over."""

    def __init__(self, settings: Settings, most: int | None = None, share: Share | None = None) -> None:
        self.header_timeout = settings.header_timeout
        self.body_timeout = settings.body_timeout
        self._most = settings.max_connections if most is None else min(most, settings.max_connections)
        self._most_of_one = settings.max_connections_per_address
        self._proxies = parse_networks(settings.trusted_proxies)
        self._share = share or Shares(1).of(0)
        self._open: dict[Connection, str | None] = {}
        self._by_address: Counter[str] = Counter()
        self._sweep: asyncio.TimerHandle | None = None
        self._swept_at: float | None = None  # None: the next sweep checks in any case

    def admit(self, connection: Connection, host: str) -> bool:
        """Count a new connection, or refuse it."""
        address = None if contains(self._proxies, host) else subscriber_of(host)
        if address is not None and self._by_address[address] >= self._most_of_one:
            return False
        if len(self._open) >= self._most and not self._make_room():
            return False
        self._open[connection] = address
        self._share.note(len(self._open))
        if address is not None:
            self._by_address[address] += 1
        if self._sweep is None:
            self._swept_at = connection.loop.time()
            self._sweep = connection.loop.call_later(SWEEP_SECONDS, self._look, connection.loop)
        return True

    def forget(self, connection: Connection) -> None:
        """The connection is gone."""
        address = self._open.pop(connection, None)
        self._share.note(len(self._open))
        if address is not None:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    def _make_room(self) -> bool:
        """Close the connection that has waited longest without a request under way."""
        idle = [one for one in self._open if one.is_idle]
        if not idle:
            return False
        oldest = min(idle, key=lambda one: one.quiet_since)
        self.forget(oldest)
        oldest.abort()
        return True

    def sweep(self, now: float) -> None:
        """Check every connection, unless this comes late: what clients sent meanwhile is read first."""
        if self._swept_at is not None and now - self._swept_at > 2 * SWEEP_SECONDS:
            self._swept_at = None
            return
        self._swept_at = now
        for connection in list(self._open):
            connection.check_progress(now)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self.sweep(loop.time())
        self._sweep = loop.call_later(SWEEP_SECONDS, self._look, loop) if self._open else None
