"""A few small trees that name a quarter of a million files: listing them costs no memory."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.process import ServerProcess

pytestmark = pytest.mark.costly  # about git's objects, not about the database

MEGABYTE = 1 << 20
MOST_GROWTH = 64 * MEGABYTE
WIDE, FOLDERS = 100, 50


def push_deep_trees(folder: Path, address: str) -> None:
    """Folders that are the same tree over and over."""

    def git(*words: str, given: str = "") -> str:
        command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.test", *words]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "-q", "--bare")
    blob = git("hash-object", "-w", "--stdin", given="x")
    tree = git("mktree", given="".join(f"100644 blob {blob}\tfile{number:03}\n" for number in range(WIDE)))
    for _ in range(2):
        tree = git("mktree", given="".join(f"040000 tree {tree}\tfolder{number:02}\n" for number in range(FOLDERS)))
    git("push", "-q", address, f"{git('commit-tree', tree, '-m', 'm')}:refs/heads/main")


@pytest.fixture(scope="module")
def place(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerProcess, str]]:
    data, folder = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("deep")
    with ServerProcess(databases.fresh(data), data, INGOT_WORKER="false") as server:
        project = server.call("POST", "/projects", json={"name": "deep", "visibility": "public"})
        push_deep_trees(folder, server.address(project))
        path = f"{server.url}/api/v4/projects/{project['id']}/repository/tree"
        plain_http.get(path)  # whatever is loaded once is loaded now
        yield server, path


def test_a_page_of_a_deep_tree_leaves_the_process_small(place: tuple[ServerProcess, str]) -> None:
    server, path = place
    last = FOLDERS * (FOLDERS + 1) // 100 + 1

    answers, grown = server.growth(
        lambda: [plain_http.get(f"{path}?recursive=true&per_page=100&page={page}") for page in (1, last)]
    )

    sys.stdout.write(f"grew by {grown / MEGABYTE:.0f} MB\n")
    assert grown < MOST_GROWTH
    first, following = (answer.json() for answer in answers)
    assert answers[0].headers["X-Total"] == str(FOLDERS * (FOLDERS + 1) + FOLDERS * FOLDERS * WIDE)
    assert {entry["type"] for entry in first} == {"tree"}
    assert [entry["path"] for entry in following[50:52]] == [
        "folder00/folder00/file000",
        "folder00/folder00/file001",
    ]
