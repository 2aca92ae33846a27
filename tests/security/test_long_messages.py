"""Commits with a megabyte of message each, and files that a search finds everywhere: lists of them leave no trace."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import plain_http, waiting
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN

pytestmark = pytest.mark.costly  # about git's objects, not about the database

MEGABYTE = 1 << 20
MOST_GROWTH = 64 * MEGABYTE
NUMBER = 32
ROOT = {"PRIVATE-TOKEN": ROOT_TOKEN}
MESSAGE = "needle " + "x" * 990_000
FILES = 120
# Blocks of lines that are hits of 16 KB each, in files as large as the index takes them.
TEXT = (("needle " * 8 + "\n") * 300 + "\n" * 6) * 28


class Place:
    """A project with a chain of commits, a branch and a tag for each, and a folder of large files."""

    def __init__(self, server: ServerProcess, folder: Path) -> None:
        self.server, self._folder = server, folder
        project = server.call("POST", "/projects", json={"name": "messages", "visibility": "public"})
        self.path, self.page = f"/projects/{project['id']}", project["path_with_namespace"]
        self._git("init", "-q", "--bare")
        tree = self._tree()
        commit = self._git("commit-tree", tree, "-m", "first")
        refs = [f"{commit}:refs/heads/main", f"{commit}:refs/heads/other"]
        for number in range(NUMBER):
            commit = self._git("commit-tree", tree, "-p", commit, given=f"{number} {MESSAGE}")
            refs += [f"{commit}:refs/heads/b{number:02}", f"{commit}:refs/tags/t{number:02}"]
        refs += [f"{commit}:refs/heads/long"]
        self._git("push", "-q", server.address(project), *refs)
        options = {"source_branch": "long", "target_branch": "main", "title": "Long"}
        self.request = f"/merge_requests/{server.call('POST', f'{self.path}/merge_requests', json=options)['iid']}"

    def _tree(self) -> str:
        blobs = [self._git("hash-object", "-w", "--stdin", given=f"{number}\n{TEXT}") for number in range(FILES)]
        return self._git("mktree", given="".join(f"100644 blob {sha}\tneedle{at:03}\n" for at, sha in enumerate(blobs)))

    def _git(self, *words: str, given: str = "") -> str:
        command = ["git", "-C", str(self._folder), "-c", "user.name=a", "-c", "user.email=a@b.test", *words]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout.strip()

    def size(self, path: str) -> int:
        """The length of a body that is thrown away as it comes."""
        place = f"/{self.page}/-" if path.startswith("/-") else f"/api/v4{self.path}"
        address = f"{self.server.url}{place}{path.removeprefix('/-')}"
        with plain_http.client() as client, client.stream("GET", address, headers=ROOT) as answer:
            assert answer.status_code == 200, answer.read()
            return sum(map(len, answer.iter_raw()))

    def is_indexed(self) -> bool:
        """The index has all files of the default branch."""
        return len(self.server.call("GET", f"{self.path}/search?scope=blobs&search=filename:needle119")) == 1


@pytest.fixture(scope="module")
def place(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("messages")
    with ServerProcess(databases.fresh(folder), folder / "data") as server:
        created = Place(server, tmp_path_factory.mktemp("git"))
        for path in ("/repository/commits", "/repository/branches", "/repository/tags"):
            created.size(f"{path}?per_page=1")  # whatever is loaded once is loaded now
        yield created


@pytest.mark.parametrize(
    "path",
    [
        "/repository/commits?ref_name=long&per_page=100",
        "/repository/branches?per_page=100",
        "/repository/tags?per_page=100",
        "request/commits?per_page=100",
        "/search?scope=commits&search=needle&ref=long&per_page=100",
    ],
)
def test_a_list_of_long_messages_leaves_the_process_small(place: Place, path: str) -> None:
    path = path.replace("request", place.request)
    size, grown = place.server.private_growth(lambda: place.size(path))

    sys.stdout.write(f"{path}: {size / MEGABYTE:.0f} MB, grew by {grown / MEGABYTE:.0f} MB\n")
    assert size > NUMBER * len(MESSAGE)
    assert grown < MOST_GROWTH


def test_its_commits_are_complete_and_in_order(place: Place) -> None:
    path = f"{place.path}/repository/commits?ref_name=long"
    whole = place.server.call("GET", f"{path}&per_page=100")
    pages = [place.server.call("GET", f"{path}&per_page=25&page={page}") for page in (1, 2)]

    assert [commit["message"].split()[0] for commit in whole] == [*map(str, reversed(range(NUMBER))), "first"]
    assert [commit["id"] for page in pages for commit in page] == [commit["id"] for commit in whole]
    assert {len(commit["message"]) // len(MESSAGE) for commit in whole[:-1]} == {1}


@pytest.mark.parametrize("path", ["/-/commits/long", "/-/branches", "/-/tags"])
def test_a_page_of_long_messages_is_small(place: Place, path: str) -> None:
    size, grown = place.server.private_growth(lambda: place.size(path))

    assert size < 4 * MEGABYTE
    assert grown < MOST_GROWTH


@pytest.mark.parametrize("ref", ["", "&ref=other"])
def test_a_search_that_finds_much_leaves_the_process_small(place: Place, ref: str) -> None:
    waiting.until(place.is_indexed)
    path = f"/search?scope=blobs&search=needle&per_page=100&page=30{ref}"

    size, grown = place.server.private_growth(lambda: place.size(path))

    sys.stdout.write(f"{path}: {size / MEGABYTE:.1f} MB, grew by {grown / MEGABYTE:.0f} MB\n")
    assert size > MEGABYTE
    assert grown < MOST_GROWTH
