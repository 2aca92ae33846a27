"""Backup while serving, restore elsewhere: the copy is of one moment, and a server runs on it."""

import subprocess
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import pytest
from sqlalchemy import text

from ingot import backup
from ingot import settings as configuration
from ingot.backup.mirror import mirror
from ingot.gitstore.storage import Storages
from ingot.kit.blobs import local_store
from ingot.kit.db import Database
from tests.operating.test_engine_in_processes import Ingot
from tests.support.databases import SqliteDatabases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def served(data: Path, tmp_path: Path) -> Iterator[RunningServer]:
    data.mkdir()
    (tmp_path / "template").mkdir()
    with RunningServer(SqliteDatabases(tmp_path / "template").fresh(data), data) as running:
        yield running


def settings_of(folder: Path) -> configuration.Settings:
    return configuration.make({"data": str(folder)})


class Load:
    """Rows that name objects, and commits, written without a pause."""

    def __init__(self, server: RunningServer) -> None:
        self._services = server.services
        with self._services.db.write() as tx:
            tx.execute(text("CREATE TABLE test_files (name TEXT PRIMARY KEY)"))
        self.repository = self._services.storages.create("default", 1_000_000)
        self._ended = threading.Event()
        self.rows = 0
        self.commits = 0
        self._threads = [threading.Thread(target=work) for work in (self._write_rows, self._write_commits)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _write_rows(self) -> None:
        while not self._ended.is_set():
            name = f"files/{self.rows}"
            self._services.blobs.put(name, name.encode() * 100)
            with self._services.db.write() as tx:
                tx.execute(text("INSERT INTO test_files VALUES (:name)"), {"name": name})
            self.rows += 1

    def _write_commits(self) -> None:
        git = ["git", "-C", str(self.repository.path), "-c", "user.name=A", "-c", "user.email=a@example.com"]
        tree = subprocess.run([*git, "mktree"], input=b"", capture_output=True, check=True).stdout.decode().strip()
        parent: list[str] = []
        while not self._ended.is_set():
            words = [*git, "commit-tree", tree, *parent, "-m", f"commit {self.commits}"]
            sha = subprocess.run(words, capture_output=True, check=True, text=True).stdout.strip()
            subprocess.run([*git, "update-ref", "refs/heads/main", sha], check=True)
            parent = ["-p", sha]
            self.commits += 1


def test_a_backup_taken_under_load_is_of_one_moment(served: RunningServer, tmp_path: Path) -> None:
    world = World(served)
    person = world.user("anna")
    place = f"/projects/{world.project(person)['id']}"
    attached = person.client.ok("POST", f"{place}/uploads", files={"file": ("a.txt", b"attached")})
    with Load(served) as load:
        until(lambda: load.rows >= 50 and load.commits >= 5)
        created = backup.take(served.settings, tmp_path / "copy")
        rows_at_end = load.rows

    restored = settings_of(tmp_path / "elsewhere")
    backup.restore(restored, tmp_path / "copy")

    database = Database(restored.effective_database_url)
    with database.read() as tx:
        names = set(tx.execute(text("SELECT name FROM test_files")).scalars())
    database.dispose()
    objects = {info.key for info in local_store(restored.objects_folder).list("files")}
    assert 50 <= len(names) <= rows_at_end
    assert names <= objects
    # At most the object whose row was being written.
    assert len(objects - names) <= 1
    copy = Storages(restored.storage_roots).repository("default", 1_000_000)
    subprocess.run(["git", "-C", str(copy.path), "fsck", "--strict"], check=True, capture_output=True)
    assert created.writers_waited_seconds < 60
    with RunningServer(restored.effective_database_url, tmp_path / "elsewhere") as second:
        assert second.client(person.token).get("/user").json()["username"] == "anna"
        assert second.client(person.token).get(f"{place}{attached['url']}").content == b"attached"


def test_a_second_pass_copies_only_what_changed(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "a").mkdir(parents=True)
    (source / "a" / "kept").write_text("kept")
    (source / "a" / "gone").write_text("gone")
    mirror(source, target)
    (source / "a" / "gone").unlink()
    (source / "a" / "new").write_text("new")
    (source / "a" / "new.lock").write_text("passing")

    second = mirror(source, target)

    assert (second.files, second.written) == (2, 3)
    assert sorted(path.name for path in (target / "a").iterdir()) == ["kept", "new"]


def test_a_restore_refuses_a_folder_in_use(served: RunningServer, data: Path, tmp_path: Path) -> None:
    ingot = Ingot("", data)
    del ingot.environment["INGOT_DATABASE_URL"]

    assert ingot.run("backup", str(tmp_path / "copy")).returncode == 0
    refused = ingot.run("restore", str(tmp_path / "copy"))
    assert (refused.returncode, "Restore into an empty data folder." in refused.stderr) == (1, True)
    assert "is not empty" in ingot.run("backup", str(tmp_path / "copy")).stderr
    assert "is not a complete backup" in ingot.run("restore", str(tmp_path)).stderr


def test_a_damaged_backup_is_not_restored(served: RunningServer, tmp_path: Path) -> None:
    backup.take(served.settings, tmp_path / "copy")
    file = tmp_path / "copy" / "ingot.db"
    content = bytearray(file.read_bytes())
    content[4096:12288] = b"\xff" * 8192
    file.write_bytes(content)

    with pytest.raises(backup.BackupError, match="damaged"):
        backup.restore(settings_of(tmp_path / "elsewhere"), tmp_path / "copy")


def test_a_backup_of_another_database_is_not_restored(served: RunningServer, tmp_path: Path) -> None:
    backup.take(served.settings, tmp_path / "copy")
    settings = configuration.make({"data": str(tmp_path), "database_url": "postgresql://localhost/ingot"})

    with pytest.raises(backup.BackupError, match="The backup was made from sqlite"):
        backup.restore(settings, tmp_path / "copy")


def test_objects_in_a_bucket_need_the_other_form(tmp_path: Path) -> None:
    settings = configuration.make({"data": str(tmp_path), "object_store": "s3://bucket"})

    with pytest.raises(backup.BackupError, match="Use PostgreSQL"):
        backup.take(settings, tmp_path / "copy")


def test_clock_of_the_manifest_is_utc(served: RunningServer, tmp_path: Path) -> None:
    created = backup.take(served.settings, tmp_path / "copy")

    taken = datetime.strptime(created.created_at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert abs((datetime.now(UTC) - taken).total_seconds()) < 600  # the clocks of places differ by quarters of an hour
