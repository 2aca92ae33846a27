"""An identity provider reads what it keeps: lists, filters, single people, and requests that cannot be read."""

from dataclasses import replace
from urllib.parse import quote

import httpx
import pytest

from tests.features.people.scim.provider_side import ScimGroup, make_scim_group, refusal
from tests.support import plain_http
from tests.support.server import RunningServer
from tests.support.world import World


def test_lists_come_in_pages(world: World, acme: ScimGroup) -> None:
    uids = [world.name("page") for _ in range(5)]
    for uid in uids:
        acme.create(uid)

    def page(**params: str) -> tuple[int, int, int, list[str]]:
        body = acme.request("GET", params=params).json()
        assert body["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:ListResponse"]
        ids = [one["id"] for one in body["Resources"]]
        return body["totalResults"], body["itemsPerPage"], body["startIndex"], ids

    assert page() == (5, 20, 1, uids)
    assert page(startIndex="2", count="2") == (5, 2, 2, uids[1:3])
    assert page(startIndex="-7", count="1") == (5, 1, 1, uids[:1])
    assert page(startIndex="0") == (5, 20, 1, uids)
    assert page(startIndex="9" * 40, count="9" * 40) == (5, 100, 2**31 - 1, [])
    assert page(count="0") == (5, 0, 1, [])
    assert page(count="-3") == (5, 0, 1, [])
    assert page(startIndex="", count="", filter=" ") == (5, 20, 1, uids)


def test_filters_find_one_person(world: World, acme: ScimGroup) -> None:
    uid, name = world.name("Find.Me"), world.name("findme")
    acme.create(uid, f"{name}@scim.example", userName=name)
    acme.create(world.name("other"))
    make_scim_group(world).create(world.name("elsewhere"), userName=world.name("x"))

    for condition in (
        f'id eq "{uid}"',
        f"id eq {uid}",
        f'externalId Eq "{uid.upper()}"',
        f'userName eq "{name}"',
        f'USERNAME EQ "{name.upper()}"',
        f'userName eq "{name}@scim.example"',
        f'emails.value eq "{name}@scim.example"',
        f'emails[type eq "work"].value eq "{name}@scim.example"',
        f'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "{name}"',
    ):
        result = acme.request("GET", params={"filter": condition}).json()
        assert [one["id"] for one in result["Resources"]] == [uid], condition
        assert result["totalResults"] == 1
    for missing in ('id eq "nobody"', 'userName eq "%"', f'userName eq "{acme.org.owner.username}"', 'id eq ""'):
        assert acme.request("GET", params={"filter": missing}).json()["Resources"] == []


@pytest.mark.parametrize(
    "body",
    [
        "id",
        "id eq",
        'id eq "a',
        'id eq "\\q"',
        'id eq "\\ud800"',
        'id co "a"',
        'active eq "true"',
        'id eq "a" and userName eq "b"',
        'not (id eq "a")',
        "((((",
        "x" * 3000,
        '"' * 1999,
        "id eq " + '"' + "\\" * 1500,
        'password eq "x"',
    ],
)
def test_other_filters_are_refused(acme: ScimGroup, body: str) -> None:
    answer = acme.request("GET", params={"filter": body})
    assert refusal(answer)[0] == 400
    assert answer.json()["scimType"] == "invalidFilter"


def test_odd_numbers_are_refused(acme: ScimGroup) -> None:
    for params in ({"count": "x"}, {"startIndex": "1.5"}, {"count": "²"}, {"startIndex": "--1"}):
        assert refusal(acme.request("GET", params=params))[0] == 400


def test_one_person_is_read(world: World, acme: ScimGroup) -> None:
    uid = world.name("single")
    created = acme.create(uid).json()
    answer = acme.get(uid)
    assert (answer.status_code, answer.json()) == (200, created)
    assert answer.headers["x-request-id"]
    assert acme.request("HEAD", f"/{uid}").status_code == 200
    assert refusal(acme.get("nobody")) == (404, "Resource nobody not found")


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b'"x"', b"null", b"5", b"\xff\xfe", b'{"externalId": "a\\u0000b"}',
        b'{"externalId": "\\ud800"}', b"[" * 100_000, b'{"a":' * 50_000,
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_bodies_that_are_no_json_objects_are_refused(acme: ScimGroup, method: str, body: bytes) -> None:
    path = "" if method == "POST" else "/x"
    answer = acme.request(method, path, content=body, headers={"Content-Type": "application/scim+json"})
    assert refusal(answer)[0] == 400
    assert answer.json()["scimType"] == "invalidSyntax"


def test_other_types_methods_paths_and_sizes_are_refused(acme: ScimGroup) -> None:
    assert refusal(acme.request("POST", data={"externalId": "x"}))[0] == 415
    assert refusal(acme.request("POST", content=b" " * (1024 * 1024 + 1)))[0] == 413
    wrong = acme.request("PUT", "/x", json={})
    assert (refusal(wrong), wrong.headers["allow"]) == ((405, "Method Not Allowed"), "GET, HEAD, PATCH, DELETE")
    assert refusal(acme.request("DELETE"))[0] == 405
    assert acme.request("GET", "/").status_code == 200  # a trailing slash
    assert refusal(acme.request("GET", "/a/b"))[0] == 404
    assert refusal(acme.request("GET", "/%00"))[0] == 400
    assert refusal(acme.request("GET", "/%ff"))[0] == 400
    assert refusal(acme.get("x" * 5000))[0] == 404
    base = acme.url.partition("/groups/")[0]
    for path in ("/", "/Users", "/groups", "/groups/x", "/groups/x/Groups", "/application/Users"):
        answer = plain_http.get(base + path, verify=False)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/scim+json"), path


def test_nobody_learns_whether_a_group_is_there(acme: ScimGroup) -> None:
    base = acme.url.rpartition("/")[0]

    def ask(path: str, token: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"}
        return plain_http.get(f"{base}/{path}/Users", headers=headers, verify=False)

    for path in (acme.org.path, "no-such-group", quote(f"{acme.org.path}/team", safe="")):
        assert refusal(ask(path, "wrong")) == (401, "Unauthorized")
    assert ask("no-such-group", acme.token).status_code == 401
    assert ask(acme.org.path.upper(), acme.token).status_code == 200


def test_the_free_tier_has_no_scim(world: World, acme: ScimGroup, server: RunningServer) -> None:
    settings = server.services.settings
    server.services.settings = replace(settings, tier="free")
    try:
        assert refusal(acme.request("GET"))[0] == 404
        assert acme.org.owner.client.get(f"/groups/{acme.org.id}/scim/identities").status_code == 404
        assert acme.org.owner.client.get(f"/groups/{acme.org.id}/scim_token").status_code == 404
    finally:
        server.services.settings = settings
    assert world.server is server
