"""The scale-out form: backed up while people work, restored on a fresh database, bucket and repository root."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
from sqlalchemy import select

from ingot.features.code.code_search.tables import code_indexes
from ingot.kit.jobs.tables import jobs
from tests.s3_server import KEY_ID, SECRET, S3Server, client, running_s3
from tests.support import plain_http
from tests.support.databases import Databases, PostgresDatabases
from tests.support.forked_program import run_program
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with running_s3() as server:
        yield server


class Place:
    """A database, a bucket and a repository root."""

    def __init__(self, databases: Databases, s3: S3Server, folder: Path, *, is_empty: bool = False) -> None:
        assert isinstance(databases, PostgresDatabases)
        url = databases.empty(folder) if is_empty else databases.fresh(folder)
        self._settle(url, databases.server.programs, s3, folder, folder.name)

    @classmethod
    def of(cls, url: str, programs: Path, s3: S3Server, folder: Path, bucket: str | None = None) -> Self:
        """A place around a database that is there already."""
        created = cls.__new__(cls)
        created._settle(url, programs, s3, folder, bucket or folder.name)
        return created

    def _settle(self, url: str, programs: Path, s3: S3Server, folder: Path, bucket: str) -> None:
        folder.mkdir(exist_ok=True)
        if bucket == folder.name:
            s3.bucket(bucket)
        self.folder, self.programs, self.url = folder, programs, url
        self.settings: dict[str, Any] = {
            "object_store": f"s3://{bucket}/objects",
            "s3_endpoint": s3.endpoint,
            "s3_access_key_id": KEY_ID,
            "s3_secret_access_key": SECRET,
            "secret_key": "11" * 32,
            "object_redirect": True,
        }

    def serving(self) -> RunningServer:
        return RunningServer(self.url, self.folder, **self.settings)

    def environment(self) -> dict[str, str]:
        """The settings as variables, with the programs of the server's own version at hand."""
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT / "src"),
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "INGOT_DATABASE_URL": self.url,
            "INGOT_DATA": str(self.folder),
            **{f"INGOT_{name.upper()}": str(value) for name, value in self.settings.items()},
        }

    def ingot(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The command line."""
        return run_program(*words, environment=self.environment())


class Work:
    """Commits and uploads, one after another, until the block ends."""

    def __init__(self, person: Person, project: dict[str, Any], first: int = 0) -> None:
        self._person, self._place = person, f"/projects/{project['id']}"
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.done = first

    def _run(self) -> None:
        while not self._ended.is_set():
            client, name = self._person.client, f"{self.done}.txt"
            client.ok("POST", f"{self._place}/uploads", files={"file": (name, name.encode())})
            body = {"branch": "main", "content": name, "commit_message": name}
            client.ok("POST", f"{self._place}/repository/files/{name}", json=body)
            self.done += 1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()


def test_a_backup_taken_under_load_serves_elsewhere(databases: Databases, s3: S3Server, tmp_path: Path) -> None:
    here = Place(databases, s3, tmp_path / "here")
    with here.serving() as server:
        world = World(server)
        anna = world.user("anna")
        project = world.project(anna, initialize_with_readme=True)
        place = f"/projects/{project['id']}"
        first = anna.client.ok("POST", f"{place}/uploads", files={"file": ("page.html", b"<p>")})
        with Work(anna, project) as work:
            until(lambda: work.done >= 3)
            taken = here.ingot("backup", str(tmp_path / "copy"))
        assert taken.returncode == 0, taken.stderr

    there = Place(databases, s3, tmp_path / "there", is_empty=True)
    restored = there.ingot("restore", str(tmp_path / "copy"))
    assert restored.returncode == 0, restored.stderr
    assert "Restored the backup of" in restored.stdout

    with there.serving() as server:
        client = server.client(anna.token)
        assert client.get("/user").json()["username"] == "anna"
        listed = client.ok("GET", f"{place}/uploads", params={"per_page": 100})
        assert 4 <= len(listed) <= work.done + 1
        for row in listed:
            stored = client.get(f"{place}/uploads/{row['id']}")
            got = plain_http.get(stored.headers["location"])
            assert got.content == (b"<p>" if row["id"] == first["id"] else row["filename"].encode())
            assert got.headers["content-disposition"].startswith("attachment;")
        for name in ("README.md", "0.txt", "1.txt"):
            assert client.get(f"{place}/repository/files/{name}", ref="main").status_code == 200
        body = {"branch": "main", "content": "x", "commit_message": "goes on"}
        client.ok("POST", f"{place}/repository/files/after.txt", json=body)
    looked = there.ingot("doctor")
    assert looked.returncode == 0, looked.stdout


# Between its two copies of the objects a backup dumps the database. Here a file is uploaded before the dump and deleted
# after it, so that neither copy would have it.
BUSY_DUMP = """#!{python}
import subprocess, sys
sys.path.insert(0, {root!r})
from tests.support import plain_http
place, headers = {place!r}, {headers!r}
created = plain_http.post(place, headers=headers, files={{"file": ("short.txt", b"short")}})
created.raise_for_status()
status = subprocess.run([{program!r}, *sys.argv[1:]]).returncode
plain_http.delete(f"{{place}}/{{created.json()['id']}}", headers=headers).raise_for_status()
sys.exit(status)
"""


def test_what_is_deleted_during_a_backup_is_in_it(databases: Databases, s3: S3Server, tmp_path: Path) -> None:
    here = Place(databases, s3, tmp_path / "busy")
    programs = tmp_path / "programs"
    programs.mkdir()
    with here.serving() as server:
        world = World(server)
        anna = world.user("anna")
        place = f"/projects/{world.project(anna)['id']}/uploads"
        (programs / "pg_dump").write_text(
            BUSY_DUMP.format(
                python=sys.executable, root=str(ROOT), place=f"{server.url}/api/v4{place}",
                headers={"PRIVATE-TOKEN": anna.token}, program=str(here.programs / "pg_dump"),
            )
        )  # fmt: skip
        (programs / "pg_dump").chmod(0o755)
        here.programs = programs
        taken = here.ingot("backup", str(tmp_path / "copy"))
        assert taken.returncode == 0, taken.stderr
        assert anna.client.ok("GET", place) == []
        assert _uploads(s3, "busy") == 1  # until the sweep of the next day

        # When the backup has ended, deleting is deleting again.
        created = anna.client.ok("POST", place, files={"file": ("later.txt", b"later")})
        assert _uploads(s3, "busy") == 2
        anna.client.ok("DELETE", f"{place}/{created['id']}")
        assert _uploads(s3, "busy") == 1

    there = Place(databases, s3, tmp_path / "there-too", is_empty=True)
    assert there.ingot("restore", str(tmp_path / "copy")).returncode == 0
    with there.serving() as server:
        assert [row["filename"] for row in server.client(anna.token).ok("GET", place)] == ["short.txt"]
    looked = there.ingot("doctor")
    assert looked.returncode == 0, looked.stdout


# A commit that comes when the dump is done is in the copy of the repository only.
COMMITTING_DUMP = """#!{python}
import subprocess, sys
sys.path.insert(0, {root!r})
from tests.support import plain_http
status = subprocess.run([{program!r}, *sys.argv[1:]]).returncode
body = {{"branch": "main", "content": "quenching", "commit_message": "Cool"}}
plain_http.post({place!r}, headers={headers!r}, json=body).raise_for_status()
sys.exit(status)
"""


def test_what_is_committed_during_a_backup_is_found(databases: Databases, s3: S3Server, tmp_path: Path) -> None:
    here = Place(databases, s3, tmp_path / "committing")
    programs = tmp_path / "programs"
    programs.mkdir()
    with here.serving() as server:
        world = World(server)
        anna = world.user("anna")
        place = f"/projects/{world.project(anna, initialize_with_readme=True)['id']}"
        (programs / "pg_dump").write_text(
            COMMITTING_DUMP.format(
                python=sys.executable, root=str(ROOT), place=f"{server.url}/api/v4{place}/repository/files/cool.txt",
                headers={"PRIVATE-TOKEN": anna.token}, program=str(here.programs / "pg_dump"),
            )
        )  # fmt: skip
        (programs / "pg_dump").chmod(0o755)
        here.programs = programs
        # Nothing waits: a job in the dump would index the commit on its own, and the doctor would have nothing to say.
        until(lambda: _is_indexed(server))
        assert here.ingot("backup", str(tmp_path / "copy")).returncode == 0

    there = Place(databases, s3, tmp_path / "there-later", is_empty=True)
    assert there.ingot("restore", str(tmp_path / "copy")).returncode == 0
    before = there.ingot("doctor")
    assert "the code search index is behind the default branch" in before.stdout
    with there.serving() as server:
        client = server.client(anna.token)
        search = f"{place}/search?scope=blobs&search=quenching"
        until(lambda: [row["path"] for row in client.ok("GET", search)] == ["cool.txt"])
        until(lambda: client.ok("GET", f"{place}?statistics=true")["statistics"]["commit_count"] == 2)
    looked = there.ingot("doctor")
    assert looked.returncode == 0, looked.stdout


def _is_indexed(server: RunningServer) -> bool:
    """Whether the only project is in the index of code, and no job is about to look at it again."""
    again = jobs.c.kind.in_(("refresh_project", "index_code")) & jobs.c.state.in_(("queued", "running"))
    with server.services.db.read() as conn:
        head = conn.execute(select(code_indexes.c.head)).scalar_one_or_none()
        return head is not None and conn.execute(select(jobs.c.id).where(again)).first() is None


def _uploads(s3: S3Server, bucket: str) -> int:
    listed = client(s3.endpoint).list_objects_v2(Bucket=bucket, Prefix="objects/uploads/")
    return int(listed["KeyCount"])


def test_a_restore_goes_only_into_empty_places(databases: Databases, s3: S3Server, tmp_path: Path) -> None:
    used = Place(databases, s3, tmp_path / "used")
    with used.serving() as server:
        World(server).user()
    assert used.ingot("backup", str(tmp_path / "copy")).returncode == 0

    assert "Restore into an empty database." in used.ingot("restore", str(tmp_path / "copy")).stderr
    fresh = Place(databases, s3, tmp_path / "fresh", is_empty=True)
    client(s3.endpoint).put_object(Bucket="fresh", Key="objects/x", Body=b"x")
    assert "object store is not empty" in fresh.ingot("restore", str(tmp_path / "copy")).stderr


def test_a_database_that_is_away_is_told_in_one_sentence(databases: Databases, s3: S3Server, tmp_path: Path) -> None:
    place = Place(databases, s3, tmp_path / "away")
    place.url = "postgresql://nobody@127.0.0.1:1/ingot"

    refused = place.ingot("backup", str(tmp_path / "copy"))

    assert refused.returncode == 1
    assert refused.stderr.startswith("ingot: The database cannot be used: ")
    assert len(refused.stderr.splitlines()) == 1
    assert not (tmp_path / "copy").exists()
