"""Output of long git commands as it comes, with the same limits as short ones."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ingot.gitstore.environment import Config
from ingot.gitstore.errors import OutputTooLarge, Overloaded, TimedOut
from ingot.gitstore.process import (
    CHUNK,
    GLANCE,
    LONG,
    Limits,
    kill,
    note_process,
    pipe,
    raise_for,
    run,
    signal_group,
    start,
)
from ingot.kit.calling_off import end_if_called_off
from ingot.kit.statement_limit import is_ended

STREAM = Limits(seconds=LONG.seconds, output=LONG.output)
ROOM = 256 * 1024
"""Size of the pipe: with the default of 64 KB both sides wait for each other."""


def stream(
    path: Path | None,
    args: Sequence[str],
    *,
    limits: Limits = STREAM,
    silence: float = LONG.seconds,
    env: Mapping[str, str] | None = None,
    config: Config | None = None,
) -> Generator[bytes]:
    """Output in chunks as it comes, `silence` seconds apart at most; closing the iterator early ends the command."""
    with _running(path, args, limits, env, config) as (process, finish):
        descriptor = pipe(process.stdout).fileno()
        sent = 0
        while chunk := _read(descriptor, silence):
            sent += len(chunk)
            if sent > limits.output:
                raise OutputTooLarge
            yield chunk
        finish()


def piped(path: Path, args: Sequence[str], into: Sequence[str], *, limits: Limits = STREAM) -> bytes:
    """The short output of a command that reads what another one prints."""
    with _running(path, args, limits, None, None) as (process, finish):
        result = run(path, into, stdin=pipe(process.stdout), limits=limits)
        finish()
    return result.stdout


def _read(descriptor: int, silence: float) -> bytes:
    """The next chunk, b"" at the end. Stops waiting when the caller has ended."""
    ready = select.poll()  # `select` supports only the first 1024 descriptors
    ready.register(descriptor, select.POLLIN)
    deadline = time.monotonic() + silence
    while not ready.poll(GLANCE * 1000):
        if is_ended():
            raise Overloaded
        end_if_called_off()
        if time.monotonic() > deadline:
            raise TimedOut
    return os.read(descriptor, ROOM)


@contextmanager
def _running(
    path: Path | None,
    args: Sequence[str],
    limits: Limits,
    env: Mapping[str, str] | None,
    config: Config | None,
) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], None]]]:
    begun = time.perf_counter()
    process = start(path, args, env, config, subprocess.DEVNULL, limits.memory)
    stdout, errors = pipe(process.stdout), pipe(process.stderr)
    with suppress(OSError):  # the system limits it per user
        fcntl.fcntl(stdout, fcntl.F_SETPIPE_SZ, ROOM)
    stderr = bytearray()
    late = threading.Event()

    def drain() -> None:
        while chunk := os.read(errors.fileno(), CHUNK):
            if len(stderr) < CHUNK:
                stderr.extend(chunk)

    def expire() -> None:
        late.set()
        signal_group(process.pid, signal.SIGTERM)

    def finish() -> None:
        code = process.wait()
        reader.join(timeout=5)
        if late.is_set():
            raise TimedOut
        if code != 0:
            raise_for(path, args, code, stderr.decode("utf-8", "replace"))

    reader = threading.Thread(target=drain, daemon=True)
    timer = threading.Timer(limits.seconds, expire)
    timer.daemon = True
    reader.start()
    timer.start()
    try:
        yield process, finish
    finally:
        timer.cancel()
        kill(process)
        note_process(args, begun, is_good=process.returncode == 0)
        stdout.close()
        reader.join(timeout=5)
        errors.close()
