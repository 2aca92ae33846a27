"""Lists that continue by a key: following the links yields what pages by number do, each record once."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.client import Client
from tests.support.world import Person, World

PERIOD = {"freeze_start": "0 0 1 1 *", "freeze_end": "0 0 2 1 *"}
TOKEN = {"name": "Read", "scopes": ["read_repository"]}


@pytest.fixture(scope="module")
def owner(open_world: World) -> Person:
    """Who has three of everything."""
    return open_world.user()


@pytest.fixture(scope="module")
def place(open_world: World, owner: Person) -> str:
    """A project with three of everything."""
    project = open_world.project(owner)
    here, client = f"/projects/{project['id']}", owner.client
    for number in range(3):
        name = f"Three {number}"
        client.ok("POST", f"{here}/hooks", json={"url": f"https://{number}.example.com"})
        client.ok("POST", f"{here}/freeze_periods", json=PERIOD)
        client.ok("POST", f"{here}/deploy_tokens", json=TOKEN)
        client.ok("POST", f"{here}/boards", json={"name": "Same" if number else "First"})
        client.ok("POST", f"{here}/remote_mirrors", json={"url": f"https://{number}.example.com/a.git"})
        client.ok(
            "POST",
            f"{here}/external_status_checks",
            json={"name": name, "external_url": f"https://{number}.example.com"},
        )
        open_world.admin.ok("POST", "/broadcast_messages", json={"message": name})
    labels = {"title": "Labelled", "labels": "one,two,three"}
    client.ok("POST", f"{here}/issues", json=labels)
    for number in range(2):
        client.ok("POST", f"{here}/issues", json={"title": f"Issue {number}"})
    return here


def by_key(client: Client, path: str, **params: Any) -> Iterator[httpx.Response]:
    """The pages of one record, until there is no next one."""
    page = client.get(path, pagination="keyset", per_page=1, **params)
    yield page
    while "next" in page.links:
        page = client.request("GET", page.links["next"]["url"])
        yield page


@pytest.mark.parametrize(
    "path",
    [
        "hooks", "freeze_periods", "deploy_tokens", "remote_mirrors", "external_status_checks",
        "issues/1/resource_label_events", "events", "/events", "/broadcast_messages", "boards",
    ],
)  # fmt: skip
def test_pages_by_key_have_what_pages_by_number_have(owner: Person, place: str, path: str) -> None:
    whole = path if path.startswith("/") else f"{place}/{path}"

    pages = list(by_key(owner.client, whole))

    ids = [record["id"] for page in pages for record in page.json()]
    assert ids == [record["id"] for record in owner.client.ok("GET", f"{whole}?per_page=100")]
    assert len(ids) == len(set(ids)) >= 3
    assert all(len(page.json()) <= 1 and "X-Total" not in page.headers for page in pages)


def test_events_by_key_may_be_oldest_first_and_a_strange_cursor_is_refused(owner: Person, place: str) -> None:
    pages = list(by_key(owner.client, f"{place}/events", sort="asc"))

    ids = [record["id"] for page in pages for record in page.json()]
    assert ids == sorted(ids)
    refused = owner.client.get(f"{place}/hooks", pagination="keyset", cursor="x")
    assert (refused.status_code, refused.json()) == (400, {"error": "cursor is invalid"})
