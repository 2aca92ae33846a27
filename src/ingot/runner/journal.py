"""Jobs that run, noted on disk: a runner that was killed tells the server of them when it starts again.

Each note is locked while its job runs. So a note that nobody holds is one of a process that is gone.
"""

import fcntl
import logging
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from ingot.runner.job import Job
from ingot.runner.protocol import Coordinator

log = logging.getLogger("ingot.runner")
LAST_WORDS = b"\n\x1b[31;1mERROR: Job failed: the runner was stopped while it ran the job\x1b[0m\n"


class Note(msgspec.Struct):
    """A job that was taken; `server` as this runner knows it."""

    server: str
    job_id: int
    token: str


class Journal:
    """The notes in the folder of the builds, which runners of several servers may share."""

    def __init__(self, builds: Path, server: str) -> None:
        self._builds, self._folder, self._server = builds, builds / "running", server

    @contextmanager
    def noting(self, job: Job) -> Iterator[Path]:
        """Note the job while it runs. The note is removed by `forget`, once the server knows how the job ended."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = self._folder / f"{job.id}-{os.getpid()}.json"
        begun = place.with_suffix(".new")
        with os.fdopen(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(msgspec.json.encode(Note(self._server, job.id, job.token)))
            file.flush()
            begun.rename(place)
            yield place

    def fail_left(self, coordinator: Coordinator) -> None:
        """End the jobs of processes that are gone. Raises `Unreachable` where the server does not answer."""
        for place in sorted(self._folder.glob("*.json")):
            with suppress(FileNotFoundError), place.open("rb") as file:
                if not _is_free(file.fileno()):
                    continue
                try:
                    note = msgspec.json.decode(file.read(), type=Note)
                except msgspec.DecodeError:  # it was cut
                    place.unlink()
                    continue
                if note.server == self._server:
                    self._fail(coordinator, note)
                    place.unlink()

    def _fail(self, coordinator: Coordinator, note: Note) -> None:
        _kill_processes(note.token)
        for scratch in self._builds.glob(f"*/job-{note.job_id}-*"):
            shutil.rmtree(scratch, ignore_errors=True)
        answer = coordinator.patch_trace(note.job_id, note.token, 0, LAST_WORDS)
        size = answer.headers.get("Range", "").rpartition("-")[2]
        if answer.status == 416 and size.isdigit():
            coordinator.patch_trace(note.job_id, note.token, int(size), LAST_WORDS)
        coordinator.update_job(note.job_id, note.token, "failed", failure_reason="runner_interrupted")
        log.warning("job %d ended with the runner that ran it", note.job_id)


def forget(place: Path) -> None:
    """The server knows how the job ended."""
    place.unlink(missing_ok=True)


def _is_free(number: int) -> bool:
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _kill_processes(token: str) -> None:
    """What the job started and left running: it has the job's token in its environment."""
    mark = f"CI_JOB_TOKEN={token}".encode()
    for place in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark in place.read_bytes().split(b"\0"):
                os.kill(int(place.parent.name), signal.SIGKILL)
