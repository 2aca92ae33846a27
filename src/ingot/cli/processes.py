"""The processes of `ingot serve`: one that serves, or several that share the socket under one that watches them."""

import os
import signal
import socket
import sys
import time
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING

from ingot.kit.observe import log_to_stderr

if TYPE_CHECKING:
    from ingot.kit.services import Services

GRACE_SECONDS = 30
# Longer than proxies and clients keep an idle connection (60 s): they close it, and no request meets our closing.
KEEP_ALIVE_SECONDS = 75
SHORT_LIFE = 5.0


def run(services: "Services", listener: socket.socket) -> int:
    """Serve until told to stop; returns the exit status."""
    settings = services.settings
    log_to_stderr(settings.log_level)
    if settings.workers == 1:
        return _serve(services, listener)
    # Nothing that a child must not share may survive the fork.
    services.db.dispose()
    return _watch(services, listener)


def _serve(services: "Services", listener: socket.socket) -> int:
    import uvicorn

    from ingot import app as composition

    application = composition.build(services)

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            services.stopping = True
            await super().shutdown(sockets)

    server = Server(
        uvicorn.Config(
            application,
            log_config=None,
            access_log=False,
            loop="uvloop",
            http="httptools",
            ws="none",
            lifespan="on",
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
    )
    # The server handles these itself while it runs and raises them again afterwards; by then all is done.
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: None)
    server.run(sockets=[listener])
    services.pools.close()
    services.db.dispose()
    return 0 if server.started else 1


def _watch(services: "Services", listener: socket.socket) -> int:
    """Start the children, replace those that die, stop all when told to."""
    stopping = False
    born: dict[int, tuple[int, float]] = {}

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True
        for pid in born:
            os.kill(pid, signal.SIGTERM)

    for number in range(services.settings.workers):
        born[_child(services, listener, number)] = (number, time.monotonic())
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, stop)
    while born:
        pid, status = os.wait()
        number, started = born.pop(pid, (0, 0.0))
        if stopping:
            continue
        if time.monotonic() - started < SHORT_LIFE:
            # It cannot start at all: going on would only start it again and again.
            stop(signal.SIGTERM, None)
            return os.waitstatus_to_exitcode(status) or 1
        born[_child(services, listener, number)] = (number, time.monotonic())
    return 0


def _child(services: "Services", listener: socket.socket, number: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        from ingot import app as composition

        # One of them runs the background work; the others leave it more of the machine.
        settings = replace(services.settings, worker=services.settings.worker and number == 0)
        status = _serve(composition.build_services(settings), listener)
    finally:
        sys.stderr.flush()
        os._exit(status)
