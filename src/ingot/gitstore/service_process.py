"""A git service as an asynchronous process: input fed with back-pressure while output is read."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

from ingot.gitstore.child_process import ChildProcess, start_child
from ingot.gitstore.errors import TimedOut
from ingot.gitstore.pipes import read_pipe
from ingot.gitstore.process import (
    CHUNK,
    LARGE_MEMORY,
    give_way,
    limit_memory,
    note_process,
    raise_for,
    signal_group,
)
from ingot.gitstore.request_body import RequestBody


class LastingPipe:
    """The standard output of a git that has its other end, too.

    Git dies where nobody reads what it writes, and leaves the folder of a push behind. This way it can say that its
    input has ended too early, and removes the folder.
    """

    def __init__(self) -> None:
        self.outlet, self.inlet = os.pipe()
        self.stream = asyncio.StreamReader(limit=CHUNK)
        self._transport: asyncio.ReadTransport | None = None

    async def connect(self) -> None:
        """Read here; git has its copies of both ends."""
        os.close(self.inlet)
        self._transport = await read_pipe(self.outlet, self.stream)

    def holds(self, size: int) -> bool:
        """Whether so many bytes can wait here. More would keep git waiting for a reader for ever."""
        try:
            return (
                size <= fcntl.fcntl(self.inlet, fcntl.F_GETPIPE_SZ)
                or fcntl.fcntl(self.inlet, fcntl.F_SETPIPE_SZ, size) >= size
            )
        except OSError:  # more than the system allows
            return False

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def discard(self) -> None:
        """Git could not be started."""
        os.close(self.inlet)
        os.close(self.outlet)


def _lasting_pipe(size: int) -> LastingPipe | None:
    """None where so much does not fit: git then dies at its first write, and what it leaves is swept later."""
    result = LastingPipe()
    if result.holds(size):
        return result
    result.discard()
    return None


class ServiceProcess:
    def __init__(self, process: ChildProcess, command: Sequence[str], lasting: LastingPipe | None = None) -> None:
        self._process = process
        self._lasting = lasting
        self._stdout = process.stdout if lasting is None else lasting.stream
        self._command = command
        self._begun = time.perf_counter()
        self._feeding: asyncio.Task[None] | None = None
        self._errors = bytearray()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(
        cls,
        args: Sequence[str],
        env: Mapping[str, str],
        inherited: Sequence[int] = (),
        *,
        most_output: int | None = None,
    ) -> ServiceProcess:
        """Start git; one with a known bound of its output can still write when this process has died, and so ends."""
        lasting = None if most_output is None else _lasting_pipe(most_output)
        try:
            if lasting is None:
                started = await start_child(["git", *args], env, inherited)
            else:
                started = await start_child(["git", *args], env, (*inherited, lasting.outlet), lasting.inlet)
        except BaseException:
            if lasting is not None:
                lasting.discard()
            raise
        limit_memory(started.pid, LARGE_MEMORY)
        if lasting is not None:
            await lasting.connect()
        return cls(started, args, lasting)

    def give_way(self) -> None:
        """Where processors are scarce, others come first."""
        give_way(self._process.pid)

    def send(self, body: RequestBody, prefix: bytes = b"") -> None:
        """Feed the body in the background."""
        self._feeding = asyncio.create_task(self._feed(body, prefix))

    def end_input(self) -> None:
        """The client is gone: git sees the end of its input."""
        if self._feeding is not None:
            self._feeding.cancel()
        self._process.stdin.close()

    async def output(self) -> AsyncIterator[bytes]:
        while chunk := await self._stdout.read(CHUNK):
            yield chunk

    async def finish(self, *, accept_failure: bool = False) -> None:
        """Wait for the end; a broken request body or a failed git is raised here unless accepted."""
        code = await self._process.wait()
        await self._listening
        feeding = self._feeding
        if feeding is not None and feeding.done() and not feeding.cancelled():
            broken = feeding.exception()
            if broken is not None and not accept_failure:
                raise broken
        # 128 with nothing on stderr: upload-pack has sent the error to the client itself.
        if code != 0 and not accept_failure and (self._errors or self.is_killed):
            raise_for(None, self._command, code, self._errors.decode("utf-8", "replace"))

    @property
    def is_killed(self) -> bool:
        """Whether a signal has ended it, which it could tell nobody."""
        return (self._process.returncode or 0) < 0

    @asynccontextmanager
    async def limited(self, seconds: float) -> AsyncIterator[None]:
        """The process is terminated when the block ends."""
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            raise TimedOut from None
        finally:
            await asyncio.shield(self._stop())

    async def _stop(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._process.returncode is not None:
                break
            signal_group(self._process.pid, number)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), 5)
        note_process(self._command, self._begun, is_good=self._process.returncode == 0)
        if self._lasting is not None:
            self._lasting.close()
        for task in (self._feeding, self._listening):
            if task is not None and not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task
        self._process.close()

    async def _feed(self, body: RequestBody, prefix: bytes) -> None:
        stdin = self._process.stdin
        try:
            if prefix:
                stdin.write(prefix)
            async for chunk in body:
                stdin.write(chunk)
                await stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            pass  # git stopped reading; its answer says why
        except RuntimeError:
            if not stdin.is_closing():  # uvloop says so where git ended before anything was written
                raise
        finally:
            stdin.close()

    async def _listen(self) -> None:
        while chunk := await self._process.stderr.read(CHUNK):
            if len(self._errors) < CHUNK:
                self._errors += chunk
