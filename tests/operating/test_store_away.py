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
from sqlalchemy import select

from ingot.kit.jobs.tables import jobs
from tests.scale.cluster import Process
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.ports import free_port
from tests.support.runner import project_runner, zipped
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World


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
        until(self._has_bucket)

    def _has_bucket(self) -> bool:
        try:
            return plain_http.put(f"{self.url}/ingot", trust_env=False).status_code == 200
        except httpx.TransportError:
            return False

    def down(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    created = Store(tmp_path)
    yield created
    created.down()


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


def test_uploads_and_artifacts_wait_for_the_store_and_leave_nothing(server: RunningServer, store: Store) -> None:
    world = World(server)
    anna = world.user()
    project = world.project(anna, initialize_with_readme=True)
    place = f"/projects/{project['id']}"
    files = {"file": ("a.txt", b"x" * 100_000)}
    world.commit(
        project,
        "main",
        {".gitlab-ci.yml": "build: {script: [a], artifacts: {paths: [out]}}"},
        message="CI [skip ci]",
        user_id=anna.id,
    )
    anna.client.ok("POST", f"{place}/pipeline", json={"ref": "main"})
    job = project_runner(world, project).take()
    archive = zipped({"out/a.txt": "a"})

    refused = [anna.client.post(f"{place}/uploads", files=files), job.upload(archive)]

    assert [answer.status_code for answer in refused] == [503, 503]
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)
    assert anna.client.ok("GET", f"{place}/uploads") == []
    assert anna.client.ok("GET", f"{place}/jobs/{job.id}")["artifacts"] == []
    sizes = anna.client.ok("GET", place, params={"statistics": True})["statistics"]
    assert (sizes["uploads_size"], sizes["job_artifacts_size"]) == (0, 0)

    store.up()
    created = anna.client.ok("POST", f"{place}/uploads", files=files)
    assert job.upload(archive).status_code == 201
    assert anna.client.get(f"{place}{created['url']}").content == b"x" * 100_000
    assert anna.client.get(f"{place}/jobs/{job.id}/artifacts/out/a.txt").text == "a"

    store.down()
    away = [f"{place}{created['url']}", f"{place}/jobs/{job.id}/artifacts"]
    assert [anna.client.get(path).status_code for path in away] == [503, 503]
    # The row goes at once; the object is left to the sweep.
    assert anna.client.delete(f"{place}/uploads/{created['id']}").status_code == 204
    assert anna.client.ok("GET", f"{place}/uploads") == []


def test_an_export_waits_for_the_store(server: RunningServer, store: Store) -> None:
    world = World(server)
    anna = world.user()
    place = f"/projects/{world.project(anna, initialize_with_readme=True)['id']}/export"
    anna.client.ok("POST", place)

    def has_been_tried() -> bool:
        with server.services.db.read() as conn:
            tried = select(jobs.c.faults).where(jobs.c.kind == "project_export")
            return (conn.execute(tried).scalar_one_or_none() or 0) > 0

    until(has_been_tried)
    assert anna.client.ok("GET", place)["export_status"] in ("queued", "started")
    assert anna.client.get(f"{place}/download").status_code == 404

    store.up()
    until(lambda: anna.client.ok("GET", place)["export_status"] == "finished")
    assert anna.client.get(f"{place}/download").content[:2] == b"\x1f\x8b"
