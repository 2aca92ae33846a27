"""Logins of mirrors, through the API and the pages: the other side is this server, which asks for user and password."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import update

from ingot.kit.clock import now
from ingot.kit.jobs.tables import QUEUED, jobs
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

PASSWORD, ANOTHER = "p@ss:w/rd %41 é", "an0ther:w@rd#"


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that may call local addresses."""
    data: Path = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, outbound_allow_local=True) as running:
        yield running


@pytest.fixture
def owner(world: World) -> Person:
    return world.user(force_random_password=False, password=PASSWORD)


@pytest.fixture
def browser(world: World, owner: Person) -> Browser:
    result = Browser(world.server)
    result.enter_by_link(owner.username)
    return result


@pytest.fixture
def origin(world: World, owner: Person) -> dict[str, Any]:
    """A private project with a file."""
    return world.project(owner, initialize_with_readme=True)


def address(project: dict[str, Any], login: str) -> str:
    return str(project["http_url_to_repo"]).replace("://", f"://{login}@")


def login_of(person: Person, password: str) -> str:
    return f"{person.username}:{quote(password, safe='')}"


def heads(person: Person, project: dict[str, Any]) -> dict[str, str]:
    rows = person.client.ok("GET", f"/projects/{project['id']}/repository/branches")
    return {row["name"]: row["commit"]["id"] for row in rows}


def add_branch(person: Person, project: dict[str, Any], name: str) -> None:
    person.client.ok("POST", f"/projects/{project['id']}/repository/branches", json={"branch": name, "ref": "main"})


def reader(world: World, project: dict[str, Any], password: str) -> Person:
    """Somebody who may fetch the project."""
    person = world.user(force_random_password=False, password=password)
    world.member(project, person, "developer")
    return person


def settings_page(browser: Browser, project: dict[str, Any]) -> Visit:
    return browser.open(f"/{project['path_with_namespace']}/-/settings/repository")


@pytest.mark.parametrize("kind", ["password", "token and name", "token alone"])
def test_the_login_of_an_address_opens_the_repository(
    world: World, owner: Person, origin: dict[str, Any], kind: str
) -> None:
    logins = {"password": login_of(owner, PASSWORD), "token and name": f"x:{owner.token}", "token alone": owner.token}
    created = world.project(owner, import_url=address(origin, logins[kind]), mirror=True)
    world.run_jobs()
    assert owner.client.ok("GET", f"/projects/{created['id']}")["import_error"] is None
    assert heads(owner, created) == heads(owner, origin)

    add_branch(owner, origin, "later")
    assert owner.client.post(f"/projects/{created['id']}/mirror/pull").status_code == 200
    world.run_jobs()
    assert heads(owner, created) == heads(owner, origin)


@pytest.mark.parametrize("through", ["api", "page"])
def test_a_changed_login_is_used_and_the_rest_of_it_stays(
    world: World, owner: Person, origin: dict[str, Any], browser: Browser, through: str
) -> None:
    mirror = world.project(owner)
    pull = f"/projects/{mirror['id']}/mirror/pull"

    def change(fields: dict[str, str]) -> None:
        if through == "api":
            owner.client.ok("PUT", pull, json=fields)
        else:
            sent = browser.send(settings_page(browser, mirror), "/pull_login", **fields)
            assert sent.status == 200
            assert not any(value in sent.response.text for name, value in fields.items() if name == "auth_password")
        world.run_jobs()

    begin_mirror(owner, browser, mirror, origin, through)
    world.run_jobs()
    state = owner.client.ok("GET", pull)
    assert (state["update_status"], state["url"]) == ("failed", origin["http_url_to_repo"])

    first, second = reader(world, origin, PASSWORD), reader(world, origin, ANOTHER)
    change({"auth_user": first.username, "auth_password": PASSWORD})
    assert owner.client.ok("GET", pull)["last_error"] is None
    assert heads(owner, mirror) == heads(owner, origin)

    world.admin.ok("PUT", f"/users/{first.id}", json={"password": ANOTHER})
    add_branch(owner, origin, "later")
    change({"auth_password": ANOTHER})
    assert owner.client.ok("GET", pull)["last_error"] is None
    assert heads(owner, mirror) == heads(owner, origin)

    world.admin.ok("POST", f"/users/{first.id}/block")
    change({"auth_user": second.username})
    assert owner.client.ok("GET", pull)["last_error"] is None


def begin_mirror(owner: Person, browser: Browser, mirror: dict[str, Any], origin: dict[str, Any], through: str) -> None:
    """Follow the origin, as far as that goes without its login."""
    if through == "api":
        body = {"url": origin["http_url_to_repo"], "enabled": True, "auth_user": "nobody", "auth_password": "wrong"}
        owner.client.ok("PUT", f"/projects/{mirror['id']}/mirror/pull", json=body)
        return
    url = address(origin, login_of(owner, PASSWORD))
    saved = browser.send(settings_page(browser, mirror), "/pull_mirror", mirror="true", import_url=url)
    assert (saved.status, quote(PASSWORD, safe="") in saved.response.text) == (200, False)
    body = {"auth_user": "nobody", "auth_password": "wrong"}
    assert browser.send(saved, "/pull_login", **body).status == 200


def test_another_address_is_not_told_the_login(world: World, owner: Person, origin: dict[str, Any]) -> None:
    mirror, other = world.project(owner), world.project(owner, initialize_with_readme=True)
    pull = f"/projects/{mirror['id']}/mirror/pull"
    body = {"url": address(origin, login_of(owner, PASSWORD)), "enabled": True}
    owner.client.ok("PUT", pull, json=body)
    world.run_jobs()
    assert owner.client.ok("GET", pull)["update_status"] == "finished"

    # The same address without its login keeps it, also with another setting.
    owner.client.ok("PUT", pull, json={"url": origin["http_url_to_repo"], "mirror_trigger_builds": True})
    world.run_jobs()
    assert owner.client.ok("GET", pull)["update_status"] == "finished"
    owner.client.ok("PUT", pull, json={"url": other["http_url_to_repo"]})
    world.run_jobs()
    assert owner.client.ok("GET", pull)["update_status"] == "failed"


@pytest.mark.parametrize("through", ["api", "page"])
def test_an_edited_push_mirror_goes_to_its_new_address_with_its_login(
    world: World, owner: Person, origin: dict[str, Any], browser: Browser, through: str
) -> None:
    first, second = world.project(owner), world.project(owner)
    path = f"/projects/{origin['id']}/remote_mirrors"
    mirror = owner.client.ok("POST", path, json={"url": address(first, login_of(owner, PASSWORD)), "enabled": True})
    world.run_jobs()
    assert heads(owner, first) == heads(owner, origin)

    def change(url: str) -> str:
        if through == "api":
            owner.client.ok("PUT", f"{path}/{mirror['id']}", json={"url": url})
        else:
            page = settings_page(browser, origin)
            form = browser.open(f"{page.path}?section=push_mirrors&edit={mirror['id']}")
            sent = browser.send(form, "/push_mirrors/edit", url=url)
            assert (sent.status, url in sent.response.text) == (200, False)
        with world.server.services.db.write() as tx:  # a pause before the next attempt is over
            tx.execute(update(jobs).where(jobs.c.state == QUEUED).values(run_after=now()))
        world.run_jobs()
        return str(owner.client.ok("GET", f"{path}/{mirror['id']}")["update_status"])

    assert change(address(second, f"{owner.username}:wrong")) == "to_retry"
    assert heads(owner, second) == {}
    assert change(address(second, login_of(owner, PASSWORD))) == "finished"
    assert heads(owner, second) == heads(owner, origin)
    # What the mirror has of its own goes with the next update.
    add_branch(owner, second, "theirs")
    assert change(address(second, owner.token)) == "finished"
    assert heads(owner, second) == heads(owner, origin)

    add_branch(owner, origin, "later")
    world.run_jobs()
    assert "later" in heads(owner, second)
    assert "later" not in heads(owner, first)
    shown = owner.client.ok("GET", f"{path}/{mirror['id']}")
    assert shown["url"] == second["http_url_to_repo"].replace("://", "://*****@")
