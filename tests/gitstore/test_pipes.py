"""Pipes that the event loop reads are closed once, so that the descriptors of other threads stay open."""

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest
import uvloop

from ingot.gitstore.pipes import read_pipe

PIPES = 1_000


class Opener:
    """Opens and closes files in a thread, and notes those that somebody else closed."""

    def __init__(self) -> None:
        self.lost = 0
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(3)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            # Several at once, so that numbers that were just closed are taken again.
            for number in [os.open("/dev/null", os.O_RDONLY) for _ in range(8)]:
                try:
                    os.close(number)
                except OSError:
                    self.lost += 1


@pytest.mark.parametrize("new_loop", [uvloop.new_event_loop, asyncio.new_event_loop], ids=["uvloop", "asyncio"])
def test_a_pipe_is_closed_once(new_loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def read_many() -> None:
        for _ in range(PIPES):
            outlet, inlet = os.pipe()
            os.write(inlet, b"x")
            os.close(inlet)
            reader = asyncio.StreamReader()
            transport = await read_pipe(outlet, reader)
            assert await reader.read() == b"x"
            transport.close()

    before = _open_files()
    with Opener() as opener, asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(read_many())
    assert opener.lost == 0
    assert _open_files() < before + PIPES


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
