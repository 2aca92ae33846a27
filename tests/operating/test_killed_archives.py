"""`kill -9` of the worker during exports and imports: each ends, nothing is stored twice, nothing is left behind."""

import io
import json
import os
import random
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.features.code.protected_branches import protected_branches
from ingot.features.planning.issues import issues
from ingot.features.planning.labels import labels
from ingot.features.planning.milestones import milestones
from ingot.features.planning.notes.tables import notes
from ingot.features.review.merge_requests import merge_requests
from ingot.features.transfer.project_exports.leftovers import archive_leftovers
from ingot.features.transfer.project_exports.tables import project_export_files
from ingot.features.transfer.project_imports.jobs import sweep_folders
from ingot.features.transfer.project_imports.tables import import_progress
from ingot.features.transfer.uploads.tables import uploads
from ingot.gitstore.fsck import check
from ingot.gitstore.listing import branch_names
from ingot.kit.blobs.references import orphans
from ingot.kit.clock import now
from ingot.kit.jobs.tables import jobs, workers
from tests.support.bundles import write_bundle
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.silence import be_silent_for_long, pause_for_long
from tests.support.world import Person, World

REQUESTS, NOTES = 150, 4
SHA = "a" * 40


def archive(bundle: bytes) -> bytes:
    """A project of some hundred records with a repository, an upload and a request whose branches are to be made."""
    requests = "".join(
        json.dumps(
            {
                "iid": number, "title": f"Change {number}", "source_branch": f"b{number}", "target_branch": "main",
                "state": "closed", "author_id": 1, "source_project_id": 1, "target_project_id": 1,
                "notes": [{"note": f"n{n}", "author_id": 1, "author": {"name": "A"}} for n in range(NOTES)],
            }
        )
        + "\n"
        for number in range(1, REQUESTS + 1)
    )  # fmt: skip
    content = {
        "VERSION": b"0.2.4",
        "tree/project.json": b'{"description":"x","visibility_level":0}',
        "tree/project/labels.ndjson": b"".join(b'{"title":"l%d","color":"#ff0000"}\n' % n for n in range(120)),
        "tree/project/milestones.ndjson": b"".join(b'{"title":"m%d","iid":%d}\n' % (n, n + 1) for n in range(120)),
        "tree/project/merge_requests.ndjson": requests.encode(),
        "tree/project/issues.ndjson": b"".join(
            b'{"title":"i%d","iid":%d,"notes":[{"note":"x","author_id":1,"award_emoji":[{"user_id":1,"name":"tada"}]}]}\n'
            % (n, n + 1)
            for n in range(120)
        ),
        "tree/project/ci_pipelines.ndjson": b"".join(
            b'{"iid":%d,"sha":"%s","status":"success","stages":[{"name":"t","position":0,"builds":[{"name":"a"}]}]}\n'
            % (n + 1, SHA.encode())
            for n in range(120)
        ),
        "project.bundle": bundle,
        f"uploads/{'a' * 32}/one.txt": b"one",
        "tree/project/vulnerabilities.ndjson": b"".join(b'{"title":"v%d"}\n' % n for n in range(120)),
    }
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        for name, data in content.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return raw.getvalue()


COUNTS = {
    labels: 120, milestones: 120, merge_requests: REQUESTS, notes: REQUESTS * NOTES + 120, issues: 120, pipelines: 120,
    ci_jobs: 120, uploads: 1, protected_branches: 1, archive_leftovers: 120,
}  # fmt: skip


class Scene:
    """A server without a worker of its own; workers are processes, to be killed."""

    def __init__(self, running: RunningServer, data: Path, url: str) -> None:
        self.world, self.data, self.url = World(running), data, url
        self.services = running.services
        self.owner: Person = self.world.user()
        self.project = self.world.project(self.owner, initialize_with_readme=True)
        for number in range(3):
            self.world.commit(self.project, f"big-{number}", {"big.bin": os.urandom(300_000).hex()})
        place = data / "source.bundle"
        assert write_bundle(self.world.repository(self.project), place)
        self.archive = archive(place.read_bytes())

    def ask(self) -> int:
        """One export and one import; returns the new project's id."""
        path = f"/projects/{self.project['id']}/export"
        assert self.owner.client.post(path).status_code == 202
        created = self.owner.client.post(
            "/projects/import",
            data={"path": self.world.name("killed")},
            files={"file": ("a.tar.gz", self.archive, "application/gzip")},
        )
        assert created.status_code == 201
        return int(created.json()["id"])

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        process = subprocess.Popen(
            [sys.executable, "-m", "ingot", "worker", "--data", str(self.data), "--database-url", self.url],
            env={**os.environ, "PYTHONPATH": "src", "INGOT_WORKER_TAKEOVER": "30"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert process.stdout is not None
        process.stdout.readline()  # it runs
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            be_silent_for_long(self.services.db, process.pid)
            process.stdout.close()

    def waiting(self, *states: str) -> int:
        kinds = jobs.c.kind.in_(("project_export", "project_import"))
        with self.services.db.read() as conn:
            return conn.execute(select(func.count()).where(kinds, jobs.c.state.in_(states))).scalar_one()

    def until(self, done: Any, limit: float = 300.0) -> None:
        end = time.monotonic() + limit
        while not done():
            assert time.monotonic() < end, "background work did not end in time"
            time.sleep(0.01)

    def beat_of(self, pid: int) -> datetime:
        with self.services.db.read() as conn:
            beat = conn.execute(select(workers.c.beat_at).where(workers.c.pid == pid)).scalar_one_or_none()
        return beat or datetime.min.replace(tzinfo=UTC)

    def count(self, table: Any, project_id: int) -> int:
        with self.services.db.read() as conn:
            return conn.execute(select(func.count()).where(table.c.project_id == project_id)).scalar_one()

    def check(self, project_id: int) -> str:
        """Everything ended well; returns how the import ended."""
        record = self.owner.client.ok("GET", f"/projects/{project_id}/import")
        if record["import_status"] == "finished":
            assert {table.name: self.count(table, project_id) for table in COUNTS} == {
                table.name: number for table, number in COUNTS.items()
            }
            assert record["failed_relations"] == []
            created, mine = (self.world.repository({"id": number}) for number in (project_id, self.project["id"]))
            assert sorted(branch_names(created)) == sorted(branch_names(mine))
            assert check(created).is_sound
        else:
            assert record["import_status"] == "failed"
            assert len(record["import_error"]) > 10
            assert all(self.count(table, project_id) <= number for table, number in COUNTS.items())
        export = self.owner.client.ok("GET", f"/projects/{self.project['id']}/export")
        assert export["export_status"] == "finished" or len(export["export_error"]) > 10
        assert self.count(project_export_files, self.project["id"]) <= 1
        if export["export_status"] == "finished":
            whole = self.owner.client.get(f"/projects/{self.project['id']}/export/download").content
            with tarfile.open(fileobj=io.BytesIO(whole)) as tar:
                assert "./project.bundle" in tar.getnames()
        return str(record["import_status"])

    def sweep(self) -> None:
        """The sweeps as a day later: afterwards only what rows name is there."""
        sweep_folders(self.services, older_than=-1)
        assert list((self.services.settings.data_folder / "tmp").glob("*port-*")) == []
        with self.services.db.read() as conn:
            spare = [
                key
                for prefix in ("exports/", "imports/", "uploads/")
                for key in orphans(conn, self.services.blobs, prefix, grace=timedelta(0))
            ]
            assert conn.execute(select(func.count()).select_from(import_progress)).scalar_one() == 0
        for key in spare:
            self.services.blobs.delete(key)
        assert [info.key for info in self.services.blobs.list("imports")] == []
        assert len(list(self.services.blobs.list("exports"))) <= 1


@pytest.fixture
def scene(databases: Databases, tmp_path: Path) -> Iterator[Scene]:
    url = databases.fresh(tmp_path)
    with RunningServer(url, tmp_path, worker=False) as running:
        yield Scene(running, tmp_path, url)


def kill_during(scene: Scene, moments: list[float]) -> None:
    """One worker after the other, each killed so many seconds after work began; the last one finishes."""
    for moment in moments:
        with scene.worker():
            scene.until(lambda: scene.waiting("running") or not scene.waiting("queued"))
            time.sleep(moment)
    with scene.worker():
        scene.until(lambda: not scene.waiting("queued", "running"))


def test_killed_exports_and_imports_end_whole(scene: Scene) -> None:
    project_id = scene.ask()

    kill_during(scene, [0.4])

    assert scene.check(project_id) == "finished"
    scene.sweep()


def test_a_worker_that_was_only_asleep_does_nothing_twice(scene: Scene) -> None:
    project_id = scene.ask()
    with scene.worker() as sleeper:
        scene.until(lambda: scene.waiting("running") or not scene.waiting("queued"))
        pause_for_long(scene.services.db, sleeper.pid)
        with scene.worker():
            scene.until(lambda: not scene.waiting("queued", "running"))
            woken = now()
            os.killpg(sleeper.pid, signal.SIGCONT)
            # It has had its turn once its heart beats again and it holds nothing.
            scene.until(lambda: scene.beat_of(sleeper.pid) > woken)

    assert scene.check(project_id) == "finished"
    scene.sweep()


@pytest.mark.scale
def test_twenty_random_kills(scene: Scene) -> None:
    chance = random.Random(20)
    endings = []
    for _round in range(10):
        project_id = scene.ask()
        kill_during(scene, [chance.uniform(0.0, 1.5), chance.uniform(0.0, 1.0)])
        endings.append(scene.check(project_id))
    sys.stdout.write(f"20 kills, 10 exports and imports: {endings.count('finished')} imports finished\n")
    assert endings.count("finished") >= 8
    scene.sweep()
