"""A process on the event loop. Starting it takes a tenth of what the loop's own way takes.

uvloop copies the address space of this large process for each child and waits until it is gone again, and meanwhile the
loop answers nobody. `subprocess` lets the child borrow it until it becomes another program.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ingot.gitstore.pipes import read_pipe, write_pipe
from ingot.gitstore.process import CHUNK, signal_group


class Pipes:
    """The pipes between us and a child, by the names of its streams."""

    def __init__(self, names: Sequence[str]) -> None:
        self.ours: dict[str, int] = {}
        self.theirs: dict[str, int] = {}
        for name in names:
            outlet, inlet = os.pipe()
            self.ours[name], self.theirs[name] = (inlet, outlet) if name == "stdin" else (outlet, inlet)

    def take(self, name: str) -> int:
        """Our end; whoever takes it closes it."""
        return self.ours.pop(name)

    def close(self) -> None:
        """Close our ends that nobody has taken."""
        for descriptor in self.ours.values():
            os.close(descriptor)
        self.ours.clear()

    def close_theirs(self) -> None:
        """The child has its own copies."""
        for descriptor in self.theirs.values():
            os.close(descriptor)
        self.theirs.clear()


class ChildProcess:
    """Started by `start_child`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[int] = self._loop.create_future()
        self._transports: list[asyncio.BaseTransport] = []
        self.stdin: asyncio.StreamWriter
        self.stdout = asyncio.StreamReader(limit=CHUNK)
        self.stderr = asyncio.StreamReader(limit=CHUNK)
        self._watch()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """None as long as it runs."""
        return self._process.returncode

    async def wait(self) -> int:
        """Its status, once it has ended."""
        return await asyncio.shield(self._end)

    def close(self) -> None:
        """Close the pipes; what it still writes is lost."""
        for transport in self._transports:
            transport.close()

    async def connect(self, ends: Pipes) -> None:
        """Take over our ends of its pipes. Where that is broken off, it ends."""
        try:
            self.stdin = await write_pipe(ends.take("stdin"))
            self._transports.append(self.stdin.transport)
            for name, reader in (("stderr", self.stderr), ("stdout", self.stdout)):
                if name in ends.ours:
                    self._transports.append(await read_pipe(ends.take(name), reader))
        except BaseException:
            ends.close()
            self.close()
            signal_group(self.pid, signal.SIGKILL)
            raise

    def _watch(self) -> None:
        try:
            descriptor = os.pidfd_open(self.pid)
        except (AttributeError, OSError):  # other systems than Linux, old ones, and containers that forbid it
            threading.Thread(target=self._wait_in_thread, name="child", daemon=True).start()
            return

        def ended() -> None:
            self._loop.remove_reader(descriptor)
            os.close(descriptor)
            self._note_end()

        self._loop.add_reader(descriptor, ended)

    def _wait_in_thread(self) -> None:
        self._process.wait()
        with suppress(RuntimeError):  # the loop has ended, nobody waits
            self._loop.call_soon_threadsafe(self._note_end)

    def _note_end(self) -> None:
        if not self._end.done():
            self._end.set_result(self._process.wait())


async def start_child(
    command: Sequence[str], env: Mapping[str, str], inherited: Sequence[int] = (), stdout: int | None = None
) -> ChildProcess:
    """Start a program with pipes to it, in a session of its own; its output may go to a descriptor instead."""
    pipes = Pipes(["stdin", "stderr"] if stdout is not None else ["stdin", "stderr", "stdout"])
    child = ChildProcess(_start(command, env, inherited, pipes, stdout))
    await child.connect(pipes)
    return child


def _start(
    command: Sequence[str], env: Mapping[str, str], inherited: Sequence[int], pipes: Pipes, stdout: int | None
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=pipes.theirs["stdin"],
            stdout=pipes.theirs["stdout"] if stdout is None else stdout,
            stderr=pipes.theirs["stderr"],
            env=env,
            cwd="/",
            start_new_session=True,
            pass_fds=inherited,
        )
    except BaseException:
        pipes.close()
        raise
    finally:
        pipes.close_theirs()
