"""Hosts spelled so that two programs read them differently: what was checked is what is stored and what git dials."""

# ruff: noqa: RUF001 - look-alike letters are the attack

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ingot.features.transfer.project_exports.tables import project_exports
from ingot.gitstore import GitError
from ingot.gitstore.remote import Remote
from ingot.kit.outbound import Outbound
from ingot.kit.outbound.addresses import LOOPBACK
from ingot.kit.sealing import unseal
from tests.kit.outbound.servers import StoryTeller
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

LOCAL = ["１２７.0.0.1", "１２７。０。０。１", "ｌocalhost", "ⓛocalhost", "①②⑦.1", "localhost。"]
ESCAPED = ["%6cocalhost", "127.0.0.1%00.example.com", "example.com%40x", "[fe80::1%25eth0]", "127%2e0%2e0%2e1"]
INVALID = "Hostname or IP address invalid"


@pytest.fixture(scope="module")
def open_world(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server that may call local addresses, and whose name server knows every name as this machine."""
    data: Path = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, outbound_allow_local=True) as running:
        running.services.outbound = Outbound(resolver=StoryTeller(["127.0.0.1"]))
        yield World(running)


@pytest.fixture(scope="module")
def source(open_world: World) -> dict[str, Any]:
    return open_world.project(open_world.user(), visibility="public", initialize_with_readme=True)


def import_from(world: World, person: Person, source: dict[str, Any], host: str) -> dict[str, Any]:
    project = world.project(person, import_url=source["http_url_to_repo"].replace("127.0.0.1", host))
    return until(
        lambda: (
            (read := person.client.ok("GET", f"/projects/{project['id']}"))["import_status"] in ("finished", "failed")
            and read
        )
    )


@pytest.mark.parametrize(
    ("host", "stored"),
    [
        ("bücher.example", "xn--bcher-kva.example"),
        ("FAẞ.example", "xn--fa-hia.example"),  # older rules make this `fass.example`: another host
        ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
        ("bücher.example.", "xn--bcher-kva.example"),
        ("ｇit.example", "git.example"),
    ],
)
def test_git_dials_the_checked_address_of_an_international_name(
    open_world: World, source: dict[str, Any], host: str, stored: str
) -> None:
    done = import_from(open_world, open_world.user(), source, host)

    # No name server outside the test knows these names: had git asked one, the import had failed.
    assert (done["import_status"], done["import_error"]) == ("finished", None)
    assert done["import_url"] == source["http_url_to_repo"].replace("127.0.0.1", stored)
    assert done["default_branch"] == "main"


@pytest.mark.parametrize(("host", "stored"), [("１２７.0.0.1", "127.0.0.1"), ("ｌocalhost", "localhost")])
def test_wide_letters_are_stored_as_what_they_mean(
    open_world: World, source: dict[str, Any], host: str, stored: str
) -> None:
    person = open_world.user()
    created = import_from(open_world, person, source, host)
    edited = open_world.project(person)
    address = source["http_url_to_repo"].replace("127.0.0.1", host)
    person.client.ok("PUT", f"/projects/{edited['id']}", json={"import_url": address, "mirror": True})

    shown = person.client.ok("GET", f"/projects/{edited['id']}")
    assert {created["import_url"], shown["import_url"]} == {source["http_url_to_repo"].replace("127.0.0.1", stored)}


@pytest.mark.parametrize("host", LOCAL)
def test_local_hosts_are_blocked_in_every_spelling(world: World, host: str) -> None:
    person = world.user()

    answer = person.client.post("/projects", json={"name": world.name("x"), "import_url": f"http://{host}/a.git"})
    remote = person.client.post(
        "/projects/remote-import", json={"path": world.name("x"), "url": f"https://{host}/a.tar.gz"}
    )

    assert answer.json() == {"message": {"import_url": [f"is blocked: {LOOPBACK}"]}}
    assert (answer.status_code, remote.status_code) == (400, 400)
    assert remote.json()["message"] == f"File url is blocked: {LOOPBACK}"


@pytest.mark.parametrize("host", ESCAPED)
def test_escapes_in_host_names_are_refused(world: World, host: str) -> None:
    person = world.user()
    project = world.project(person, initialize_with_readme=True)
    here = f"/projects/{project['id']}"
    url = f"https://{host}/file"
    configuration = f"include:\n  - remote: '{url}.yml'\njob:\n  script: x\n"

    created = person.client.post("/projects", json={"name": world.name("x"), "import_url": url})
    edited = person.client.put(here, json={"import_url": url, "mirror": True})
    fetched = person.client.post("/projects/remote-import", json={"path": world.name("x"), "url": url})
    exported = person.client.post(f"{here}/export", json={"upload": {"url": url}})
    linted = person.client.ok("POST", f"{here}/ci/lint", json={"content": configuration})

    for answer in (created, edited, fetched, exported):
        assert answer.status_code in (400, 422), answer.text
        assert INVALID in answer.text or "URI is invalid" in answer.text
    assert not linted["valid"]
    assert any(INVALID in error or "URI is invalid" in error for error in linted["errors"]), linted["errors"]


def test_an_upload_address_is_stored_as_it_is_dialled(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, worker=False) as running:
        world = World(running)
        person = world.user()
        project = world.project(person)
        upload = {"url": "https://bücher.example/drop?signature=a%20b"}

        person.client.ok("POST", f"/projects/{project['id']}/export", json={"upload": upload})

        with running.services.db.read() as conn:
            sealed = conn.execute(select(project_exports.c.sealed_upload_url)).scalar_one()
        assert unseal(running.services, sealed) == "https://xn--bcher-kva.example/drop?signature=a%20b"


@pytest.mark.parametrize("host", ["bücher.example", "ｌocalhost", "a%62c.example", "a b"])
def test_git_is_given_no_other_spelling(host: str) -> None:
    with pytest.raises(GitError, match="must contain only ASCII"):
        _ = Remote(f"https://{host}/a.git", "192.0.2.1").config
