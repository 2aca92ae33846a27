"""Runs git with a clean environment and limits on time and output. Every other module starts git through here."""

from __future__ import annotations

import os
import resource
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn

import msgspec

from ingot.gitstore.environment import Config, environment
from ingot.gitstore.errors import (
    CommandFailed,
    GitError,
    Killed,
    NoSpace,
    OutputTooLarge,
    Overloaded,
    RepositoryNotFound,
    StorageAway,
    TimedOut,
    TooMuchMemory,
)
from ingot.kit import tallies
from ingot.kit.brief_reads import require_thread
from ingot.kit.calling_off import end_if_called_off
from ingot.kit.os_faults import says_away
from ingot.kit.statement_limit import is_ended
from ingot.kit.times import note

CHUNK = 1 << 16
USUAL_SECONDS = 60.0
USUAL_MEMORY = 1 << 30
LARGE_MEMORY = 4 << 30
GLANCE = 0.05
"""Seconds between two checks whether the command must end early."""
HEAVY_READS = frozenset({"blame", "archive", "grep", "fsck", "commit-graph"})
"""Commands that compute for long and hold no lock for which others wait."""
NICE = 10
"""By how much they are nicer than the server."""
FULL_DISK = 1 << 16
"""With fewer free bytes, a failed write counts as a full disk."""


class Limits(msgspec.Struct, frozen=True):
    """How long a command may run, how many bytes it may write to its standard output, and how many it may allocate."""

    seconds: float = USUAL_SECONDS
    output: int = 32 << 20
    memory: int = USUAL_MEMORY

    def within(self, seconds: float, memory: int) -> Limits:
        """The same with another time and memory, unless it has its own."""
        return Limits(
            self.seconds if self.seconds != USUAL_SECONDS else seconds,
            self.output,
            self.memory if self.memory != USUAL_MEMORY else memory,
        )


DEFAULT = Limits()
LONG = Limits(seconds=3600.0, output=1 << 50, memory=LARGE_MEMORY)


class Result(msgspec.Struct, frozen=True):
    code: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        return self.stdout.decode("utf-8", "replace")


def command_line(path: Path | None, args: Sequence[str]) -> list[str]:
    return ["git", *([] if path is None else [f"--git-dir={path}"]), *args]


def start(
    path: Path | None,
    args: Sequence[str],
    env: Mapping[str, str] | None,
    config: Config | None,
    stdin: int | IO[bytes],
    memory: int,
) -> subprocess.Popen[bytes]:
    require_thread()
    if path is not None and not path.is_dir():
        raise RepositoryNotFound
    process = subprocess.Popen(
        command_line(path, args),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(env, config),
        cwd="/" if path is None else path,
        process_group=0,
    )
    limit_memory(process.pid, memory)
    if args and args[0] in HEAVY_READS:
        give_way(process.pid)
    return process


def give_way(pid: int) -> None:
    """Where processors are scarce, the process runs after the server and after short commands."""
    with suppress(OSError):  # it has ended already
        os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, 0) + NICE)


def limit_memory(pid: int, size: int) -> None:
    """The process and those that it starts may allocate so much each; mapped packs do not count."""
    with suppress(ProcessLookupError, PermissionError):  # it has ended already
        resource.prlimit(pid, resource.RLIMIT_DATA, (size, size))


def pipe(result: IO[bytes] | None) -> IO[bytes]:
    """The pipe of a process that was started with one; for type checkers."""
    if result is None:
        raise GitError("The git process has no such pipe.")
    return result


def kill(process: subprocess.Popen[bytes]) -> None:
    """Terminate the command and its whole group, with SIGTERM first: git then removes its lock files."""
    if process.poll() is None:
        signal_group(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            signal_group(process.pid, signal.SIGKILL)
            process.wait()


def signal_group(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


_NO_MEMORY = ("Out of memory", "out of memory", "Cannot allocate memory")


def raise_for(path: Path | None, args: Sequence[str], code: int, stderr: str) -> NoReturn:
    """The typed error of a failed command. Git does not always name a full disk, so the disk is asked as well."""
    if "No space left on device" in stderr or "Disk quota exceeded" in stderr:
        raise NoSpace
    if path is not None and _is_full(path):
        raise NoSpace
    if says_away(stderr):
        raise StorageAway
    if any(words in stderr for words in _NO_MEMORY):
        raise TooMuchMemory
    # By the kernel's memory killer or an operator; a command of git's own may be the one that was hit.
    if code in (-signal.SIGKILL, -signal.SIGTERM) or "died of signal 9" in stderr:
        raise Killed
    raise CommandFailed(args, code, stderr)


def _is_full(path: Path) -> bool:
    try:
        return path.is_dir() and shutil.disk_usage(path).free < FULL_DISK
    except OSError as error:
        raise StorageAway from error


def run(
    path: Path | None,
    args: Sequence[str],
    *,
    stdin: bytes | IO[bytes] | None = None,
    limits: Limits = DEFAULT,
    env: Mapping[str, str] | None = None,
    config: Config | None = None,
    accept: Sequence[int] = (0,),
) -> Result:
    """Run to the end and return the output. Codes outside `accept` raise; so do the limits."""
    source: int | IO[bytes] = subprocess.DEVNULL
    if isinstance(stdin, bytes):
        source = subprocess.PIPE
    elif stdin is not None:
        source = stdin
    begun = time.perf_counter()
    process = start(path, args, env, config, source, limits.memory)
    try:
        out, err = _communicate(process, stdin if isinstance(stdin, bytes) else b"", limits)
        code = _reap(process, limits.seconds)
    finally:
        kill(process)
        for opened in (process.stdin, process.stdout, process.stderr):
            if opened is not None:
                with suppress(BrokenPipeError):
                    opened.close()
        note_process(args, begun, is_good=process.returncode in accept)
    # Messages of other servers are among it, and are stored: no database takes a zero byte.
    stderr = err.decode("utf-8", "replace").replace("\0", "")
    if code not in accept:
        raise_for(path, args, code, stderr)
    return Result(code, bytes(out), stderr)


def note_process(args: Sequence[str], begun: float, *, is_good: bool) -> None:
    """A process has ended that began then (`time.perf_counter`)."""
    # Without the words behind the command: they are names and paths of people.
    command = next((word for word in args if not word.startswith("-")), "")
    name = command if command.replace("-", "").isalpha() and command.isascii() else "other"
    note(tallies.GIT, name, time.perf_counter() - begun, tallies.OK if is_good else tallies.FAILED)


def _reap(process: subprocess.Popen[bytes], seconds: float) -> int:
    """Both pipes are closed, so the process ends at once; `wait` with a timeout would sleep a millisecond."""
    for _ in range(60):
        code = process.poll()
        if code is not None:
            return code
        time.sleep(0.00005)
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise TimedOut from None


def _communicate(process: subprocess.Popen[bytes], data: bytes, limits: Limits) -> tuple[bytearray, bytearray]:
    stdout, stderr = pipe(process.stdout), pipe(process.stderr)
    deadline = time.monotonic() + limits.seconds
    out, err = bytearray(), bytearray()
    pending = memoryview(data)
    with selectors.DefaultSelector() as selector:
        selector.register(stdout, selectors.EVENT_READ, out)
        selector.register(stderr, selectors.EVENT_READ, err)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE, None)
        while selector.get_map():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise TimedOut
            ready = selector.select(min(GLANCE, remaining))
            if is_ended():
                raise Overloaded
            end_if_called_off()
            for key, _ in ready:
                if key.data is None:
                    pending = _feed(process, selector, pending)
                    continue
                chunk = os.read(key.fd, CHUNK)
                if not chunk:
                    selector.unregister(key.fileobj)
                elif key.data is out or len(err) < CHUNK:
                    key.data.extend(chunk)
            if len(out) > limits.output:
                raise OutputTooLarge
    return out, err


def _feed(process: subprocess.Popen[bytes], selector: selectors.BaseSelector, pending: memoryview) -> memoryview:
    stdin = pipe(process.stdin)
    try:
        pending = pending[os.write(stdin.fileno(), pending[:CHUNK]) :]
    except BlockingIOError:
        return pending
    except BrokenPipeError:
        pending = pending[:0]
    if not pending:
        selector.unregister(stdin)
        stdin.close()
    return pending
