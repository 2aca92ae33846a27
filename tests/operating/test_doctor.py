"""`ingot doctor`: what it finds, what it repairs, and what the periodic sweeps do by themselves."""

import os
import re
import shutil
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Column, MetaData, String, Table, delete, insert, select

from ingot import doctor
from ingot.access.tables import project_authorizations, projects
from ingot.kit.blobs import passing, references
from ingot.kit.blobs.references import orphans, refers_to_blobs
from ingot.kit.jobs import enqueue
from tests.operating.test_engine_in_processes import Ingot
from tests.support.databases import Databases, PostgresDatabases, prepare
from tests.support.server import RunningServer
from tests.support.waiting import until

files = Table("test_doctor_files", MetaData(), Column("key", String(200), primary_key=True))
PREFIX = "test-doctor/"
DAMAGED = "the repository is damaged. See the git output, and restore its folder from a backup."


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    refers_to_blobs(PREFIX, lambda: select(files.c.key))
    yield
    del references._references[PREFIX]


@pytest.fixture
def node(databases: Databases, tmp_path: Path) -> Iterator[RunningServer]:
    with RunningServer(databases.fresh(tmp_path), tmp_path, worker=False) as running:
        files.metadata.create_all(running.services.db.writer)
        yield running


def sentences(node: RunningServer, name: str, *, repair: bool = False) -> list[str]:
    return [finding.sentence for finding in doctor.EXAMINATIONS[name](node.services, repair)]


def make_old(node: RunningServer, key: str) -> None:
    past = time.time() - 2 * 24 * 3600
    os.utime(node.settings.objects_folder / key, (past, past))


def project(node: RunningServer) -> int:
    body = {"path": "p1", "initialize_with_readme": True}
    return int(node.client().ok("POST", "/projects", json=body)["id"])


def test_old_objects_without_a_row_are_found_and_deleted_on_request(node: RunningServer) -> None:
    blobs = node.services.blobs
    for name in ("used", "young", "orphan"):
        blobs.put(f"{PREFIX}{name}", b"x")
    for name in ("used", "orphan"):
        make_old(node, f"{PREFIX}{name}")
    with node.services.db.write() as tx:
        tx.execute(insert(files).values(key=f"{PREFIX}used"))

    assert sentences(node, "objects") == [f"The object {PREFIX}orphan is no longer needed."]
    assert blobs.exists(f"{PREFIX}orphan")
    sentences(node, "objects", repair=True)

    assert sorted(info.key for info in blobs.list(PREFIX.rstrip("/"))) == [f"{PREFIX}used", f"{PREFIX}young"]


def test_a_row_without_its_object_is_told(node: RunningServer) -> None:
    with node.services.db.write() as tx:
        tx.execute(insert(files).values(key=f"{PREFIX}lost"))

    [sentence] = sentences(node, "objects")
    assert sentence.startswith(
        f"The object {PREFIX}lost is missing. Content that uses it cannot be shown or downloaded."
    )


def test_objects_of_nobody_s_prefix_are_left_alone(node: RunningServer) -> None:
    node.services.blobs.put("elsewhere/x", b"x")

    with node.services.db.read() as conn:
        assert list(orphans(conn, node.services.blobs, PREFIX, timedelta(0))) == []
    assert node.services.blobs.exists("elsewhere/x")


def test_what_can_be_had_again_is_no_finding_and_goes_after_a_day(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path) as running:
        files.metadata.create_all(running.services.db.writer)
        blobs = running.services.blobs
        old, young = f"{passing.PREFIX}derived/texts/old", f"{passing.PREFIX}derived/texts/young"
        for key in (old, young):
            blobs.put(key, b"x")
        make_old(running, old)
        assert sentences(running, "objects", repair=True) == []
        assert blobs.exists(old)

        with running.services.db.write() as tx:
            enqueue(tx, "passing_object_sweep", key="swept-now")

        until(lambda: not blobs.exists(old))
        assert blobs.exists(young)


def test_a_damaged_repository_is_found_and_kept_on_the_project(node: RunningServer) -> None:
    repository = node.services.storages.repository("default", project(node))
    assert sentences(node, "repositories") == []
    sha = repository.git("rev-parse", "HEAD").text.strip()

    (repository.path / "objects" / sha[:2] / sha[2:]).unlink()

    assert sentences(node, "repositories") == [f"root/p1: {DAMAGED}"]
    with node.services.db.read() as conn:
        assert conn.execute(select(projects.c.repository_checksum_failed)).scalar_one()


def test_a_folder_without_a_project_goes_after_a_day(node: RunningServer) -> None:
    stray = node.services.storages.create("default", 999).path
    assert sentences(node, "repositories") == []
    past = time.time() - 2 * 24 * 3600
    os.utime(stray, (past, past))

    assert sentences(node, "repositories", repair=True) == [f"The repository in {stray} does not belong to a project."]
    assert not stray.exists()


def test_what_a_killed_move_to_another_storage_left_goes(node: RunningServer) -> None:
    place = node.services.storages.repository("default", project(node)).path
    unfinished = place.with_name(f"{place.name}.moving-x")
    unfinished.mkdir()

    expected = ["root/p1: a move to another storage is in progress or was interrupted."]
    assert sentences(node, "repositories") == expected
    assert sentences(node, "repositories", repair=True) == expected
    assert not unfinished.exists()
    assert sentences(node, "repositories") == []


def test_rights_that_differ_from_the_memberships_are_computed_anew(node: RunningServer) -> None:
    number = project(node)
    with node.services.db.write() as tx:
        tx.execute(delete(project_authorizations).where(project_authorizations.c.project_id == number))

    assert len(sentences(node, "rights")) > 0
    sentences(node, "rights", repair=True)

    assert sentences(node, "rights") == []


@pytest.mark.postgres
def test_trigram_indexes_that_are_missing_are_made(node: RunningServer) -> None:
    db = node.services.db
    with db.write() as tx:
        if not tx.exec_driver_sql("SELECT count(*) FROM pg_extension WHERE extname = 'pg_trgm'").scalar_one():
            pytest.skip("this server lacks the extension pg_trgm")
        tx.exec_driver_sql("DROP EXTENSION pg_trgm CASCADE")

    assert [one for one in sentences(node, "machine") if "pg_trgm" in one] != []
    sentences(node, "machine", repair=True)
    assert [one for one in sentences(node, "machine") if "pg_trgm" in one] == []


@pytest.mark.postgres
def test_a_locale_that_knows_only_ascii_is_told(databases: Databases, tmp_path: Path) -> None:
    assert isinstance(databases, PostgresDatabases)
    url = databases.empty(tmp_path, " LOCALE 'C' TEMPLATE template0")
    prepare(url)
    with RunningServer(url, tmp_path, worker=False) as plain:
        assert [one for one in sentences(plain, "machine") if "locale" in one] != []


def test_the_command_says_what_is_in_order_and_ends_with_a_status(node: RunningServer, tmp_path: Path) -> None:
    ingot = Ingot(node.settings.effective_database_url, tmp_path)

    well = ingot.run("doctor")

    assert (well.returncode, well.stderr) == (0, "")
    lines = well.stdout.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        f"{name}: no problems" for name in doctor.EXAMINATIONS
    ]
    [figure] = [line for line in lines if line.startswith(" ")]
    assert figure.startswith("  0 files with 0.0 MB of text in 0 contents; the index takes ")

    shutil.rmtree(node.services.storages.repository("default", project(node)).path / "refs")
    ill = ingot.run("doctor")
    assert ill.returncode == 1
    assert "root/p1: the repository is damaged." in ill.stdout
    assert re.search(r"^    \$ git -C \S+\.git fsck$", ill.stdout, re.MULTILINE), ill.stdout
