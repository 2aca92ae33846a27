"""Another user of the machine reads nothing: whatever the umask, files are for the server's own user only."""

import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.operating.test_command_line import ROOT, environment, serving
from tests.support.databases import Databases, PostgresDatabases
from tests.support.forked_program import run_program

pytestmark = pytest.mark.costly


def run(umask: int, *words: str, cwd: Path, **more: str) -> None:
    prelude = f"import os; os.umask({umask})"
    run_program(*words, environment=environment(**more), folder=cwd, prelude=prelude).check_returncode()


def everything(folder: Path) -> Iterator[Path]:
    """All at or below the folder; what vanishes meanwhile is passed over."""
    yield folder
    for place, folders, files in os.walk(folder):
        yield from (Path(place, name) for name in (*folders, *files))


def open_to_others(folder: Path) -> list[str]:
    """Everything at or below the folder that grants a right to somebody else."""
    result = []
    for path in everything(folder):
        with suppress(FileNotFoundError):  # a running server removes files, too
            mode = stat.S_IMODE(path.lstat().st_mode)
            result += [f"{oct(mode)} {path}"] if mode & 0o077 else []
    return result


def open_all(folder: Path) -> None:
    """As an older version left them."""
    for path in list(everything(folder)):
        with suppress(FileNotFoundError):  # git may still be tidying up after the server
            path.chmod(0o755 if path.is_dir() else 0o644)


def work(url: str, folder: Path) -> None:
    """Create what a server stores: a project with a commit by the interface and a push, and an upload."""
    headers = {"PRIVATE-TOKEN": ROOT}
    with httpx.Client(base_url=f"{url}/api/v4", headers=headers, timeout=60) as client:
        project = client.post("/projects", json={"name": "secret", "initialize_with_readme": True}).json()
        content = {"branch": "main", "content": "hidden", "commit_message": "Add"}
        client.post(f"/projects/{project['id']}/repository/files/a.txt", json=content).raise_for_status()
        files = {"file": ("a.txt", b"hidden" * 1000)}
        client.post(f"/projects/{project['id']}/uploads", files=files).raise_for_status()
    address = url.replace("http://", f"http://root:{ROOT}@") + f"/{project['path_with_namespace']}.git"
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com"]
    copy = folder / "copy"
    subprocess.run([*git, "clone", "-q", address, str(copy)], check=True, timeout=60)
    (copy / "b.txt").write_text("pushed")
    subprocess.run([*git, "-C", str(copy), "add", "b.txt"], check=True)
    subprocess.run([*git, "-C", str(copy), "commit", "-q", "-m", "Push"], check=True)
    subprocess.run([*git, "-C", str(copy), "push", "-q", "origin", "HEAD:pushed"], check=True, timeout=60)


class Place:
    """A data folder and a database without tables, for commands under one umask."""

    def __init__(self, folder: Path, databases: Databases, umask: int) -> None:
        self.data, self.umask, self._folder = folder / "data", umask, folder
        # pg_dump must be of the server's own version.
        programs = [str(databases.server.programs)] if isinstance(databases, PostgresDatabases) else []
        self.environment = {
            "INGOT_DATABASE_URL": databases.empty(self.data),
            "INGOT_ROOT_TOKEN": ROOT,
            "PATH": os.pathsep.join([*programs, os.environ["PATH"]]),
        }

    def ingot(self, *words: str, data: Path | None = None, **more: str) -> None:
        run(self.umask, *words, "--data", str(data or self.data), cwd=self._folder, **{**self.environment, **more})

    def serve_work(self) -> None:
        """Serve, and look while the server runs: its database has more files then."""
        os.umask(self.umask)
        with serving(self.data, **self.environment) as (_, url):
            work(url, self._folder)
            assert open_to_others(self.data) == []


# The usual umask leaves less open than none, so it is tried in the long form only.
@pytest.fixture(params=[0o000, pytest.param(0o022, marks=pytest.mark.scale)], ids=["umask-000", "umask-022"])
def place(request: pytest.FixtureRequest, tmp_path: Path, databases: Databases) -> Iterator[Place]:
    before = os.umask(0o077)
    yield Place(tmp_path, databases, request.param)
    os.umask(before)


def test_a_server_creates_nothing_that_others_can_read(place: Place) -> None:
    place.serve_work()

    assert list(place.data.glob("repositories/@hashed/*/*/*.git/objects/??/*"))
    assert open_to_others(place.data) == []


def test_a_set_up_folder_is_closed_to_others(place: Place) -> None:
    place.ingot("init")

    assert (place.data / "secret_key").exists()
    assert open_to_others(place.data) == []


def test_a_backup_and_what_is_restored_from_it_are_closed_to_others(
    place: Place, tmp_path: Path, databases: Databases
) -> None:
    place.serve_work()
    open_all(place.data)
    restored = tmp_path / "restored"

    place.ingot("backup", str(tmp_path / "backup"))
    place.ingot("restore", str(tmp_path / "backup"), data=restored, INGOT_DATABASE_URL=databases.empty(restored))

    assert list((tmp_path / "backup").glob("repositories/*/@hashed/*/*/*.git/objects/??/*"))
    assert open_to_others(tmp_path / "backup") == []
    assert list(restored.glob("repositories/@hashed/*/*/*.git/HEAD"))
    assert open_to_others(restored) == []


def test_a_start_closes_folders_that_were_open(place: Place) -> None:
    place.ingot("init")
    open_all(place.data)

    place.serve_work()

    remaining = [place.data, place.data / "secret_key", *place.data.glob("ingot.db*"), place.data / "repositories"]
    assert [oct(stat.S_IMODE(path.stat().st_mode)) for path in remaining if path.stat().st_mode & 0o077] == []


def test_a_repository_storage_elsewhere_is_closed_too(place: Place, tmp_path: Path) -> None:
    elsewhere = tmp_path / "storage"
    elsewhere.mkdir(mode=0o777)
    elsewhere.chmod(0o777)
    place.environment["INGOT_REPOSITORY_STORAGES"] = f"default={elsewhere}"

    place.serve_work()

    assert list(elsewhere.glob("@hashed/*/*/*.git/HEAD"))
    assert open_to_others(elsewhere) == []
