"""Imports that are cancelled on their page, and that go on later."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from ingot.access.tables import projects
from ingot.archives.pace import Counted
from ingot.features.spaces.projects.commands.settling import settle
from ingot.features.transfer.project_imports.commands.stopping import KEPT, end_old_cancelled_imports
from ingot.features.transfer.project_imports.tables import project_imports
from ingot.kit.clock import now
from ingot.kit.jobs import JobWorker
from tests.features.transfer.project_imports.archive_server import ArchiveServer, archive_server
from tests.features.transfer.project_imports.making import archive, upload
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import LIMIT, until
from tests.support.world import Person, World
from tests.web.browsing import Browser

ISSUES = [{"iid": number, "title": f"Issue {number}", "author_id": 1} for number in (1, 2)]


@pytest.fixture(scope="module")
def world(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A world whose server may reach this machine, and does no background work by itself."""
    data: Path = tmp_path_factory.mktemp("stopping")
    with RunningServer(databases.fresh(data), data, outbound_allow_local=True, worker=False) as running:
        yield World(running)


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def browser(world: World, owner: Person) -> Browser:
    visitor = Browser(world.server)
    visitor.enter_by_link(owner.username)
    return visitor


@pytest.fixture
def away() -> Iterator[ArchiveServer]:
    with archive_server() as running:
        running.archive = archive(issues=ISSUES)
        yield running
        running.released.set()


def state(owner: Person, project: dict[str, object]) -> str:
    return str(owner.client.ok("GET", f"/projects/{project['id']}/import")["import_status"])


def test_an_import_that_runs_is_cancelled_and_goes_on_later(
    world: World, owner: Person, browser: Browser, away: ArchiveServer
) -> None:
    services = world.server.services
    body = {"path": world.name("held"), "url": away.url("/held")}
    answers = until(
        lambda: [one for one in [owner.client.post("/projects/remote-import", json=body)] if one.status_code == 201]
    )
    project = answers[0].json()
    address = f"/{project['path_with_namespace']}/-/import"
    worker = JobWorker(services.db, services, concurrency=2)
    worker.start()
    try:
        until(lambda: ("GET", "/held") in away.asked)
        shown = browser.open(address)
        assert ("Fetch the archive Now" in shown.text, "You can leave this page" in shown.text) == (True, True)
        cancelled = browser.send(shown, "/import/cancel")
        away.released.set()
    finally:
        worker.stop()

    assert (cancelled.path, state(owner, project)) == (address, "canceled")
    assert f"@{owner.username} cancelled the import. Some data is missing." in cancelled.text
    assert "was cancelled. Some data is missing." in browser.open(f"/{project['path_with_namespace']}").text
    assert owner.client.ok("GET", f"/projects/{project['id']}/issues") == []
    again = browser.send(shown, "/import/cancel")
    assert (again.status, "The import has already finished" in again.text) == (409, True)

    browser.send(cancelled, "/import/retry")
    world.run_jobs()
    assert state(owner, project) == "finished"
    assert {issue["iid"] for issue in owner.client.ok("GET", f"/projects/{project['id']}/issues")} == {1, 2}
    done = browser.open(address)
    assert done.tree.xpath("//tr[th='Issues']/td/text()") == ["2", "2", "0"]
    assert not done.tree.xpath("//form[contains(@action, '/import/')]")
    assert browser.send(cancelled, "/import/retry").status == 409


def test_git_ends_with_the_import_that_it_fetches_for(
    world: World, owner: Person, browser: Browser, away: ArchiveServer
) -> None:
    services, path = world.server.services, world.name("fetched")
    project = owner.client.ok("POST", "/projects", json={"path": path, "import_url": away.url("/waiting.git")})
    address = f"/{project['path_with_namespace']}/-/import"
    worker = JobWorker(services.db, services, concurrency=2)
    worker.start()
    try:
        assert away.git_waits.wait(LIMIT)
        cancelled = browser.send(browser.open(address), "/import/cancel")
        # Its server does not answer: git goes because it is told to.
        assert away.git_left.wait(LIMIT)
    finally:
        worker.stop()

    assert (cancelled.path, state(owner, project)) == (address, "canceled")
    # What was there is cleared away with git's help.
    assert until(lambda: owner.client.get(f"/projects/{project['id']}/repository/branches").json() == [])


def test_the_archive_of_a_cancelled_import_is_kept_for_some_days(world: World, owner: Person, browser: Browser) -> None:
    project = upload(owner, archive(issues=ISSUES), path=world.name("kept")).json()
    address = f"/{project['path_with_namespace']}/-/import"
    cancelled = browser.send(browser.open(address), "/import/cancel")
    world.run_jobs()
    assert state(owner, project) == "canceled"
    table, mine = project_imports, project_imports.c.project_id == project["id"]
    with world.server.services.db.write() as tx:
        assert end_old_cancelled_imports(tx) == 0
        key = tx.execute(select(table.c.blob_key).where(mine)).scalar_one()
        tx.execute(update(table).where(mine).values(updated_at=now() - KEPT - timedelta(hours=1)))
        assert end_old_cancelled_imports(tx) == 1
    world.run_jobs()

    assert not world.server.services.blobs.exists(key)
    page = browser.open(address)
    assert ("Resume" in page.text, browser.send(cancelled, "/import/retry").status) == (False, 409)
    other = Browser(world.server)
    other.enter_by_link(world.user().username)
    assert other.http.post(f"{address}/cancel").status_code in (403, 404)


def test_a_fork_is_cancelled_and_tried_again(world: World, owner: Person, browser: Browser) -> None:
    source = world.project(owner, initialize_with_readme=True)
    world.run_jobs()
    body = {"path": world.name("fork"), "name": world.name("fork")}
    fork = owner.client.ok("POST", f"/projects/{source['id']}/fork", json=body)
    address = f"/{fork['path_with_namespace']}/-/import"

    cancelled = browser.send(browser.open(address), "/import/cancel")
    world.run_jobs()
    before = owner.client.ok("GET", f"/projects/{fork['id']}")
    browser.send(cancelled, "/import/retry")
    world.run_jobs()
    after = owner.client.ok("GET", f"/projects/{fork['id']}")

    # What was pushed meanwhile is not replaced.
    other = owner.client.ok(
        "POST", f"/projects/{source['id']}/fork", json={"path": world.name("p"), "name": world.name("p")}
    )
    place = f"/{other['path_with_namespace']}/-/import"
    stopped = browser.send(browser.open(place), "/import/cancel")
    with world.server.services.db.read() as conn:
        row = conn.execute(select(projects).where(projects.c.id == other["id"])).one()
    settle(world.server.services, row)
    file = {"branch": "main", "content": "mine", "commit_message": "Mine"}
    owner.client.ok("POST", f"/projects/{other['id']}/repository/files/mine.txt", json=file)
    world.run_jobs()
    assert (browser.send(stopped, "/import/retry").status, "Try again" in browser.open(place).text) == (409, False)

    assert [(one["import_status"], one["empty_repo"]) for one in (before, after)] == [
        ("canceled", True), ("finished", False),
    ]  # fmt: skip


def test_the_import_of_one_relation_is_cancelled(world: World, owner: Person, browser: Browser) -> None:
    project = world.project(owner)
    sent = owner.client.post(
        "/projects/import-relation",
        data={"path": project["path_with_namespace"], "relation": "issues"},
        files={"file": ("archive.tar.gz", archive(issues=ISSUES), "application/gzip")},
    )
    assert sent.status_code == 201
    address = f"/{project['path_with_namespace']}/-/import"

    shown = browser.send(browser.open(address), "/cancel")
    world.run_jobs()

    (part,) = owner.client.ok("GET", f"/projects/{project['id']}/relation-imports")
    assert (part["status"], "Failed Issues" in shown.text) == ("failed", True)
    assert owner.client.ok("GET", f"/projects/{project['id']}/issues") == []


def test_the_time_left_is_told_once_there_is_a_pace() -> None:
    assert Counted("records", 50, 110, 10, since=100.0, at=120.0).seconds_left == 30
    for unknown in (
        Counted(),
        Counted("archive", 50, 0, 0, 100.0, 120.0),
        Counted("records", 50, 100, 10, 100.0, 104.0),
    ):
        assert unknown.seconds_left is None
