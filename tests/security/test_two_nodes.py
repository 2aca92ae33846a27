"""Attacks that try the second node: what one node has seen, ended or changed counts on the other."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

from ingot.identity.sign_in_links import create_sign_in_path
from ingot.kit.rate_windows import rate_windows
from tests.features.people.saml.signing_in import TOKENS, about
from tests.features.people.scim.provider_side import ScimGroup, make_scim_group
from tests.security.saml_groups import make_group
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World
from tests.web.browsing import Browser


@pytest.fixture(scope="module")
def nodes(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[RunningServer, RunningServer]]:
    folder: Path = tmp_path_factory.mktemp("nodes")
    url = databases.fresh(folder)
    with RunningServer(url, folder) as one, RunningServer(url, folder) as two:
        yield one, two


def deliver(node: RunningServer, path: str, response: str) -> httpx.Response:
    """Post a SAML response to one of the nodes."""
    return plain_http.post(f"{node.url}/groups/{path}/-/saml/callback", data={"SAMLResponse": response})


def test_an_assertion_is_used_once_on_all_nodes(nodes: tuple[RunningServer, RunningServer], tmp_path: Path) -> None:
    one, two = nodes
    world = World(one)
    group = make_group(world, tmp_path)
    name = world.name("replayed")
    response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name))

    assert deliver(two, group.org.path, response).status_code == 303

    for node in nodes:
        refused = deliver(node, group.org.path, response)
        assert refused.status_code == 403
        assert "already used" in refused.text


def test_a_request_of_one_node_is_answered_once_on_any(
    nodes: tuple[RunningServer, RunningServer], tmp_path: Path
) -> None:
    one, two = nodes
    world = World(one)
    group = make_group(world, tmp_path)
    name = world.name("asked")
    asked = plain_http.get(f"{group.saml}/sso")
    request_id, consumer_url, _ = group.idp.read_request(asked.headers["location"])
    first, second = (
        group.idp.response(name, consumer_url, in_response_to=request_id, attributes=about(name)) for _ in range(2)
    )

    assert deliver(two, group.org.path, first).status_code == 303
    assert deliver(one, group.org.path, second).status_code == 403


def test_a_session_ends_on_all_nodes_at_once(nodes: tuple[RunningServer, RunningServer], tmp_path: Path) -> None:
    one, two = nodes
    world = World(one)
    group = make_group(world, tmp_path)
    name = world.name("blocked")
    response = group.idp.response(name, f"{group.saml}/callback", attributes=about(name))
    cookie = {"_ingot_session": deliver(one, group.org.path, response).cookies["_ingot_session"]}
    assert plain_http.get(f"{two.url}{TOKENS}", cookies=cookie).status_code == 200
    user_id = world.admin.get("/users", username=name).json()[0]["id"]

    world.admin.ok("POST", f"/users/{user_id}/block")

    ended = plain_http.get(f"{two.url}{TOKENS}", cookies=cookie)
    assert (ended.status_code, ended.headers["Location"].partition("?")[0]) == (302, "/users/sign_in")


def test_a_replaced_scim_token_is_dead_on_all_nodes_at_once(nodes: tuple[RunningServer, RunningServer]) -> None:
    one, two = nodes
    group = make_scim_group(World(one))
    there = ScimGroup(group.org, group.url.replace(one.url, two.url), group.token)
    assert there.request("GET").status_code == 200

    group.org.owner.client.ok("POST", f"/groups/{group.org.id}/scim_token")

    assert there.request("GET").status_code == 401


def test_a_token_revoked_through_the_api_is_dead_on_all_nodes_at_once(
    nodes: tuple[RunningServer, RunningServer],
) -> None:
    one, two = nodes
    person = World(one).user()
    there = two.client(person.token)
    assert there.get("/user").status_code == 200

    person.client.ok("DELETE", "/personal_access_tokens/self")

    assert person.client.get("/user").status_code == 401
    assert there.get("/user").status_code == 401


def test_the_window_of_a_rate_limit_is_shared(nodes: tuple[RunningServer, RunningServer]) -> None:
    one, two = nodes
    admin = World(one).admin
    name = "throttle_unauthenticated_api"
    limits = {f"{name}_enabled": True, f"{name}_requests_per_period": 6, f"{name}_period_in_seconds": 3600}
    admin.ok("PUT", "/application/settings", json=limits)

    def statuses() -> set[int]:
        return {node.client(None).get("/version").status_code for node in (one, two)}

    try:
        until(lambda: statuses() == {429})
    finally:
        admin.ok("PUT", "/application/settings", json={f"{name}_enabled": False})
        # Nodes read limits anew within a second; the tests after this one must not meet the old one.
        until(lambda: statuses() == {401})


def test_a_sign_in_link_works_once_on_any_node(nodes: tuple[RunningServer, RunningServer]) -> None:
    one = nodes[0]
    person = World(one).user()
    with one.services.db.write() as tx:
        path = create_sign_in_path(tx, person.id)
    browsers = [Browser(node) for node in nodes]
    forms = [browser.open(path) for browser in browsers]

    statuses = [browser.send(form, path).status for browser, form in zip(browsers, forms, strict=True)]

    assert statuses == [200, 404]


def test_attempts_at_a_password_are_counted_together(nodes: tuple[RunningServer, RunningServer]) -> None:
    person = World(nodes[0]).user(password="Right-Password-47", force_random_password=False)

    for node in nodes:
        assert Browser(node).sign_in(person.username, "wrong").status == 401

    with nodes[1].services.db.read() as conn:
        tried = select(func.sum(rate_windows.c.observed)).where(rate_windows.c.key == f"password:{person.id}")
        assert conn.execute(tried).scalar_one() == 2


def test_what_is_taken_from_a_person_is_closed_on_all_nodes_at_once(nodes: tuple[RunningServer, RunningServer]) -> None:
    """A membership, a deploy token and the issues of a public project, while the other node still knows the caller."""
    one, two = nodes
    world = World(one)
    member, outsider = world.user(), world.user()
    private = world.project(initialize_with_readme=True)
    public = world.project(visibility="public")
    world.admin.ok("POST", f"/projects/{public['id']}/issues", json={"title": "Seen"})
    world.member(private, member, "developer")
    place, fetch = f"/projects/{private['id']}", f"{two.url}/{private['path_with_namespace']}.git/info/refs"
    options = {"name": "fetch", "username": "fetch", "scopes": ["read_repository"]}
    token = world.admin.ok("POST", f"{place}/deploy_tokens", json=options)

    def statuses() -> list[int]:
        credentials = ("fetch", token["token"])
        return [
            two.client(member.token).get(place).status_code,
            plain_http.get(fetch, params={"service": "git-upload-pack"}, auth=credentials).status_code,
            two.client(outsider.token).get(f"/projects/{public['id']}/issues/1").status_code,
        ]

    assert statuses() == [200, 200, 200]

    world.admin.ok("DELETE", f"{place}/members/{member.id}")
    world.admin.ok("DELETE", f"{place}/deploy_tokens/{token['id']}")
    world.admin.ok("PUT", f"/projects/{public['id']}", json={"issues_access_level": "private"})

    assert statuses() == [404, 401, 404]
