"""Exports and imports while the object store is away or silent: they wait for minutes, then end with a sentence."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ingot import app
from ingot.kit.blobs.places import s3_store
from ingot.kit.blobs.s3_place import Timeouts
from ingot.kit.jobs import registry
from ingot.kit.jobs.tables import jobs
from tests.features.transfer.project_imports.making import archive, upload
from tests.s3_server import S3Server, running_s3
from tests.support.databases import Databases
from tests.support.hurried_jobs import hurried_worker, leave_retries
from tests.support.ports import free_port
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

pytestmark = pytest.mark.costly  # waits for a store

KINDS = ("project_export", "project_import", "relation_import")
CHUNK = 65536


class Gate:
    """The way to the store: `open` passes everything on, `silent` takes connections and says nothing, else refused."""

    def __init__(self, target: int) -> None:
        self.port, self._target = free_port(), target
        self._door: socket.socket | None = None
        self._held: list[socket.socket] = []

    def open(self) -> None:
        self._listen(self._pass_on)

    def silence(self) -> None:
        self._listen(self._held.append)

    def close(self) -> None:
        if self._door is not None:
            self._door.shutdown(socket.SHUT_RDWR)
            self._door.close()
            self._door = None
        for one in self._held:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._held.clear()

    def _listen(self, take: Any) -> None:
        self.close()
        door = self._door = socket.create_server(("127.0.0.1", self.port), reuse_port=False)

        def serve() -> None:
            with suppress(OSError):
                while True:
                    take(door.accept()[0])

        threading.Thread(target=serve, daemon=True).start()

    def _pass_on(self, caller: socket.socket) -> None:
        store = socket.create_connection(("127.0.0.1", self._target))
        self._held += [caller, store]
        for one, other in ((caller, store), (store, caller)):
            threading.Thread(target=_copy, args=(one, other), daemon=True).start()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(CHUNK):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with running_s3() as running:
        yield running


@pytest.fixture
def gate(s3: S3Server) -> Iterator[Gate]:
    created = Gate(int(s3.endpoint.rpartition(":")[2]))
    yield created
    created.close()


@pytest.fixture
def server(databases: Databases, s3: S3Server, gate: Gate, tmp_path: Path) -> Iterator[RunningServer]:
    """Silence counts after a second."""
    place = replace(
        s3.bucket("ingot"),
        endpoint=f"http://127.0.0.1:{gate.port}",
        prefix=tmp_path.name,
        timeouts=Timeouts(connect=1, read=1, retries=0, retry_within=1),
    )
    with RunningServer(databases.fresh(tmp_path), tmp_path, worker=False) as running:
        running.services.blobs = s3_store(place)
        yield running


@contextmanager
def worker(server: RunningServer) -> Iterator[None]:
    with hurried_worker(server.services, concurrency=4):
        yield


def faults(server: RunningServer, kind: str) -> int:
    with server.services.db.read() as conn:
        result = select(jobs.c.faults).where(jobs.c.kind == kind).order_by(jobs.c.id.desc()).limit(1)
        return conn.execute(result).scalar_one_or_none() or 0


def status(person: Person, project_id: int, what: str) -> str:
    return str(person.client.ok("GET", f"/projects/{project_id}/{what}")[f"{what}_status"])


def work_folders(server: RunningServer) -> list[Path]:
    return list((server.services.settings.data_folder / "tmp").glob("*port-*"))


def test_an_outage_of_a_quarter_of_an_hour_is_waited_for() -> None:
    app.load_features()  # a shuffled run may begin with this test, which needs no server
    for name in KINDS:
        pauses = [registry.OUTAGE_BACKOFF(number) for number in range(1, registry.get_kind(name).retries + 1)]
        assert sum(pauses) >= 900


@pytest.mark.parametrize("away", ["close", "silence"])
def test_an_export_outlasts_an_outage_and_stays_started(server: RunningServer, gate: Gate, away: str) -> None:
    world = World(server)
    anna = world.user()
    project = world.project(anna, initialize_with_readme=True)
    getattr(gate, away)()
    anna.client.ok("POST", f"/projects/{project['id']}/export")
    with worker(server):
        until(lambda: faults(server, "project_export") > 3)
        assert status(anna, project["id"], "export") == "started"
        assert anna.client.get(f"/projects/{project['id']}/export/download").status_code == 404

        gate.open()
        until(lambda: status(anna, project["id"], "export") == "finished")
    assert anna.client.get(f"/projects/{project['id']}/export/download").status_code in (200, 302)
    assert work_folders(server) == []


@pytest.mark.parametrize("away", ["close", "silence"])
def test_an_export_without_a_store_ends_with_a_sentence(server: RunningServer, gate: Gate, away: str) -> None:
    world = World(server)
    anna = world.user()
    project = world.project(anna, initialize_with_readme=True)
    getattr(gate, away)()
    anna.client.ok("POST", f"/projects/{project['id']}/export")
    leave_retries(server.services, "project_export", 2)
    with worker(server):
        until(lambda: status(anna, project["id"], "export") == "failed")

    result = anna.client.ok("GET", f"/projects/{project['id']}/export")
    assert result["export_error"] == "The object store did not respond."
    assert work_folders(server) == []


def relation_import(person: Person, project: dict[str, Any], content: bytes) -> Any:
    return person.client.post(
        "/projects/import-relation",
        data={"path": project["path_with_namespace"], "relation": "issues"},
        files={"file": ("a.tar.gz", content, "application/gzip")},
    )


@pytest.mark.parametrize("away", ["close", "silence"])
def test_imports_wait_for_their_archive(server: RunningServer, gate: Gate, away: str) -> None:
    world = World(server)
    anna = world.user()
    content = archive(issues=[{"iid": 1, "title": "one"}], files={f"uploads/{'a' * 32}/x.txt": b"x" * 100_000})
    existing = world.project(anna)
    getattr(gate, away)()
    refused = [upload(anna, content, path="refused"), relation_import(anna, existing, content)]
    assert [(one.status_code, int(one.headers["Retry-After"]) > 0) for one in refused] == [(503, True)] * 2
    assert anna.client.get(f"/projects/{anna.username}%2Frefused").status_code == 404
    assert anna.client.ok("GET", f"/projects/{existing['id']}/relation-imports") == []

    gate.open()
    created = upload(anna, content, path="waits").json()
    assert relation_import(anna, existing, content).status_code == 201
    getattr(gate, away)()
    with worker(server):
        until(lambda: min(faults(server, "project_import"), faults(server, "relation_import")) > 1)
        assert status(anna, created["id"], "import") == "started"

        gate.open()
        until(lambda: status(anna, created["id"], "import") == "finished")
        place = f"/projects/{existing['id']}"
        until(lambda: anna.client.ok("GET", f"{place}/relation-imports")[0]["status"] == "finished")
    assert [one["title"] for one in anna.client.get(f"/projects/{created['id']}/issues").json()] == ["one"]
    assert [one["title"] for one in anna.client.get(f"{place}/issues").json()] == ["one"]
    assert len(anna.client.ok("GET", f"/projects/{created['id']}/uploads")) == 1
    assert work_folders(server) == []


def test_an_import_whose_archive_is_lost_ends_with_a_sentence(server: RunningServer, gate: Gate) -> None:
    world = World(server)
    anna = world.user()
    gate.open()
    created = upload(anna, archive(), path="lost").json()
    for info in list(server.services.blobs.list("imports")):
        server.services.blobs.delete(info.key)
    with worker(server):
        until(lambda: status(anna, created["id"], "import") == "failed")
    record = anna.client.ok("GET", f"/projects/{created['id']}/import")
    assert "The archive is no longer in the object store" in record["import_error"]
