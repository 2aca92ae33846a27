"""Large instances: base backup and log archive of PostgreSQL, a later copy of the storages, a bucket with versions."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.operating.test_scale_out_backup import Place, Work
from tests.s3_server import S3Server, client, running_s3
from tests.support import plain_http
from tests.support.databases import prepare
from tests.support.ports import free_port
from tests.support.world import World

pytestmark = pytest.mark.scale
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


class Cluster:
    """A PostgreSQL of this machine that archives its log; it will not run as root, so it runs as `postgres`."""

    def __init__(self, folder: Path, archive: Path) -> None:
        self.folder, self.archive, self.port = folder, archive, free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/ingot"

    def run(self, program: str, *words: str) -> None:
        who = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*who, str(PROGRAMS[-1] / program), *words]
        subprocess.run(command, check=True, capture_output=True, cwd="/", timeout=120)

    def create(self) -> None:
        self.run("initdb", "-D", str(self.folder), "-U", "postgres", "--auth=trust", "--locale=C.UTF-8", "-E", "UTF8")
        self.start()
        self.execute("CREATE DATABASE ingot", database="postgres")
        prepare(self.url)

    def start(self) -> None:
        options = {
            "port": str(self.port),
            "unix_socket_directories": str(self.folder.parent),
            "archive_mode": "on",
            "archive_command": f"cp %p {self.archive}/%f",
        }
        words = " ".join(f"-c {name}='{value}'" for name, value in options.items())
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-o", words, "-l", f"{self.folder}.log", "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-m", "fast", "stop")

    def execute(self, statement: str, database: str = "ingot") -> list[tuple[object, ...]]:
        url = self.url.replace("/ingot", f"/{database}")
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def recover(self, moment: str) -> None:
        """Go on from the base backup in the folder, by the archived log, up to the moment."""
        bodies = {
            "restore_command": f"cp {self.archive}/%f %p",
            "recovery_target_time": moment,
            "recovery_target_action": "promote",
        }
        with (self.folder / "postgresql.auto.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in bodies.items())
        (self.folder / "recovery.signal").touch()
        if os.geteuid() == 0:
            shutil.chown(self.folder / "recovery.signal", "postgres", "postgres")
        self.start()
        deadline = time.monotonic() + 120
        while self.execute("SELECT pg_is_in_recovery()")[0][0]:
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.fixture
def open_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Readable and writable for the user that PostgreSQL runs as."""
    if not PROGRAMS or (os.geteuid() == 0 and shutil.which("runuser") is None):
        pytest.skip("no PostgreSQL is installed here")
    folder = Path(f"/tmp/ingot-pitr-{os.getpid()}")
    for place in (folder, folder / "archive"):
        place.mkdir()
        place.chmod(0o777)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def s3() -> Iterator[S3Server]:
    with running_s3() as server:
        yield server


class Bucket:
    """A bucket that keeps what was deleted."""

    def __init__(self, s3: S3Server, name: str) -> None:
        self._name, self._client = name, client(s3.endpoint)
        self._client.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})

    def undelete(self, key: str) -> bool:
        """Take away the marker that hides the object."""
        markers = self._client.list_object_versions(Bucket=self._name, Prefix=key).get("DeleteMarkers", [])
        for marker in markers:
            self._client.delete_object(Bucket=self._name, Key=key, VersionId=marker["VersionId"])
        return bool(markers)


def test_an_instance_comes_back_as_it_was_at_a_moment(s3: S3Server, open_folder: Path, tmp_path: Path) -> None:
    first = Cluster(open_folder / "first", open_folder / "archive")
    first.create()
    here = Place.of(first.url, PROGRAMS[-1], s3, tmp_path / "here")
    bucket = Bucket(s3, "here")
    with here.serving() as server:
        world = World(server)
        anna = world.user("anna")
        project = world.project(anna, initialize_with_readme=True)
        place = f"/projects/{project['id']}"
        remaining = anna.client.ok("POST", f"{place}/uploads", files={"file": ("kept.txt", b"kept")})
        with Work(anna, project) as work:
            while work.done < 2:
                time.sleep(0.01)
            first.run(
                "pg_basebackup", "-h", "127.0.0.1", "-p", str(first.port), "-U", "postgres", "-D",
                str(open_folder / "second"), "-X", "none", "-c", "fast",
            )  # fmt: skip
            began = work.done
            while work.done < began + 2:
                time.sleep(0.01)
        before = work.done
        moment = str(first.execute("SELECT clock_timestamp()")[0][0])
        with Work(anna, project, first=before) as later:
            while later.done < before + 2:
                time.sleep(0.01)
        anna.client.ok("DELETE", f"{place}/uploads/{remaining['id']}")
        forgotten = world.project(anna, initialize_with_readme=True)
        # Nobody writes now: this copy stands for a snapshot of the file system. It is newer than the moment.
        shutil.copytree(here.folder / "repositories", tmp_path / "there" / "repositories", symlinks=True)
        first.execute("SELECT pg_switch_wal()")
    first.stop()

    second = Cluster(open_folder / "second", open_folder / "archive")
    second.recover(moment)
    there = Place.of(second.url, PROGRAMS[-1], s3, tmp_path / "there", bucket="here")
    result = there.ingot("doctor").stdout
    lost = re.findall(r"The object (\S+) is missing", result)
    assert len(lost) == 1, result
    assert bucket.undelete(f"objects/{lost[0]}")
    well = there.ingot("doctor")
    assert well.returncode == 0, well.stdout

    with there.serving() as server:
        again = server.client(anna.token)
        download = again.get(f"{place}{remaining['url']}")
        assert plain_http.get(download.headers["Location"]).content == b"kept"
        assert len(again.ok("GET", f"{place}/uploads", params={"per_page": 100})) == before + 1
        names = {row["name"] for row in again.ok("GET", f"{place}/repository/tree", params={"per_page": 100})}
        # The references are of the later copy: nothing that the database knows is missing.
        assert {f"{number}.txt" for number in range(before)} <= names
        body = {"branch": "main", "content": "x", "commit_message": "Goes on"}
        again.ok("POST", f"{place}/repository/files/after.txt", json=body)
        # The storages know a project that the database does not; its number is given out again, its content is not.
        new = again.ok("POST", "/projects", json={"name": "Fresh"})
        assert new["id"] == forgotten["id"]
        assert again.get(f"/projects/{new['id']}/repository/tree").status_code == 404
    second.stop()
