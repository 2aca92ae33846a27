"""The log of a running job: secrets are masked line by line, and what is new is sent in the background."""

import re
import threading
import zlib
from collections.abc import Iterable

from ingot.runner.protocol import Coordinator, Unreachable

_MAX_PIECE = 1024 * 1024
_MAX_LINE = 64 * 1024
_KEEP_ALIVE = 10.0  # also how soon a silent job learns that it was cancelled
_ENDED = ("canceled", "failed")


class Trace:
    """Write from anywhere; a thread sends. `aborted` is set when the server wants the job to end."""

    def __init__(self, coordinator: Coordinator, job_id: int, token: str, secrets: Iterable[str]) -> None:
        self._coordinator = coordinator
        self._job_id, self._token = job_id, token
        ordered = sorted({secret for secret in secrets if len(secret) >= 6}, key=len, reverse=True)
        self._secrets = re.compile("|".join(re.escape(secret) for secret in ordered).encode()) if ordered else None
        self._lock = threading.Lock()
        self._log = bytearray()
        self._line = b""
        self._sent = 0
        self._interval = 1.0
        self._done = threading.Event()
        self.aborted = threading.Event()
        self.canceling = threading.Event()
        self._thread = threading.Thread(target=self._send_loop, name=f"trace-{job_id}", daemon=True)
        self._thread.start()

    def write(self, content: bytes) -> None:
        """Add output; a secret is only recognised whole, so that unfinished lines wait."""
        with self._lock:
            *whole, self._line = (self._line + content).split(b"\n")
            for line in whole:
                self._log += self._masked(line) + b"\n"
            if len(self._line) > _MAX_LINE:
                self._log += self._masked(self._line)
                self._line = b""

    def say(self, text: str) -> None:
        """A line of the runner itself."""
        colour = 31 if text.startswith("ERROR") else 33 if text.startswith("WARNING") else 36
        self.write(f"\x1b[{colour};1m{text}\x1b[0m\n".encode())

    def finish(self) -> dict[str, object]:
        """Send the rest; returns what the final update says about the log."""
        with self._lock:
            if self._line:
                self._log += self._masked(self._line)
                self._line = b""
        self._done.set()
        self._thread.join()
        self._send()
        return self._summary()

    def send_again(self) -> None:
        """The server misses something: it says from where on when it is offered everything."""
        self._sent = 0
        self._send()

    def _summary(self) -> dict[str, object]:
        return {"checksum": f"crc32:{zlib.crc32(self._log):08x}", "bytesize": len(self._log)}

    def _masked(self, line: bytes) -> bytes:
        return line if self._secrets is None else self._secrets.sub(b"[MASKED]", line)

    def _send_loop(self) -> None:
        silent = 0.0
        while not self._done.wait(self._interval):
            if self._send():
                silent = 0.0
                continue
            silent += self._interval
            if silent >= _KEEP_ALIVE or self.canceling.is_set():
                silent = 0.0
                self._keep_alive()

    def _send(self) -> bool:
        """Send all that is new; True when there was something."""
        result = False
        while not self.aborted.is_set():
            with self._lock:
                piece = bytes(self._log[self._sent : self._sent + _MAX_PIECE])
            if not piece:
                return result
            result = True
            try:
                answer = self._coordinator.patch_trace(self._job_id, self._token, self._sent, piece)
            except Unreachable:
                return result
            self._follow(answer.headers.get("Job-Status", ""), refused=answer.status in (403, 404))
            header = answer.headers.get("X-GitLab-Trace-Update-Interval", "")
            # Short enough that a cancellation is noticed soon; the server may ask for less.
            self._interval = min(5.0, float(header)) if header.isdigit() and int(header) else self._interval
            if answer.status in (202, 416):
                size = answer.headers.get("Range", "").rpartition("-")[2]
                self._sent = int(size) if size.isdigit() else self._sent + len(piece)
            else:
                return result
        return result

    def _keep_alive(self) -> None:
        try:
            answer = self._coordinator.update_job(self._job_id, self._token, "running")
        except Unreachable:
            return
        self._follow(answer.headers.get("Job-Status", ""), refused=answer.status in (403, 404))

    def _follow(self, status: str, *, refused: bool) -> None:
        if status == "canceling":
            self.canceling.set()
        if refused or status in _ENDED:
            self.aborted.set()
