"""Lists that continue by a key: following the links yields what pages by number do, each record once."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest

from tests.support.client import Client
from tests.support.world import Person, World

PERIOD = {"freeze_start": "0 0 1 1 *", "freeze_end": "0 0 2 1 *"}
MAINTAINERS = [{"access_level": 40}]
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


@pytest.fixture(scope="module")
def shared(open_world: World, owner: Person) -> dict[str, str]:
    """A group with a project, which have three of everything else; nothing is pushed once they have integrations."""
    group = open_world.group(owner)
    project = open_world.project(owner, namespace_id=group["id"], initialize_with_readme=True)
    request = open_world.merge_request(project, owner)
    above, here, client = f"/groups/{group['id']}", f"/projects/{project['id']}", owner.client
    client.ok("POST", f"{here}/issues", json={"title": "Labelled", "labels": "one,two,three"})
    board = f"{here}/boards/{client.ok('POST', f'{here}/boards', json={'name': 'Board'})['id']}"
    for label in client.ok("GET", f"{here}/labels"):
        client.ok("POST", f"{board}/lists", json={"label_id": label["id"]})
    for number, change in enumerate(("close", "reopen", "close")):
        name, url = f"three-{number}", f"https://{number}.example.com"
        client.ok("PUT", f"{here}/issues/1", json={"state_event": change})
        client.ok("PUT", f"{here}/merge_requests/{request['iid']}", json={"state_event": change})
        client.ok("POST", f"{here}/feature_flags", json={"name": name})
        client.ok("POST", f"{here}/feature_flags_user_lists", json={"name": name, "user_xids": "1"})
        client.ok("POST", f"{here}/protected_environments", json={"name": name, "deploy_access_levels": MAINTAINERS})
        client.ok("POST", f"{here if number else above}/badges", json={"link_url": url, "image_url": url})
        client.ok("POST", f"{above}/service_accounts", json={"username": open_world.name("account")})
        client.ok("POST", f"{here}/releases", json={"tag_name": name, "ref": "main", "released_at": "2026-01-31"})
        client.ok("POST", f"{here}/releases/three-0/assets/links", json={"name": name, "url": url})
    client.ok("PUT", f"{above}/integrations/slack", json={"webhook": "https://example.com"})
    client.ok("PUT", f"{here}/integrations/emails-on-push", json={"recipients": "a@example.com"})
    client.ok("PUT", f"{here}/integrations/pipelines-email", json={"recipients": "a@example.com"})
    return {"group": above, "project": here, "board": board, "request": f"{here}/merge_requests/{request['iid']}"}


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
    check(owner.client, path if path.startswith("/") else f"{place}/{path}")


@pytest.mark.parametrize(
    "path",
    [
        "{project}/feature_flags", "{project}/feature_flags_user_lists", "{project}/protected_environments",
        "{project}/badges", "{project}/integrations", "{project}/releases/three-0/assets/links", "{board}/lists",
        "{project}/issues/1/resource_state_events", "{request}/resource_state_events", "{group}/releases",
        "{group}/service_accounts", "{group}/service_accounts?order_by=username&sort=asc",
    ],
)  # fmt: skip
def test_pages_by_key_of_what_groups_share(owner: Person, shared: dict[str, str], path: str) -> None:
    check(owner.client, path.format(**shared))


def name_of(record: dict[str, Any]) -> tuple[object, ...]:
    """What tells a record from the others of its list."""
    return tuple(record.get(key) for key in ("id", "kind", "slug", "name"))


def check(client: Client, path: str) -> None:
    """Pages by key and by number have the same three or more."""
    path, _, query = path.partition("?")
    params = dict(parse_qsl(query))
    pages = list(by_key(client, path, **params))

    names = [name_of(record) for page in pages for record in page.json()]
    assert names == [name_of(record) for record in client.get(path, per_page=100, **params).json()]
    assert len(names) == len(set(names)) >= 3
    assert all(len(page.json()) <= 1 and "X-Total" not in page.headers for page in pages)


def test_events_by_key_may_be_oldest_first_and_a_strange_cursor_is_refused(owner: Person, place: str) -> None:
    pages = list(by_key(owner.client, f"{place}/events", sort="asc"))

    ids = [record["id"] for page in pages for record in page.json()]
    assert ids == sorted(ids)
    refused = owner.client.get(f"{place}/hooks", pagination="keyset", cursor="x")
    assert (refused.status_code, refused.json()) == (400, {"error": "cursor is invalid"})
