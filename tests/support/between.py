"""A way to an S3 store that passes requests on, or does with them what a test says."""

import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

TOLD = {
    "etag", "last-modified", "content-length", "content-type", "content-range", "x-amz-checksum-sha256",
    "x-amz-checksum-algorithm", "x-amz-checksum-type",
}  # fmt: skip


class Between(BaseHTTPRequestHandler):
    """`rule` sees each request; the class of one way remembers what was asked."""

    store: str
    url: str
    asked: list[str]
    rule: Callable[["Between", bytes], None]
    protocol_version = "HTTP/1.1"

    def answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if "content-length" not in {name.lower() for name in headers or {}}:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def pass_on(self, body: bytes) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection(self.store, timeout=120)
        connection.request(self.command, self.path, body, dict(self.headers))
        response = connection.getresponse()
        content = response.read()
        connection.close()
        told = {name: value for name, value in response.headers.items() if name.lower() in TOLD}
        return response.status, content, told

    def handle_one(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.asked.append(self.command)
        type(self).rule(self, body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_one  # noqa: N815 - the names of the library

    def log_message(self, *_: object) -> None:
        pass


def honest(between: Between, body: bytes) -> None:
    """Pass the request on as it is."""
    between.answer(*between.pass_on(body))


@contextmanager
def way_to(endpoint: str) -> Iterator[type[Between]]:
    """A way to the store at this address, honest at first."""
    handler = type("Chosen", (Between,), {"store": urlsplit(endpoint).netloc, "asked": [], "rule": honest})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    handler.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    yield handler
    server.shutdown()
    server.server_close()
