"""Pages of hostile texts: what a visitor opens costs the server little, however it was written.

Work is processor time with that of ended children, and of the process that renders texts.
"""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.processor_time import slowness, with_children
from tests.support.server import ROOT_TOKEN

pytestmark = pytest.mark.costly

GROWTH = 64 * 1024 * 1024
# Rendering has a second for the text under way and one for the whole page, the page itself one more.
SECONDS = 3.0
HARD = "[" * 50_000  # more than the renderer has time for


class Pages:
    """A server with a project, as a member opens its pages."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        project = server.call("POST", "/projects", json={"name": "heavy", "initialize_with_readme": True})
        self.place, self.path = f"/projects/{project['id']}", f"/{project['path_with_namespace']}"
        self.http = httpx.Client(base_url=server.url, headers={"PRIVATE-TOKEN": ROOT_TOKEN}, timeout=120)
        self.http.get(self.path)  # loads the templates

    def commit(self, **files: str) -> None:
        actions = [{"action": "create", "file_path": name, "content": text} for name, text in files.items()]
        body = {"branch": "main", "commit_message": "Add", "actions": actions}
        self.server.call("POST", f"{self.place}/repository/commits", json=body)

    def cost(self, path: str) -> tuple[httpx.Response, float, int]:
        """The page, the seconds of work and the bytes of growth that it took."""
        before = with_children(self.server.pid)
        page, growth = self.server.growth(lambda: self.http.get(self.path + path))
        assert page.status_code == 200, page.text
        return page, with_children(self.server.pid) - before, growth


@pytest.fixture(scope="module")
def pages(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    data = tmp_path_factory.mktemp("data")
    with ServerProcess(databases.fresh(data), data, INGOT_WORKER="false") as server:
        created = Pages(server)
        yield created
        created.http.close()


def many_lines(pages: Pages) -> str:
    pages.commit(**{"lines.py": "a=1\n" * 400_000})
    return "/-/blob/main/lines.py"


def hard_readme(pages: Pages) -> str:
    pages.commit(**{"hard/README.md": HARD})
    return "/-/tree/main/hard"


def many_names(pages: Pages) -> str:
    issue: dict[str, Any] = pages.server.call(
        "POST", f"{pages.place}/issues", json={"title": "Names", "description": "@a" * 120_000}
    )
    return f"/-/issues/{issue['iid']}"


def hard_notes(pages: Pages) -> str:
    issue: dict[str, Any] = pages.server.call("POST", f"{pages.place}/issues", json={"title": "Notes"})
    for number in range(20):
        pages.server.call("POST", f"{pages.place}/issues/{issue['iid']}/notes", json={"body": f"{number}{HARD}"})
    return f"/-/issues/{issue['iid']}"


@pytest.mark.parametrize("write", [many_lines, hard_readme, many_names, hard_notes])
def test_no_text_makes_a_page_costly(pages: Pages, write: Callable[[Pages], str]) -> None:
    path = write(pages)

    page, seconds, growth = pages.cost(path)

    assert len(page.content) < 4 * 1024 * 1024
    assert growth < GROWTH
    if seconds > SECONDS:
        seconds = pages.cost(path)[1]  # without what is loaded at first use
    assert seconds < SECONDS * slowness()


def test_a_long_file_says_that_it_was_cut(pages: Pages) -> None:
    pages.commit(**{"long.py": "a=1\n" * 20_001, "short.py": "a=1\n" * 20_000})

    assert "Showing the first 2,000 lines of a large file" in pages.cost("/-/blob/main/long.py")[0].text
    assert "of a large file" not in pages.cost("/-/blob/main/short.py")[0].text
