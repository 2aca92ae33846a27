"""Stores that lose an upload, or the answer to it, between its parts and the object."""

import asyncio
import http.client
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from ingot.kit.blobs import BlobStore, StoreUnavailable, s3_store
from tests.s3_server import S3Server

PIECE = b"x" * 3_000_000
LONG = [PIECE] * 3  # two parts
JOINED = b"<CompleteMultipartUploadResult><ETag>&quot;made-up-2&quot;</ETag></CompleteMultipartUploadResult>"
NOT_THERE = b"<Error><Code>NoSuchUpload</Code></Error>"


class Between(BaseHTTPRequestHandler):
    """Passes everything on to the store, but for the request that joins parts."""

    store: str
    joins: Callable[["Between", bytes], None]
    asked: list[str]
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
        kept = {"etag", "last-modified", "content-length", "content-type"}
        return (
            response.status,
            content,
            {name: value for name, value in response.headers.items() if name.lower() in kept},
        )

    def handle_one(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.asked.append(self.command)
        if self.command == "POST" and "uploadId=" in self.path:
            type(self).joins(self, body)
        else:
            self.answer(*self.pass_on(body))

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_one  # noqa: N815 - the names of the library

    def log_message(self, *_: object) -> None:
        pass


def honest(between: Between, body: bytes) -> None:
    between.answer(*between.pass_on(body))


def lie(between: Between, body: bytes) -> None:
    """As versitygw after it was killed between its notes about the object and the object."""
    between.answer(200, JOINED)


def forget(between: Between, body: bytes) -> None:
    between.answer(404, NOT_THERE)


def break_off(between: Between, body: bytes) -> None:
    """Join the parts, but be gone before the answer; asked again, there is nothing left to join."""
    if between.asked.count("POST") == 2:  # the first one began the upload
        between.pass_on(body)
        between.close_connection = True
    else:
        between.answer(404, NOT_THERE)


@pytest.fixture
def between(s3: S3Server) -> Iterator[type[Between]]:
    handler = type("Chosen", (Between,), {"store": urlsplit(s3.endpoint).netloc, "asked": [], "joins": honest})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    handler.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    yield handler
    server.shutdown()
    server.server_close()


@pytest.fixture
def store(s3: S3Server, between: type[Between]) -> BlobStore:
    return s3_store(replace(s3.bucket("lost"), endpoint=between.url))


async def stream() -> AsyncIterator[bytes]:
    for piece in LONG:
        yield piece


def ways(store: BlobStore, folder: Path) -> list[Callable[[], object]]:
    (folder / "file").write_bytes(b"".join(LONG))
    return [
        lambda: store.put_chunks("k", iter(LONG)),
        lambda: asyncio.run(store.put_stream("k", stream())),
        lambda: store.put_file("k", folder / "file"),
        lambda: store.put("k", b"".join(LONG)),
        lambda: store.put_copy("k", folder / "file", {}),
    ]


@pytest.mark.parametrize("joins", [lie, forget])
def test_what_the_store_says_it_has_and_has_not_is_not_stored(store, between, tmp_path, joins):
    store.put("k", b"older")
    between.joins = joins

    for way in ways(store, tmp_path):
        with pytest.raises(StoreUnavailable) as caught:
            way()
        assert (caught.value.status, caught.value.retry_after) == (503, 10)
        assert store.read("k") == b"older"
    store.delete("k")
    with pytest.raises(StoreUnavailable):
        store.put_chunks("k", iter(LONG))
    between.joins = honest
    for way in ways(store, tmp_path):
        way()
        assert store.read("k") == b"".join(LONG)


def test_an_object_that_is_there_although_the_answer_broke_off_is_stored(store, between, tmp_path):
    between.joins = break_off

    for way in ways(store, tmp_path):
        store.delete("k")
        between.asked.clear()
        way()
        assert store.read("k") == b"".join(LONG)


def test_what_fits_into_one_part_takes_one_request(store, between):
    store.put_chunks("k", [b"a", b"b"])
    asyncio.run(store.put_stream("k", _short()))

    assert between.asked == ["PUT", "PUT"]


async def _short() -> AsyncIterator[bytes]:
    yield b"a"
