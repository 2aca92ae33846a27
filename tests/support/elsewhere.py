"""Another server on this machine, which gives out what tests put there and writes down who asked."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Elsewhere:
    """The server, as tests see it."""

    url: str = ""
    files: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def place(self) -> str:
        """Its address and port."""
        return self.url.removeprefix("http://")

    def put(self, path: str, content: bytes = b"", status: int = 200, **headers: str) -> str:
        """Give this out; returns its address. Paths that begin with `/held` wait until `released` is set."""
        self.files[path] = (status, headers, content)
        return self.url + path

    def times(self, path: str) -> int:
        """How often it was asked for."""
        return sum(asked == path for asked, _ in self.asked)


class _Handler(BaseHTTPRequestHandler):
    elsewhere: Elsewhere

    def do_GET(self) -> None:
        self.elsewhere.asked.append((self.path, dict(self.headers)))
        if self.path.startswith("/held"):
            self.elsewhere.released.wait(120)
        status, headers, content = self.elsewhere.files.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in {"Content_Length": str(len(content)), **headers}.items():
            if value:
                self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        try:
            self.wfile.write(content)
        except OSError:  # nobody wants more of it
            self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True


@contextmanager
def running_elsewhere() -> Iterator[Elsewhere]:
    """A server on a free port."""
    elsewhere = Elsewhere()
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"elsewhere": elsewhere}))
    elsewhere.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield elsewhere
    finally:
        elsewhere.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
