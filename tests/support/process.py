"""`ingot serve` as a process of its own: to kill it, and to measure its memory."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
from sqlalchemy import select

from ingot.kit.clock import now
from ingot.kit.db import Database
from ingot.kit.jobs.tables import jobs
from tests.support import plain_http
from tests.support.forked_program import ForkedProgram
from tests.support.ports import free_port
from tests.support.processor_time import processor_time
from tests.support.server import ROOT_TOKEN
from tests.support.waiting import LIMIT, until

T = TypeVar("T")


class ServerProcess:
    """Starts and stops the real server on one data folder."""

    def __init__(self, database_url: str, data: Path, **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data = str(data)
        self.database_url = database_url
        self._environment = {
            **os.environ, "INGOT_DATABASE_URL": database_url, "INGOT_DATA": str(data),
            "INGOT_PORT": str(self.port), "INGOT_HOST": "127.0.0.1", "INGOT_ROOT_TOKEN": ROOT_TOKEN,
            # One process, whose memory and processor time can be told.
            "INGOT_WORKERS": "1", **environment,
        }  # fmt: skip
        self.prelude = ""
        self._process: ForkedProgram | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Run the server until it answers."""
        self._process = ForkedProgram("serve", environment=self._environment, prelude=self.prelude)
        limit = time.monotonic() + LIMIT
        with plain_http.client(base_url=self.url) as client:
            while True:
                assert self._process.poll() is None, "the server ended at once"
                try:
                    if client.get("/-/readiness").status_code == 200:
                        return
                except httpx.TransportError:
                    pass  # it does not listen yet
                assert time.monotonic() < limit, "the server did not start"
                time.sleep(0.05)

    def kill(self) -> None:
        """As a power cut: the server and every process that it started."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def died(self, seconds: float = 120) -> bool:
        """It was killed, by itself or by somebody."""
        assert self._process is not None
        return self._process.wait(seconds) == -signal.SIGKILL

    def end(self, seconds: float = 120) -> int:
        """The exit status of a server that ends by itself."""
        assert self._process is not None
        return self._process.wait(seconds)

    def is_paused(self) -> bool:
        """It was stopped with SIGSTOP."""
        assert self._process is not None
        return Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"

    def go_on(self) -> None:
        """End a pause."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Ask it to end."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout=120)
            except subprocess.TimeoutExpired:
                self.kill()
            self._process = None

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    def processor_time(self) -> float:
        """Seconds of work so far, with those of ended children; other programs on the machine do not add to it."""
        return processor_time(self.pid)

    def memory(self) -> int:
        """The resident size now, in bytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def peak_memory(self) -> int:
        """The largest resident size so far, in bytes."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024

    def growth(self, work: Callable[[], Any]) -> tuple[Any, int]:
        """What the work returns, and by how many bytes the process was larger at its peak than before."""
        assert self._process is not None
        self._wait_for_background_work()
        Path(f"/proc/{self._process.pid}/clear_refs").write_text("5")  # the peak starts again at the present size
        before = self.peak_memory()
        result = work()
        return result, self.peak_memory() - before

    def private_growth(self, work: Callable[[], T]) -> tuple[T, int]:
        """As `growth`, without the pages of files that are mapped: those are the system's, which takes them back."""
        self._wait_for_background_work()
        before = largest = self._private_memory()
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(work)
            while not running.done():
                largest = max(largest, self._private_memory())
                wait([running], timeout=0.002)
        return running.result(), largest - before

    def _wait_for_background_work(self) -> None:
        """What follows a push a second later would be counted as the work of whatever is measured then."""
        if self._environment.get("INGOT_WORKER") == "false":
            return
        database = Database(self.database_url)

        def is_idle() -> bool:
            due = select(jobs.c.id).where(jobs.c.ended_at.is_(None), jobs.c.run_after < now() + timedelta(seconds=2))
            with database.read() as conn:
                return conn.execute(due).first() is None

        until(is_idle)
        database.dispose()

    def _private_memory(self) -> int:
        status = Path(f"/proc/{self.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("RssAnon:"))
        return int(line.split()[1]) * 1024

    def call(self, method: str, path: str, **options: Any) -> Any:
        """An API call as the administrator."""
        token = {"PRIVATE-TOKEN": ROOT_TOKEN}
        answer = plain_http.request(method, f"{self.url}/api/v4{path}", headers=token, **options)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    def address(self, project: dict[str, Any]) -> str:
        """Where git pushes to, as the administrator."""
        return f"http://root:{ROOT_TOKEN}@127.0.0.1:{self.port}/{project['path_with_namespace']}.git"
