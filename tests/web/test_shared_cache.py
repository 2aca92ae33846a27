"""Servers that share an object store share what they rendered: the next one has it at once, without rendering."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from ingot.kit.blobs import BlobStore, local_store, s3_store
from ingot.kit.blobs.folders import PASSING
from tests.s3_server import KEY_ID, SECRET, running_s3
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.ports import free_port
from tests.support.process import ServerProcess
from tests.support.waiting import until

pytestmark = pytest.mark.costly  # starts servers; the database is asked for nothing that other tests do not ask it for

CODE = "def strike(coin):\n    return coin + 1\n"
TEXT = "# The mint\n\n" + "Words of *weight*.\n\n" * 1000
RENDERER = b"ingot.web.texts.process"


class Servers:
    """Servers on one data folder, one after the other, and what they keep."""

    def __init__(self, database_url: str, data: Path, store: BlobStore, **environment: str) -> None:
        self._given = (database_url, data)
        self._environment = environment
        self.store = store

    def another(self, **environment: str) -> ServerProcess:
        # The address is a part of what is rendered, and each has another port.
        return ServerProcess(*self._given, INGOT_BASE_URL="http://ingot.test", **{**self._environment, **environment})

    def kinds(self) -> set[str]:
        """Of what is kept."""
        return {info.key.split("/")[2] for info in self.store.list(f"{PASSING}/derived")}


@pytest.fixture(params=["folder", "bucket"])
def servers(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Servers]:
    url = databases.fresh(tmp_path)
    if request.param == "folder":
        yield Servers(url, tmp_path, local_store(tmp_path / "objects"))
        return
    with running_s3() as running:
        environment = {
            "INGOT_OBJECT_STORE": "s3://ingot/", "INGOT_S3_ENDPOINT": running.endpoint,
            "INGOT_S3_ACCESS_KEY_ID": KEY_ID, "INGOT_S3_SECRET_ACCESS_KEY": SECRET,
        }  # fmt: skip
        yield Servers(url, tmp_path, s3_store(running.bucket("ingot")), **environment)


def create_project(server: ServerProcess) -> str:
    """The path of a project with code and a long text."""
    project = server.call("POST", "/projects", json={"name": "mint", "visibility": "public"})
    files = {"die.py": CODE, "long.md": TEXT}
    actions = [{"action": "create", "file_path": path, "content": content} for path, content in files.items()]
    body = {"branch": "main", "commit_message": "Strike the coins", "actions": actions}
    server.call("POST", f"/projects/{project['id']}/repository/commits", json=body)
    return f"/{project['path_with_namespace']}/-"


def page(server: ServerProcess, path: str) -> Any:
    answer = plain_http.get(server.url + path)
    assert answer.status_code == 200
    return etree.HTML(answer.text)


def keywords(server: ServerProcess, root: str) -> list[str]:
    return page(server, f"{root}/blob/main/die.py").xpath("//table//span[@class='k']/text()")


def heading(server: ServerProcess, root: str) -> list[str]:
    return page(server, f"{root}/blob/main/long.md").xpath("//h1[text()='The mint']/text()")


def subjects(server: ServerProcess, root: str) -> list[str]:
    return page(server, f"{root}/tree/main").xpath("//tr//a[text()='Strike the coins']/text()")


def renderers(server: ServerProcess) -> int:
    """How many rendering processes the server has started."""
    count = 0
    for place in Path("/proc").glob("[0-9]*"):
        try:
            count += RENDERER in (place / "cmdline").read_bytes() and os.getpgid(int(place.name)) == server.pid
        except OSError:
            continue  # it has ended
    return count


def fill(servers: Servers) -> str:
    with servers.another() as first:
        root = create_project(first)
        assert until(lambda: keywords(first, root)) == ["def", "return"]
        until(lambda: len(subjects(first, root)) == 2)
        assert heading(first, root) == ["The mint"]
        assert renderers(first) == 2
        until(lambda: servers.kinds() == {"texts", "last_commits"})
        until(lambda: sum(1 for _ in servers.store.list(f"{PASSING}/derived/texts")) == 2)
    return root


def test_the_next_server_shows_what_the_first_one_rendered(servers: Servers) -> None:
    root = fill(servers)

    def is_shown_without_rendering() -> bool:
        # On a busy machine a bucket may answer too late; then the server renders by itself, and another one is asked.
        with servers.another() as second:
            assert until(lambda: keywords(second, root)) == ["def", "return"]
            assert heading(second, root) == ["The mint"]
            until(lambda: len(subjects(second, root)) == 2)
            return renderers(second) == 0

    until(is_shown_without_rendering)


def test_broken_objects_are_replaced_by_what_is_rendered_anew(servers: Servers) -> None:
    root = fill(servers)
    cut = {info.key: servers.store.read(info.key)[:-1] for info in servers.store.list(f"{PASSING}/derived")}
    for key, content in cut.items():
        servers.store.put(key, content)

    with servers.another() as second:
        assert until(lambda: keywords(second, root)) == ["def", "return"]
        assert heading(second, root) == ["The mint"]
        until(lambda: len(subjects(second, root)) == 2)
        assert renderers(second) == 2
        until(lambda: all(servers.store.read(key) != content for key, content in cut.items()))


def test_pages_come_without_the_store(servers: Servers) -> None:
    root = fill(servers)
    away = f"http://127.0.0.1:{free_port()}"
    with servers.another(INGOT_OBJECT_STORE="s3://ingot/", INGOT_S3_ENDPOINT=away) as second:
        assert until(lambda: keywords(second, root)) == ["def", "return"]
        assert heading(second, root) == ["The mint"]
        until(lambda: len(subjects(second, root)) == 2)
        assert renderers(second) == 2
