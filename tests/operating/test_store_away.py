"""An object store that cannot be reached: 503 with a hint, nothing half-written, and it works again when it is back."""

import os
import socket
import struct
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.kit.jobs.conftest import wait_for
from tests.scale.cluster import Process, free_port
from tests.support.databases import Databases
from tests.support.server import RunningServer


class Store:
    """An S3-protocol server at a fixed address, up or down."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._process: Process | None = None

    def up(self) -> None:
        words = [str(Path(sys.executable).parent / "moto_server"), "-H", "127.0.0.1", "-p", str(self.port)]
        self._process = Process(words, dict(os.environ), self._folder / "s3.log")
        wait_for(self._has_bucket)

    def _has_bucket(self) -> bool:
        try:
            return httpx.put(f"{self.url}/ingot", trust_env=False).status_code == 200
        except httpx.TransportError:
            return False

    def down(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    yield made
    made.down()


@pytest.fixture
def server(databases: Databases, store: Store, tmp_path: Path) -> Iterator[RunningServer]:
    settings = {
        "object_store": "s3://ingot/objects",
        "s3_endpoint": store.url,
        "s3_access_key_id": "test",
        "s3_secret_access_key": "test-secret",
    }
    with RunningServer(databases.fresh(tmp_path), tmp_path, **settings) as running:
        yield running


def picture() -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\0\0\0")) + chunk(b"IEND", b"")
    )


def test_a_store_that_is_away_gives_503_and_recovers_by_itself(server: RunningServer, store: Store) -> None:
    client = server.client()
    shown = client.ok("GET", "/user")["avatar_url"]

    away = client.put("/user/avatar", files={"avatar": ("a.png", picture(), "image/png")})

    assert away.status_code == 503, away.text
    assert int(away.headers["Retry-After"]) > 0
    assert client.ok("GET", "/user")["avatar_url"] == shown

    store.up()
    back = client.put("/user/avatar", files={"avatar": ("a.png", picture(), "image/png")})
    assert back.status_code == 200, back.text
    fetched = client.http.get(back.json()["avatar_url"])
    assert (fetched.status_code, fetched.content) == (200, picture())

    store.down()
    lost = client.http.get(back.json()["avatar_url"])
    assert lost.status_code == 503


@pytest.mark.scale
def test_a_store_that_never_answers_gives_503_in_the_end(server: RunningServer, store: Store) -> None:
    client = server.client()
    shown = client.ok("GET", "/user")["avatar_url"]

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", store.port))
        silent.listen(64)
        began = time.monotonic()
        away = client.put("/user/avatar", files={"avatar": ("a.png", picture(), "image/png")})
        took = time.monotonic() - began

    assert (away.status_code, took < 60) == (503, True)
    assert int(away.headers["Retry-After"]) > 0
    assert client.ok("GET", "/user")["avatar_url"] == shown
