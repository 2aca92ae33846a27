"""Output of long git commands as it comes, with the same limits as short ones."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ingot.gitstore.environment import Config
from ingot.gitstore.errors import OutputTooLarge, TimedOut
from ingot.gitstore.process import CHUNK, LONG, Limits, kill, pipe, raise_for, signal_group, start


def stream(
    path: Path | None,
    args: Sequence[str],
    *,
    limits: Limits = LONG,
    env: Mapping[str, str] | None = None,
    config: Config | None = None,
) -> Iterator[bytes]:
    """Output in chunks as it comes; closing the iterator early ends the command."""
    with _running(path, args, limits, env, config) as (process, finish):
        descriptor = pipe(process.stdout).fileno()
        sent = 0
        while chunk := os.read(descriptor, CHUNK):
            sent += len(chunk)
            if sent > limits.output:
                raise OutputTooLarge
            yield chunk
        finish()


@contextmanager
def _running(
    path: Path | None,
    args: Sequence[str],
    limits: Limits,
    env: Mapping[str, str] | None,
    config: Config | None,
) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], None]]]:
    process = start(path, args, env, config, subprocess.DEVNULL)
    stdout, errors = pipe(process.stdout), pipe(process.stderr)
    said = bytearray()
    late = threading.Event()

    def drain() -> None:
        while chunk := os.read(errors.fileno(), CHUNK):
            if len(said) < CHUNK:
                said.extend(chunk)

    def expire() -> None:
        late.set()
        signal_group(process.pid, signal.SIGTERM)

    def finish() -> None:
        code = process.wait()
        reader.join(timeout=5)
        if late.is_set():
            raise TimedOut
        if code != 0:
            raise_for(path, args, code, said.decode("utf-8", "replace"))

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
        stdout.close()
        reader.join(timeout=5)
        errors.close()
