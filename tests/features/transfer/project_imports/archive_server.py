"""A real web server that hands out an archive, well or badly, by the path that is asked for."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from tests.support.waiting import LIMIT

GZIP = "application/gzip"
REPOSITORY = "/waiting.git/info/refs"


class ArchiveServer:
    """`url("/good")` is the archive; other paths misbehave in one way each."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.archive = b""
        self.released = Event()  # what `/held` waits for
        self.asked: list[tuple[str, str]] = []
        self.git_waits, self.git_left = Event(), Event()  # at `/waiting.git`, which answers everybody but git
        self.headers: dict[str, dict[str, str]] = {
            "/no-length": {"Content-Type": GZIP},
            "/odd-length": {"Content-Type": GZIP, "Content-Length": "many"},
            "/empty": {"Content-Type": GZIP, "Content-Length": "0"},
            "/negative": {"Content-Type": GZIP, "Content-Length": "-5"},
            "/huge": {"Content-Type": GZIP, "Content-Length": str(10 * 1024**3 + 1)},
            "/zip": {"Content-Type": "application/zip", "Content-Length": "10"},
            "/charset": {"Content-Type": f"{GZIP}; charset=utf-8", "Content-Length": "10"},
            "/no-type": {"Content-Length": "10"},
            "/bucket": {"Server": "AmazonS3", "x-amz-request-id": "1", "Content-Type": "application/xml"},
        }

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


class _Handler(BaseHTTPRequestHandler):
    place: ArchiveServer

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, body: bool) -> None:
        path = self.path.partition("?")[0]
        self.place.asked.append((self.command, path))
        if path == REPOSITORY:
            self._keep_waiting()
            return
        if path == "/slow" and not body:
            time.sleep(1.5)  # longer than the one second that is allowed
        if path == "/held" and body:
            self.place.released.wait(LIMIT)
        headers = self.place.headers.get(path, {"Content-Type": GZIP, "Content-Length": str(len(self.place.archive))})
        status = 404 if path == "/gone" else 200
        if body and path == "/fickle":
            status = 403
        self.send_response_only(status)
        if body:
            headers = {"Content-Type": GZIP, "Content-Length": str(len(self.place.archive))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(self.place.archive[: 20 if path == "/broken-off" else None])

    def _keep_waiting(self) -> None:
        """Look like a repository, and leave git without an answer until it goes."""
        if self.headers.get("User-Agent", "").startswith("git/"):
            self.place.git_waits.set()
            self.connection.settimeout(LIMIT)
            if self.connection.recv(1) == b"":
                self.place.git_left.set()
            return
        self.send_response_only(200)
        self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@contextmanager
def archive_server() -> Iterator[ArchiveServer]:
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    handler.place = ArchiveServer(server.server_port)  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield handler.place  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
