"""Running commands in a process group of their own, with their output in the log."""

import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ingot.runner.trace import Trace

_GRACE = 10.0


class Stopped(Exception):
    """The command was ended: it took too long, or the job was cancelled or the runner stopped."""


def script_text(lines: Sequence[str]) -> str:
    """The lines as one script that shows each before it runs, and ends at the first that fails."""
    shown = []
    for line in lines:
        first, *rest = line.splitlines() or [""]
        note = f"$ {first}" + (" # collapsed multi-line command" if rest else "")
        shown.append(f"printf '\\033[32;1m%s\\033[0m\\n' {shlex.quote(note)}\n{line}\n")
    head = "set -eo pipefail\n" if shutil.which("bash") else "set -e\n"
    return head + "".join(shown)


def run_script(
    lines: Sequence[str], place: Path, trace: Trace, env: Mapping[str, str], folder: Path, is_over: Callable[[], bool]
) -> int:
    """Run script lines; returns the exit status."""
    place.write_text(script_text(lines))
    place.chmod(0o700)
    return run([shutil.which("bash") or "/bin/sh", str(place)], trace, env, folder, is_over)


def run(command: Sequence[str], trace: Trace, env: Mapping[str, str], folder: Path, is_over: Callable[[], bool]) -> int:
    """Run a command with its output in the log. Raises `Stopped` when `is_over` says so first."""
    process = subprocess.Popen(
        command, cwd=folder, env=dict(env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    reader = threading.Thread(target=_copy, args=(process, trace), daemon=True)
    reader.start()
    try:
        while process.poll() is None:
            if is_over():
                raise Stopped
            try:
                process.wait(0.2)
            except subprocess.TimeoutExpired:
                continue
        return process.returncode
    finally:
        _end_group(process)
        # A process that left the group may hold the pipe; nobody waits for it.
        reader.join(timeout=_GRACE)


def _copy(process: "subprocess.Popen[bytes]", trace: Trace) -> None:
    if process.stdout is not None:
        while piece := os.read(process.stdout.fileno(), 65_536):
            trace.write(piece)


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """Ask the whole group to end, then make it."""
    for number, patience in ((signal.SIGTERM, _GRACE), (signal.SIGKILL, 1.0)):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            break
        limit = time.monotonic() + patience
        while process.poll() is None and time.monotonic() < limit:
            time.sleep(0.05)
    process.wait()
