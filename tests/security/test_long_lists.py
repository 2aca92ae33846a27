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
        # One thread that is as long as everything else together.
        self.thread = f"/issues/2/discussions/{self._create('issues/2/discussions', body=f'thread {TEXT}')}"
        for number in range(NUMBER - 1):
            self._create(f"{self.thread[1:]}/notes", body=f"{number} {TEXT}")

    def _create(self, path: str, **values: str | int) -> int | str:
        created: dict[str, int | str] = self.server.call("POST", f"{self.path}/{path}", json=values)
        return created["id"]

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
        assert plain_http.get(f"{server.url}/explore/projects", headers=ROOT).status_code == 200  # code of pages, too
        yield place


@pytest.mark.parametrize(
    "path",
    [
        "/issues?per_page=100",
        "/issues?per_page=100&order_by=title",
        "/milestones?per_page=100",
        "/issues/1/notes?per_page=100",
        "/issues/1/discussions?per_page=100",
        "/issues/2/discussions?per_page=100",
        "thread",
        "/search?scope=notes&search=xxx&per_page=100",
        "/events?per_page=100&target_type=note",
    ],
)
def test_a_list_of_long_texts_leaves_the_process_small(place: Place, path: str) -> None:
    path = place.thread if path == "thread" else path
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


def test_a_long_thread_is_complete_and_can_be_answered(place: Place) -> None:
    server, path = place.server, f"{place.path}{place.thread}"
    thread = server.call("GET", path)

    assert list(thread) == ["id", "individual_note", "notes"]
    assert not thread["individual_note"]
    assert [note["body"].split(" ")[0] for note in thread["notes"]] == ["thread", *map(str, range(NUMBER - 1))]
    assert {len(note["body"]) // len(TEXT) for note in thread["notes"]} == {1}
    assert server.call("GET", f"{place.path}/issues/2/discussions")[-1] == thread
    answer = server.call("POST", f"{path}/notes", json={"body": "short"})
    assert server.call("GET", path)["notes"][-1]["id"] == answer["id"]
    assert server.call("PUT", path, json={"resolved": True})["notes"][0]["resolved"]


@pytest.mark.parametrize("issue", [1, 2])
def test_a_page_shows_the_beginnings_of_long_texts(place: Place, issue: int) -> None:
    project = place.server.call("GET", place.path)
    address = f"{place.server.url}/{project['path_with_namespace']}/-/issues/{issue}"

    page, grown = place.server.private_growth(lambda: plain_http.get(address, headers=ROOT))

    sys.stdout.write(f"{address}: grew by {grown / MEGABYTE:.0f} MB\n")
    assert page.status_code == 200
    assert page.text.count("the text is too long to show here") >= NUMBER - 1
    assert len(page.content) < 4 * MEGABYTE
    assert grown < MOST_GROWTH
