"""A receiver of web hooks in a process of its own: it writes down what it is sent and answers as the path says.

/anything          200 `{"ok":true}`
/answer/500/...    this status; one of 300 to 399 sends the caller to what follows it
/held/...          200, once `release()` was called
"""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support import plain_http
from tests.support.waiting import until


@dataclass(frozen=True)
class Delivered:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    text: str

    @property
    def body(self) -> Any:
        """The JSON document."""
        return json.loads(self.text)


@dataclass(frozen=True)
class Receiver:
    """The receiver, as tests see it."""

    url: str

    def received(self, path: str = "/") -> list[Delivered]:
        """What arrived at paths that begin so, in order."""
        entries = plain_http.get(f"{self.url}/received").json()
        return [Delivered(**entry) for entry in entries if entry["path"].startswith(path)]

    def wait_for(self, path: str, number: int = 1) -> list[Delivered]:
        """As `received`, once so many have arrived."""
        return until(lambda: seen if len(seen := self.received(path)) >= number else [])

    def release(self) -> None:
        """Answer those who wait, and all who come."""
        plain_http.get(f"{self.url}/release")


@contextmanager
def running_receiver() -> Iterator[Receiver]:
    """A receiver on a free port."""
    process = subprocess.Popen([sys.executable, "-m", "tests.support.receiver"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Receiver(f"http://127.0.0.1:{int(process.stdout.readline())}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class _Handler(BaseHTTPRequestHandler):
    arrived: list[dict[str, Any]] = []
    released = threading.Event()

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        self.arrived.append({"path": self.path, "headers": dict(self.headers), "text": text})
        words = self.path.split("/")
        if words[1] == "held":
            self.released.wait(120)
        self._answer(int(words[2]) if words[1] == "answer" else 200, '{"ok":true}', "/".join(["", *words[3:]]))

    def do_GET(self) -> None:
        if self.path == "/release":
            self.released.set()
        elif self.path != "/received":
            self.arrived.append({"path": self.path, "headers": dict(self.headers), "text": ""})
        self._answer(200, json.dumps(self.arrived))

    def _answer(self, status: int, text: str, onward: str = "/") -> None:
        body = text.encode()
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", onward)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


if __name__ == "__main__":
    server = _Server(("127.0.0.1", 0), _Handler)
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()
