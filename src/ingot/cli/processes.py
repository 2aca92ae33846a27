"""The processes of `ingot serve`: one that serves, or several that share the socket under one that watches them."""

import ctypes
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from ingot.cli.early_end import end_at_once_when_told
from ingot.cli.ssh_process import SshProcess, start_ssh
from ingot.kit.cores import usable_cores
from ingot.kit.jobs.wakeup import share_with_forks
from ingot.kit.loading import without_collection
from ingot.kit.log_lines import log_to_stderr
from ingot.kit.memory import hold_little
from ingot.kit.observe import measures
from ingot.kit.request_counts import Board

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    import uvicorn
    from starlette.routing import Route
    from starlette.types import ASGIApp

    from ingot.kit.http import Share, Shares
    from ingot.kit.services import Services
    from ingot.settings import Settings

GRACE_SECONDS = 30
# Longer than proxies and clients keep an idle connection (60 s): they close first, so no request is lost.
KEEP_ALIVE_SECONDS = 75
SHORT_LIFE = 5.0
# More processes than this must be configured, because each takes memory and database connections.
MOST_BY_ITSELF = 8
# Linux: a signal for this process when its parent ends.
PR_SET_PDEATHSIG = 1
# Database, repositories, objects and what git needs, besides connections.
OTHER_FILES = 1024
# Seconds that a thread computes while others wait for the interpreter. A read gives it back at each statement, so that
# with Python's own 5 ms it would wait that long for each of the threads that compute, many times over.
TURN_OF_A_THREAD = 0.001


class _Served(NamedTuple):
    """What each process serves; made once, because what is forked later shares the memory."""

    services: "Services"
    application: "ASGIApp"
    listener: socket.socket


def run(
    services: "Services",
    listener: socket.socket,
    ssh_listener: socket.socket | None,
    url: str,
    extra_pages: "Sequence[Route]" = (),
) -> int:
    """Serve until told to stop; returns the exit status."""
    settings = services.settings
    log_to_stderr(settings.log_level)
    sys.setswitchinterval(TURN_OF_A_THREAD)
    hold_little()
    processes = settings.workers or min(usable_cores(), MOST_BY_ITSELF)
    # A page that resets this process would leave the others as they are.
    served = _Served(services, _build(services, extra_pages if processes == 1 else ()), listener)
    if processes > 1 or settings.ssh:
        # Close what children must not share.
        services.db.dispose()
        share_with_forks()
    board = Board(processes + 1)  # the last place is for SSH
    ssh = (
        start_ssh(services, listener, ssh_listener, url, partial(measures.share, board, processes))
        if settings.ssh
        else None
    )
    try:
        if processes == 1:
            if ssh is not None:
                measures.share(board, 0)
            return _serve(served, None if ssh is None else ssh.begin)
        return _watch(served, board, processes, ssh)
    finally:
        if ssh is not None:
            ssh.end()


def _build(services: "Services", extra_pages: "Sequence[Route]") -> "ASGIApp":
    """The application. No thread begins here: processes may be forked next."""
    with without_collection():
        import uvicorn  # noqa: F401 - loaded for all of them

        import ingot.kit.http  # noqa: F401
        from ingot import app as composition
        from ingot.kit.records import learn_records

        application = composition.build(services, extra_pages)
        learn_records()
    return application


def _serve(served: _Served, when_ready: Callable[[], None] | None = None, share: "Share | None" = None) -> int:
    import uvicorn

    from ingot.kit.http import Acceptor, Shares

    services, application, listener = served
    own_share = share or Shares(1).of(0)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup([])  # connections are accepted here, not by the event loop
            self._acceptors = [Acceptor(each, self._protocol, own_share) for each in sockets or ()]
            if when_ready is not None:
                when_ready()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            services.stopping = True
            for acceptor in self._acceptors:
                await acceptor.close()
            await super().shutdown(sockets)

        def _protocol(self) -> "asyncio.Protocol":
            return self.config.http_protocol_class(  # type: ignore[call-arg]
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            )

    settings = services.settings
    server = Server(server_config(application, settings, room_for_connections(settings), own_share))

    stop_requested = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stop_requested
        stop_requested = server.should_exit = True

    # The server handles these while it runs, and raises them again afterwards; before that, they are handled here.
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, stop)
    server.run(sockets=[listener])
    services.pools.close()
    services.db.dispose()
    return 0 if server.started or stop_requested else 1


def server_config(
    application: "ASGIApp",
    settings: "Settings",
    most_connections: int | None = None,
    share: "Share | None" = None,
    **options: object,
) -> "uvicorn.Config":
    """How the application is served; the limits of connections are those of the settings."""
    import uvicorn

    from ingot.kit.http import Certificate, ConnectionGuard, encrypted_protocol_for, protocol_for

    guard = ConnectionGuard(settings, most_connections, share)
    common: dict[str, Any] = {
        "log_config": None,
        "access_log": False,
        "loop": "uvloop",
        "ws": "none",
        "lifespan": "on",
        "server_header": False,
        "timeout_keep_alive": KEEP_ALIVE_SECONDS,
        "timeout_graceful_shutdown": GRACE_SECONDS,
        "forwarded_allow_ips": [part.strip() for part in settings.trusted_proxies.split(",") if part.strip()],
        "http": protocol_for(guard),
    }
    if settings.tls_certificate:
        common["http"] = encrypted_protocol_for(guard, Certificate(settings))
    common.update(options)
    return uvicorn.Config(application, **common)


def room_for_connections(settings: "Settings") -> int:
    """Raise the limit of open files where that is allowed; how many connections fit below it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = settings.max_connections + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return settings.max_connections if soft >= needed else max(16, soft - min(OTHER_FILES, soft // 2))


def _watch(served: _Served, board: Board, processes: int, ssh: SshProcess | None) -> int:
    """Start the children, replace those that die, and stop all on a signal."""
    from ingot.kit.http import Shares

    stopping = False
    result = 0
    born: dict[int, tuple[int, float]] = {}
    shares = Shares(processes)

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True
        # Kept open here, it would accept connections that nobody answers.
        served.listener.close()
        for pid in born:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, stop)
    # The first one that is ready wakes SSH, which would take the cores from them until then.
    when_ready = None if ssh is None else ssh.begin
    for number in range(processes):
        born[_child(served, board, shares, number, when_ready)] = (number, time.monotonic())
    if stopping:
        # The signal came between a birth and its entry in the list.
        stop(signal.SIGTERM, None)
    while born:
        pid, status = os.wait()
        if ssh is not None and pid == ssh.pid:
            continue  # its end is logged where it is waited for
        number, started = born.pop(pid, (0, 0.0))
        if stopping:
            continue
        if time.monotonic() - started < SHORT_LIFE:
            # It cannot start at all: do not restart it forever. The others finish what they are answering.
            stop(signal.SIGTERM, None)
            result = os.waitstatus_to_exitcode(status) or 1
            continue
        born[_child(served, board, shares, number, when_ready)] = (number, time.monotonic())
    return result


def _child(served: _Served, board: Board, shares: "Shares", number: int, when_ready: Callable[[], None] | None) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    _end_with(parent)
    measures.share(board, number)
    end_at_once_when_told()
    try:
        # One of them runs the background work.
        settings = served.services.settings
        served.services.settings = replace(settings, worker=settings.worker and number == 0)
        status = _serve(served, when_ready, shares.of(number))
    finally:
        sys.stderr.flush()
        os._exit(status)


def _end_with(parent: int) -> None:
    """Stop when the parent process is killed: an orphan would keep the port."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(0)
