"""A server process for tests, with a data folder of its own."""

import os
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from ingot.testing.instance import Ingot

GREETING = "Ingot is at "
STOP_SECONDS = 30.0


class StartFailed(Exception):
    """The server did not start; the text is what it said."""


class IngotServer:
    """A running `ingot serve --testing` on a free port. Several may run side by side: they share nothing.

    `settings` are those of the server, by the names in the manual: `IngotServer(tier="free")`.
    """

    def __init__(self, **settings: object) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ingot-", ignore_cleanup_errors=True)
        self.token = str(settings.pop("root_token", "") or f"glpat-{secrets.token_hex(10)}")
        given = {"root_token": self.token, "job_request_wait": 0, "log_level": "error", **settings}
        own = {f"INGOT_{name.upper()}": _text(value) for name, value in given.items()}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("INGOT_")}
        command = [sys.executable, "-m", "ingot", "serve", "--testing", "--port", "0"]
        command += ["--data", str(Path(self._folder.name) / "data")]
        self._process = subprocess.Popen(
            command,
            env=inherited | own,
            cwd=self._folder.name,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._output: list[str] = []
        self._listening = threading.Thread(target=self._listen, name="ingot-stderr", daemon=True)
        self._listening.start()
        self.url = self._greeting()

    def _listen(self) -> None:
        """Read what the server logs, so that it never waits for a reader; the last lines are for `StartFailed`."""
        assert self._process.stderr is not None  # noqa: S101 - it is a pipe
        for line in self._process.stderr:
            self._output = [*self._output[-50:], line]

    def _greeting(self) -> str:
        assert self._process.stdout is not None  # noqa: S101
        for line in self._process.stdout:
            if line.startswith(GREETING):
                return line.removeprefix(GREETING).strip()
        self._process.wait()
        self._listening.join()
        self.stop()
        raise StartFailed("".join(self._output).strip() or "the server ended before it said where it is")

    @property
    def ingot(self) -> Ingot:
        """The instance, for tests."""
        return Ingot(self.url, self.token)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def stop(self) -> None:
        """End the process and remove its folder."""
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listening.join()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextmanager
def running(**settings: object) -> Iterator[Ingot]:
    """A server of its own for the block."""
    with IngotServer(**settings) as server:
        yield server.ingot


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
