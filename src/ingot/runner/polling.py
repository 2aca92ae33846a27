"""Asking for jobs and running several at once."""

import hashlib
import logging
import platform
import threading
import time
import uuid
from pathlib import Path

from ingot.runner.execution import Execution
from ingot.runner.job import Job
from ingot.runner.journal import Journal
from ingot.runner.protocol import Coordinator, Refused, Unreachable

log = logging.getLogger("ingot.runner")


class Runner:
    """Takes jobs until it is told to stop; `once` ends it when there is nothing left to do."""

    def __init__(
        self, url: str, token: str, builds: Path, *, concurrent: int = 1, interval: float = 3.0, server: str = ""
    ) -> None:
        """`server` names a server whose address may be another one after a restart."""
        seed = f"{uuid.getnode()}:{platform.node()}:{builds}"
        self.coordinator = Coordinator(url, token, f"r_{hashlib.sha256(seed.encode()).hexdigest()[:12]}")
        self._builds = builds
        self._journal = Journal(builds, server or url)
        self._interval = interval
        self._slots = list(range(concurrent))
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self.stopping = threading.Event()
        self.taken = 0

    def run(self, *, once: bool = False) -> None:
        """Ask, run, ask again. Raises `Refused` when the token is not good."""
        idle, has_left = 0, True
        while not self.stopping.is_set():
            has_left = has_left and not self._has_failed_left()
            slot = self._free_slot()
            if slot is None:
                self.stopping.wait(0.1)
                continue
            if self._run_next_job(slot, wait=not once):
                idle = 0
                continue
            if once and not self._busy() and (idle := idle + 1) > 2:
                break
            self.stopping.wait(min(self._interval, 0.2) if once else self._interval)
        for thread in list(self._threads):
            thread.join()

    def stop(self) -> None:
        """End the running jobs and ask no more."""
        self.stopping.set()
        self.coordinator.hang_up()

    def _has_failed_left(self) -> bool:
        """Whether the server knows that jobs of this runner ended when it was killed."""
        try:
            self._journal.fail_left(self.coordinator)
        except Unreachable as error:
            if not self.stopping.is_set():
                log.warning("the server does not respond: %s", error)
            return False
        return True

    def _run_next_job(self, slot: int, *, wait: bool) -> bool:
        try:
            job = self.coordinator.request_job(wait=wait)
        except Unreachable as error:
            if not self.stopping.is_set():
                log.warning("the server does not respond: %s", error)
            job = None
        except Refused as refusal:
            if refusal.status in (401, 403):
                raise
            log.warning("the server rejected the request: %s", refusal)
            job = None
        if job is None:
            self._give_back(slot)
            return False
        self.taken += 1
        log.info("%s is running", job.title)
        execution = Execution(self.coordinator, job, self._builds, slot)
        thread = threading.Thread(target=self._work, args=(execution, job, slot), name=f"job-{job.id}")
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()
        return True

    def _work(self, execution: Execution, job: Job, slot: int) -> None:
        started = time.monotonic()
        ending = "failed"
        try:
            outcome = execution.run(self.stopping, self._journal)
            ending = "succeeded" if outcome.state == "success" else f"failed ({outcome.failure_reason})"
        finally:
            self._give_back(slot)
            log.info("%s %s after %.1f s", job.title, ending, time.monotonic() - started)

    def _free_slot(self) -> int | None:
        with self._lock:
            return self._slots.pop() if self._slots else None

    def _give_back(self, slot: int) -> None:
        with self._lock:
            self._slots.append(slot)

    def _busy(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)
