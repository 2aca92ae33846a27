"""The program in a process of its own, forked off one that has loaded it already.

Loading costs ten times the processor time of most commands, and the suite runs hundreds. What the start itself does is
tested by processes that start from nothing.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path

from ingot.__main__ import main

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.support.loaded_program"])
NOWHERE = Path(os.devnull)


class ForkedProgram:
    """`ingot` with these words; has what the tests use of `subprocess.Popen`."""

    def __init__(
        self,
        *words: str,
        environment: dict[str, str],
        folder: Path | None = None,
        output: Path = NOWHERE,
        errors: Path = NOWHERE,
        prelude: str = "",
    ) -> None:
        """The prelude is Python that runs before the program."""
        given = (words, environment, str(folder or Path.cwd()), str(output), str(errors), prelude)
        # What a failed test leaves running ends with the tests.
        self._process = _FORKS.Process(target=_run, args=given, daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("ingot", timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has ended at this moment
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def load_ahead() -> None:
    """Load the program now, beside other work, for a fork that comes soon."""
    forkserver.ensure_running()


def run_program(
    *words: str, environment: dict[str, str], folder: Path | None = None, prelude: str = "", timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """What `ingot` with these words says, and its exit status."""
    with tempfile.TemporaryDirectory() as place:
        output, errors = Path(place, "output"), Path(place, "errors")
        program = ForkedProgram(
            *words, environment=environment, prelude=prelude, folder=folder, output=output, errors=errors
        )
        try:
            status = program.wait(timeout)
        except subprocess.TimeoutExpired:
            program.send_signal(signal.SIGKILL)
            raise
        return subprocess.CompletedProcess(words, status, output.read_text(), errors.read_text())


def _run(
    words: tuple[str, ...], environment: dict[str, str], folder: str, output: str, errors: str, prelude: str
) -> None:
    """In the new process: stand where a process started from nothing would."""
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, output, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
        (2, errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
    ):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.argv = ["ingot", *words]
    exec(prelude, {})
    main()
