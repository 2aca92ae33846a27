"""A program that only computes for a while and answers, in as many processes as Ingot: what the machine itself does.

    python -m bench._plain_server SECONDS PROCESSES

prints its port. Each answer takes so many seconds of the processor.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time

import uvloop

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"


class Plain(asyncio.Protocol):
    """One connection; a request is one piece of data."""

    seconds = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport

    def data_received(self, data: bytes) -> None:  # noqa: ARG002 - what is asked makes no difference
        end = time.thread_time() + self.seconds
        while time.thread_time() < end:
            pass
        self._transport.write(ANSWER)


async def _serve(listener: socket.socket) -> None:
    server = await asyncio.get_running_loop().create_server(Plain, sock=listener)
    await server.serve_forever()


def main(seconds: float, processes: int) -> None:
    """Serve until killed."""
    Plain.seconds = seconds
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    is_first = True
    for _ in range(processes - 1):
        if not os.fork():
            is_first = False
            break
    if is_first:
        # All of them are there now.
        print(listener.getsockname()[1], flush=True)
    uvloop.run(_serve(listener))


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
