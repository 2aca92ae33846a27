"""Imports on a disk without room: they wait for it, or end with a sentence; nothing half-written is seen."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from ingot.gitstore.fsck import check
from ingot.kit.jobs.tables import jobs
from tests.features.transfer.project_imports.making import archive, bundle_of, imported, upload
from tests.operating.test_full_disk import fill, small_disk
from tests.support.databases import Databases
from tests.support.hurried_jobs import hurried_worker, leave_retries
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

SENTENCE = "The server's disk is full."


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "small").mkdir()
    with small_disk(tmp_path / "small", 24) as folder:
        yield folder


@pytest.fixture
def world(databases: Databases, disk: Path, tmp_path: Path) -> Iterator[World]:
    """The data folder is on the small disk; the rows are elsewhere."""
    (tmp_path / "rows").mkdir()
    with RunningServer(databases.fresh(tmp_path / "rows"), disk / "data", worker=False) as running:
        yield World(running)


def faults(world: World) -> int:
    with world.server.services.db.read() as conn:
        result = select(jobs.c.faults).where(jobs.c.kind == "project_import").order_by(jobs.c.id.desc()).limit(1)
        return conn.execute(result).scalar_one_or_none() or 0


def large(world: World, person: Person, folder: Path, kind: str) -> bytes:
    """An archive of three megabytes that do not compress: in the bundle, or in a file."""
    files = {f"uploads/{'a' * 32}/x.bin": os.urandom(3_000_000)}
    if kind == "bundle":
        project = world.project(person, initialize_with_readme=True)
        world.commit(project, "main", {"big.bin": os.urandom(2_000_000).hex()}, user_id=person.id)
        files = {"project.bundle": bundle_of(world, project, folder)}
    return archive(issues=[{"iid": 1, "title": "one"}], files=files)


@pytest.mark.parametrize("kind", ["bundle", "file"])
# Not even the archive's files fit; or they do, and their second copy (in the repository, in the store) does not.
@pytest.mark.parametrize("room", [1_000_000, 4_000_000])
def test_an_import_waits_for_room(world: World, disk: Path, tmp_path: Path, kind: str, room: int) -> None:
    anna = world.user()
    content = large(world, anna, tmp_path, kind)
    created = upload(anna, content, path="waits").json()
    filler = leave(disk, room)
    with hurried_worker(world.server.services, concurrency=2):
        until(lambda: faults(world) > 1)
        record = anna.client.ok("GET", f"/projects/{created['id']}/import")
        assert (record["import_status"], record["failed_relations"]) == ("started", [])
        filler.unlink()
        until(lambda: status(anna, created["id"]) == "finished")
    check_whole(world, anna, created["id"], kind)


def test_an_import_that_finds_no_room_ends_with_a_sentence(world: World, disk: Path, tmp_path: Path) -> None:
    anna = world.user()
    content = large(world, anna, tmp_path, "bundle")
    created = upload(anna, content, path="fails").json()
    filler = leave(disk, 4_000_000)
    leave_retries(world.server.services, "project_import", 1)
    with hurried_worker(world.server.services, concurrency=2):
        until(lambda: status(anna, created["id"]) == "failed")
    record = anna.client.ok("GET", f"/projects/{created['id']}/import")
    assert record["import_error"] == SENTENCE
    assert anna.client.get(f"/projects/{created['id']}/issues").json() == []
    assert anna.client.get(f"/projects/{created['id']}/repository/branches").json() == []
    refused = upload(anna, os.urandom(12_000_000), path="full")
    assert refused.status_code == 507
    assert anna.client.get(f"/projects/{anna.username}%2Ffull").status_code == 404
    assert list((disk / "data" / "tmp").glob("import-*")) == []

    filler.unlink()
    again = imported(world, anna, content, path="fails", overwrite="true")
    assert again["import_status"] == "finished"
    check_whole(world, anna, again["id"], "bundle")


def leave(disk: Path, room: int) -> Path:
    filler = fill(disk)
    with filler.open("r+b") as file:
        file.truncate(filler.stat().st_size - room)
    return filler


def status(person: Person, project_id: int) -> str:
    return str(person.client.ok("GET", f"/projects/{project_id}/import")["import_status"])


def check_whole(world: World, person: Person, project_id: int, kind: str) -> None:
    record = person.client.ok("GET", f"/projects/{project_id}/import")
    assert (record["import_error"], record["failed_relations"]) == (None, [])
    assert [one["title"] for one in person.client.get(f"/projects/{project_id}/issues").json()] == ["one"]
    if kind == "bundle":
        repository = world.repository({"id": project_id})
        assert check(repository).is_sound
        assert not list(Path(repository.path).rglob("tmp_*"))
    else:
        assert [one["size"] for one in person.client.ok("GET", f"/projects/{project_id}/uploads")] == [3_000_000]
    folder = world.server.services.settings.data_folder
    assert list((folder / "tmp").glob("import-*")) == []
    assert [path for path in (folder / "objects").rglob("*#*") if path.is_file()] == []
