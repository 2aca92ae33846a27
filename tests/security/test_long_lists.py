"""Lists of records with a megabyte of text each: complete, and never in memory all at once."""

import hashlib
import sys
from collections.abc import Iterator

import msgspec
import pytest

from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN

MEGABYTE = 1 << 20
MOST_GROWTH = 64 * MEGABYTE
NUMBER = 40
TEXT = "x" * 999_000
ROOT = {"PRIVATE-TOKEN": ROOT_TOKEN}


class Item(msgspec.Struct):
    """What tells records apart."""

    id: int | str


class Place:
    """A project with long lists."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        project = server.call("POST", "/projects", json={"name": "long"})
        self.path = f"/projects/{project['id']}"
        for number in range(NUMBER):
            milestone = self._create("milestones", title=f"m{number:02}", description=TEXT)
            self._create("issues", title=f"i{number:02}", description=TEXT, milestone_id=milestone)
            self._create("issues/1/notes", body=f"{number} {TEXT}")

    def _create(self, path: str, **values: str | int) -> int:
        return int(self.server.call("POST", f"{self.path}/{path}", json=values)["id"])

    def size(self, path: str) -> int:
        """The length of a body that is thrown away as it comes; its headers have to fit it."""
        digest, size = hashlib.md5(usedforsecurity=False), 0
        address = f"{self.server.url}/api/v4{self.path}{path}"
        with plain_http.client() as client, client.stream("GET", address, headers=ROOT) as answer:
            assert answer.status_code == 200
            for piece in answer.iter_raw():
                digest.update(piece)
                size += len(piece)
        assert answer.headers["ETag"] == f'W/"{digest.hexdigest()}"'
        assert answer.headers["Content-Length"] == str(size)
        return size

    def ids(self, path: str) -> tuple[list[int | str], str]:
        """The ids in a list, and its `Link` header."""
        answer = plain_http.get(f"{self.server.url}/api/v4{self.path}{path}", headers=ROOT)
        return [item.id for item in msgspec.json.decode(answer.content, type=list[Item])], answer.headers.get(
            "Link", ""
        )


@pytest.fixture(scope="module")
def place(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("long")
    with ServerProcess(databases.fresh(folder), folder / "data") as server:
        place = Place(server)
        for path in ("/issues", "/issues/1/notes", "/issues/1/discussions", "/events", "/milestones"):
            server.call("GET", f"{place.path}{path}?per_page=1")  # whatever is loaded once is loaded now
        yield place


@pytest.mark.parametrize(
    "path",
    [
        "/issues?per_page=100",
        "/issues?per_page=100&order_by=title",
        "/milestones?per_page=100",
        "/issues/1/notes?per_page=100",
        "/issues/1/discussions?per_page=100",
        "/events?per_page=100&target_type=note",
    ],
)
def test_a_list_of_long_texts_leaves_the_process_small(place: Place, path: str) -> None:
    size, grown = place.server.private_growth(lambda: place.size(path))

    sys.stdout.write(f"{path}: {size / MEGABYTE:.0f} MB, grew by {grown / MEGABYTE:.0f} MB\n")
    assert size > NUMBER * len(TEXT)
    assert grown < MOST_GROWTH


def test_its_pages_are_complete_and_in_order(place: Place) -> None:
    path = "/issues?order_by=title&sort=asc"
    whole, _ = place.ids(f"{path}&per_page=100")
    first, link = place.ids(f"{path}&per_page=25")
    second, last_link = place.ids(f"{path}&per_page=25&page=2")

    assert len(whole) == NUMBER
    assert first + second == whole == sorted(whole)
    assert 'rel="next"' in link
    assert 'rel="next"' not in last_link
