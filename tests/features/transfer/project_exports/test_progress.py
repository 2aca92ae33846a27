"""How far an export is: what is counted while the archive is written, and what its page says."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from ingot.access.subjects import find_project
from ingot.features.transfer.project_exports.commands.write import write_archive
from ingot.features.transfer.project_exports.stages import Stand
from ingot.kit.actor import Actor
from ingot.kit.jobs import JobWorker
from tests.features.transfer.project_exports.test_exports import unpacked
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World
from tests.web.browsing import Browser, Visit


class SlowReceiver(BaseHTTPRequestHandler):
    """Takes an upload when it is told to."""

    may_read = Event()

    def do_PUT(self) -> None:
        self.may_read.wait()
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def local(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A world whose server may reach this machine."""
    data: Path = tmp_path_factory.mktemp("local")
    with RunningServer(databases.fresh(data), data, outbound_allow_local=True, worker=False) as running:
        yield World(running)


@pytest.fixture
def receiver() -> Iterator[str]:
    SlowReceiver.may_read.clear()
    server = HTTPServer(("127.0.0.1", 0), SlowReceiver)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/upload"
    SlowReceiver.may_read.set()
    server.shutdown()
    server.server_close()
    thread.join()


def stages(page: Visit) -> list[tuple[str, str]]:
    """The stages with their states, as the page shows them."""
    rows = page.tree.xpath("//section[@id='export']//ol/li")
    return [tuple(" ".join(span.itertext()) for span in row.findall("span")) for row in rows]


def words(page: Visit) -> str:
    """What the page says about the export."""
    return " ".join("".join(page.tree.xpath("//section[@id='export']")[0].itertext()).split())


def test_what_goes_into_an_archive_is_counted(world: World, tmp_path: Path) -> None:
    owner = world.user()
    created = world.project(owner, initialize_with_readme=True)
    path = f"/projects/{created['id']}"
    for number in range(3):
        owner.client.ok("POST", f"{path}/labels", json={"name": f"label {number}", "color": "#ff0000"})
        owner.client.ok("POST", f"{path}/uploads", files={"file": (f"{number}.txt", b"x" * 1000)})
    services = world.server.services
    with services.db.read() as conn:
        project = find_project(conn, Actor(user_id=0, is_admin=True), created["id"])
    assert project is not None
    stand = Stand()
    seen: list[dict[str, Any]] = []

    with (tmp_path / "a.tar.gz").open("wb") as target:
        write_archive(services, project, target, None, lambda *_: seen.append(stand.counters(target.tell())), stand)

    content = unpacked((tmp_path / "a.tar.gz").read_bytes())
    lines = sum(text.count(b"\n") for name, text in content.items() if name.endswith(".ndjson"))
    assert list(dict.fromkeys(counted["stage"] for counted in seen)) == ["repositories", "records", "files"]
    records = [counted for counted in seen if counted["stage"] == "records"][-1]
    assert (records["parts"], records["records"]) == (records["parts_total"], lines)
    assert (stand.parts, stand.parts_total, stand.bytes, stand.bytes_total) == (3, 3, 3000, 3000)
    assert len(json.loads(content["tree/project/labels.ndjson"].splitlines()[0])["title"]) == len("label 0")
    written = [counted["bytes_written"] for counted in seen]
    assert written == sorted(written)


def test_the_page_says_how_far_an_export_is(local: World, receiver: str) -> None:
    owner = local.user()
    project = local.project(owner, initialize_with_readme=True)
    address = f"/{project['path_with_namespace']}/edit"
    browser = Browser(local.server, **{"PRIVATE-TOKEN": owner.token})
    assert "No archive yet." in words(browser.open(address))
    body = {"upload": {"url": receiver, "http_method": "PUT"}}
    assert owner.client.post(f"/projects/{project['id']}/export", json=body).status_code == 202

    waiting = browser.open(address)
    assert "The export is queued." in words(waiting)
    assert {state for _, state in stages(waiting)} == {"Later"}
    # A page with forms is loaded again by itself only for those who asked for that.
    assert 'http-equiv="refresh"' not in waiting.response.text
    assert 'content="5;url=?watch=export#export"' in browser.open(f"{address}?watch=export").response.text

    worker = JobWorker(local.server.services.db, local.server.services, concurrency=1)
    worker.start()
    try:
        sending = until(lambda: _page_at(browser, address, "Send the archive"))
        until(lambda: browser.open(address).tree.xpath("//section[@id='export']//progress"))
        SlowReceiver.may_read.set()
        until(lambda: owner.client.ok("GET", f"/projects/{project['id']}/export")["export_status"] == "finished")
    finally:
        worker.stop()

    assert [words for words, state in stages(sending) if state == "Done"] == [
        "Repositories", "Records", "Uploads and large files", "Store the archive",
    ]  # fmt: skip
    assert stages(sending)[-1] == ("Finish", "Later")
    ready = browser.open(address)
    assert "The archive is ready." in words(ready)
    assert not stages(ready)
    live = browser.http.get(f"/{project['path_with_namespace']}/-/export/events?seen=older")
    assert "event: changed" in live.text
    assert live.text.endswith("event: over\ndata:\n\n")


def _page_at(browser: Browser, address: str, stage: str) -> Visit | None:
    page = browser.open(address)
    return page if (stage, "Now") in stages(page) else None
