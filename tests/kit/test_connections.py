"""The watch over connections, step by step; tests/security/test_slow_clients.py meets it through sockets."""

import asyncio

from ingot.kit.http import ConnectionGuard
from ingot.kit.http.connections import SWEEP_SECONDS
from ingot.settings import Settings


class Connection:
    """Notes when it is checked."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.quiet_since = loop.time()
        self.is_idle = True
        self.checks: list[float] = []

    def abort(self) -> None:
        raise AssertionError("nobody asked for room")

    def check_progress(self, now: float) -> None:
        self.checks.append(now)


def test_a_server_that_was_held_up_reads_before_it_sends_clients_away() -> None:
    loop = asyncio.new_event_loop()
    guard, connection = ConnectionGuard(Settings()), Connection(loop)
    guard.admit(connection, "192.0.2.1")
    start = loop.time()
    usual, late, next_time = start + SWEEP_SECONDS, start + 60, start + 200

    for moment in (usual, late, next_time):
        guard.sweep(moment)
    loop.close()

    # What came while nothing ran has been read when the next sweep comes, however late that is.
    assert connection.checks == [usual, next_time]
