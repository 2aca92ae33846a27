"""The SSH process next to the API: it starts when the API is ready, and ends with it."""

import asyncio
import os
import signal
import socket
from contextlib import suppress

from ingot.kit import telemetry
from ingot.kit.places import Places
from ingot.kit.services import Services

GRACE_SECONDS = 10.0
# Nothing between client and server ends a silent connection here, and connections are counted: who waits costs little.
PATIENCE = 20  # times as long as over HTTP
LINE = 32  # clients that may wait, for each place: with 16 places, as many as one key may have connections


def serve_ssh(services: Services, listener: socket.socket | None, parent: int, base_url: str) -> None:
    """Serve until the other end of the pipe `parent` is closed, or a signal comes."""
    import uvloop

    settings = services.settings
    seconds = settings.git_transfer_wait * PATIENCE
    services.transfers = Places(
        settings.git_transfers,
        settings.git_transfers_per_caller,
        seconds,
        most_per_subject=settings.transfers_per_project,
        most_per_address=settings.transfers_per_address,
        line=LINE,
    )
    telemetry.send_to(settings.otlp_endpoint)
    uvloop.run(_serve(services, listener, parent, base_url))
    services.fetches.write()
    telemetry.switch_off()


async def _serve(services: Services, listener: socket.socket | None, parent: int, base_url: str) -> None:
    # Imported late: a start of the API does not wait for it.
    from ingot.features.code.git_ssh import openssh_socket, server
    from ingot.features.code.git_ssh.host_keys import ensure_host_keys

    loop = asyncio.get_running_loop()
    end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    loop.add_reader(parent, _watch_parent, loop, parent, end)
    listeners = [await openssh_socket.listen(services, base_url)]
    if listener is not None:
        keys = await asyncio.to_thread(ensure_host_keys, services.settings.data_folder)
        listeners.append(await server.listen(services, listener, keys, base_url))
    await end.wait()
    for opened in listeners:
        opened.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        await asyncio.wait(others, timeout=GRACE_SECONDS)


def _watch_parent(loop: asyncio.AbstractEventLoop, parent: int, end: asyncio.Event) -> None:
    with suppress(BlockingIOError):
        if not os.read(parent, 16):
            loop.remove_reader(parent)
            end.set()
