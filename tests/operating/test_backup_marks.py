"""Backups that are killed, or run side by side: objects stay while one needs them, and are deleted again afterwards."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ingot import doctor
from ingot.backup import BackupError
from ingot.backup.marks import nothing_deleted
from ingot.doctor.finding import Finding
from ingot.kit.blobs import BlobStore, backups, local_store
from tests.operating.test_scale_out_backup import ROOT, Place
from tests.s3_server import S3Server, running_s3
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World


@pytest.fixture
def store(tmp_path: Path) -> BlobStore:
    return local_store(tmp_path / "objects")


def test_objects_stay_until_the_last_of_two_backups_has_ended(store: BlobStore) -> None:
    store.put("a", b"a")
    with nothing_deleted(store):
        with nothing_deleted(store):
            store.delete("a")
            assert store.exists("a")
        store.delete("a")
        assert store.delete_prefix("a") == 0
        assert store.exists("a")
    store.delete("a")
    assert not store.exists("a")


def test_a_backup_whose_mark_was_removed_is_refused(store: BlobStore) -> None:
    def back_up() -> None:
        with nothing_deleted(store):
            [mark] = backups.marks(store)
            store.delete(mark.key)

    with pytest.raises(BackupError, match="Run the backup again"):
        back_up()


def test_doctor_tells_a_backup_under_way_from_one_that_was_killed(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, worker=False) as server:
        blobs = server.services.blobs

        def findings(*, repair: bool = False) -> list[Finding]:
            return list(doctor.EXAMINATIONS["objects"](server.services, repair))

        with nothing_deleted(blobs):
            [note] = findings(repair=True)
            assert note.is_note
            assert "A backup is in progress" in note.sentence
            [mark] = backups.marks(blobs)
            past = time.time() - backups.SILENT.total_seconds() - 60
            blobs.put("kept", b"x")
            os.utime(server.settings.objects_folder / mark.key, (past, past))
            [problem] = findings()
            assert "A backup did not finish cleanly" in problem.sentence
            assert f"process {os.getpid()}" in problem.sentence
            blobs.put(mark.key, b"renewed")
            assert [one.is_note for one in findings()] == [True]
            os.utime(server.settings.objects_folder / mark.key, (past, past))
            blobs.delete("kept")
            assert blobs.exists("kept")
            assert [one.repaired for one in findings(repair=True)] == [True]
            assert findings() == []
            blobs.delete("kept")
            assert not blobs.exists("kept")
            blobs.put(mark.key, b"so that this backup ends well")


# Between its two copies a backup dumps the database: here for as long as the test wants.
ENDLESS_DUMP = """#!{python}
import pathlib, time
pathlib.Path({sign!r}).touch()
time.sleep(600)
"""


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with running_s3() as server:
        yield server


@contextmanager
def backup_in_the_middle(place: Place, copy: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A backup that has set its mark and waits for its dump."""
    programs, sign = place.folder / "programs", place.folder / "dumping"
    programs.mkdir(exist_ok=True)
    sign.unlink(missing_ok=True)
    (programs / "pg_dump").write_text(ENDLESS_DUMP.format(python=sys.executable, sign=str(sign)))
    (programs / "pg_dump").chmod(0o755)
    environment = place.environment() | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "ingot", "backup", str(copy)]
    with subprocess.Popen(command, env=environment, cwd=ROOT, start_new_session=True) as process:
        try:
            until(sign.exists)
            yield process
        finally:
            with suppress(ProcessLookupError):  # it has ended, and its dump with it
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.postgres
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_backup_that_is_ended_or_killed_costs_no_object(
    databases: Databases, s3: S3Server, tmp_path: Path, number: signal.Signals
) -> None:
    place = Place(databases, s3, tmp_path / f"ended-{number.name.lower()}")
    with place.serving() as server:
        world = World(server)
        anna = world.user("anna")
        uploads = f"/projects/{world.project(anna)['id']}/uploads"
        blobs = server.services.blobs
        with backup_in_the_middle(place, tmp_path / "copy") as process:
            process.send_signal(number)
            process.wait(60)
        is_tidy = number == signal.SIGTERM
        assert len(list(backups.marks(blobs))) == (0 if is_tidy else 1)
        assert (tmp_path / "copy.partial").exists() is not is_tidy
        created = anna.client.ok("POST", uploads, files={"file": ("a.txt", b"a")})
        anna.client.ok("DELETE", f"{uploads}/{created['id']}")
        assert len(list(blobs.list("uploads"))) == (0 if is_tidy else 1)

    # Whatever was left, the next one into the same folder is whole.
    taken = place.ingot("backup", str(tmp_path / "copy"))
    assert taken.returncode == 0, taken.stderr
    there = Place(databases, s3, tmp_path / f"there-{number.name.lower()}", is_empty=True)
    assert there.ingot("restore", str(tmp_path / "copy")).returncode == 0
    looked = there.ingot("doctor")
    assert looked.returncode == 0, looked.stdout


@pytest.mark.postgres
def test_two_backups_into_one_folder_do_not_meet(databases: Databases, s3: S3Server, tmp_path: Path) -> None:
    place = Place(databases, s3, tmp_path / "twice")
    with backup_in_the_middle(place, tmp_path / "copy") as process:
        copied = sorted((tmp_path / "copy.partial").rglob("*"))

        second = place.ingot("backup", str(tmp_path / "copy"))

        assert second.returncode == 1
        assert second.stderr.startswith("ingot: Another backup is writing to ")
        assert sorted((tmp_path / "copy.partial").rglob("*")) == copied
        assert process.poll() is None
