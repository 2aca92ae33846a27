"""Markdown that is hard to render, just short enough to be rendered: no answer takes the server a second of work."""

from collections.abc import Iterator

import httpx
import pytest

from ingot.features.spaces.projects.markdown import MAX_RENDERED
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.processor_time import slowness
from tests.support.server import ROOT_TOKEN

pytestmark = pytest.mark.costly

SECONDS = 1.5  # a second, and what a busy machine adds by taking the processor away
UNITS = ["[", "![", "[a](", "a\n\n", "_a_", "> ", "* ", "`", "<a ", "- \n", "  - ", "|a", "&a;", "\\", "**a "]


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    data = tmp_path_factory.mktemp("data")
    with ServerProcess(databases.fresh(data), data, INGOT_WORKER="false") as running:
        running.call("POST", "/markdown", json={"text": "*a*"})  # loads the library
        yield running


def longest(unit: str) -> str:
    return unit * (MAX_RENDERED // len(unit))


def test_no_text_takes_long(server: ServerProcess) -> None:
    spent = {unit: cost(server, unit) for unit in UNITS}

    again = {unit: cost(server, unit) for unit, seconds in spent.items() if seconds > SECONDS}
    assert {unit: seconds for unit, seconds in again.items() if seconds > SECONDS * slowness()} == {}


def cost(server: ServerProcess, unit: str) -> float:
    """Seconds of work for the longest text of such units."""
    before = server.processor_time()
    server.call("POST", "/markdown", json={"text": longest(unit)})
    return server.processor_time() - before


def test_ordinary_links_are_still_rendered(server: ServerProcess) -> None:
    text = "[a](https://example.com) and some words\n" * 1000

    assert server.call("POST", "/markdown", json={"text": text})["html"].count("<a ") == 1000


def test_many_texts_in_one_answer_take_no_longer_than_one(server: ServerProcess) -> None:
    project = server.call("POST", "/projects", json={"name": "noted", "initialize_with_readme": True})
    releases = f"/projects/{project['id']}/releases"
    for number in range(8):
        release = {"tag_name": f"v{number}", "ref": "main", "description": longest("a\n\n")}
        server.call("POST", releases, json=release)
    with httpx.Client(base_url=f"{server.url}/api/v4", headers={"PRIVATE-TOKEN": ROOT_TOKEN}, timeout=120) as client:
        plain = client.get(releases)
        before = server.processor_time()
        rendered = client.get(releases, params={"include_html_description": True})
        seconds = server.processor_time() - before

    assert plain.status_code == rendered.status_code == 200
    html = [one["description_html"][:5] for one in rendered.json()]
    assert html == ["<p>a<", *["<pre>"] * 7]
    assert seconds < 2 * SECONDS * slowness()
