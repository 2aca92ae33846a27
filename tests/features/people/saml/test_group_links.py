"""SAML group links."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import gitlab
import pytest

from tests.features.people.saml.organisation import Organisation, make_organisation
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

UNAUTHORIZED = (401, {"message": "401 Unauthorized"})
SEVERAL = "Multiple group links found with the same name. Please specify a provider parameter to disambiguate."


def path(org: Organisation, name: str | None = None) -> str:
    base = f"/groups/{org.id}/saml_group_links"
    return base if name is None else f"{base}/{quote(name, safe='')}"


def link(org: Organisation, name: str, level: int = 30, **more: object) -> dict:
    created: dict = org.owner.client.ok(
        "POST", path(org), json={"saml_group_name": name, "access_level": level, **more}
    )
    return created


def test_links_are_made_listed_read_and_removed(org: Organisation) -> None:
    client = org.owner.client

    created = client.post(path(org), json={"saml_group_name": " saml-group-1 ", "access_level": 20})

    expected = {"name": "saml-group-1", "access_level": 20, "provider": None, "member_role_id": None}
    assert (created.status_code, created.json()) == (201, expected)
    second = link(org, "saml-group-2", 40)
    assert client.ok("GET", path(org)) == [expected, second]
    assert client.ok("GET", path(org, "saml-group-1")) == expected
    removed = client.delete(path(org, "saml-group-1"))
    assert (removed.status_code, removed.content) == (204, b"")
    for call in ("GET", "DELETE"):
        gone = client.request(call, path(org, "saml-group-1"))
        assert (gone.status_code, gone.json()) == (404, {"message": "404 Not Found"})


@pytest.mark.parametrize("name", ["a/b/c", "with space", "dots.and@at.json", "Ünïcode 名", "per%cent", "a?b#c"])
def test_names_of_any_characters(org: Organisation, name: str) -> None:
    link(org, name)
    assert org.owner.client.ok("GET", path(org, name))["name"] == name
    assert org.owner.client.delete(path(org, name)).status_code == 204


@pytest.mark.parametrize("level", [5, 10, 15, 20, 30, 40, 50])
def test_every_role_can_be_given(org: Organisation, level: int) -> None:
    assert link(org, "g", level)["access_level"] == level


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({"access_level": 30}, {"error": "saml_group_name is missing"}),
        ({"saml_group_name": "x"}, {"error": "access_level is missing"}),
        ({"saml_group_name": "x", "access_level": 35}, {"error": "access_level does not have a valid value"}),
        ({"saml_group_name": "x", "access_level": 60}, {"error": "access_level does not have a valid value"}),
        ({"saml_group_name": "x", "access_level": "dev"}, {"error": "access_level is invalid"}),
        ({"saml_group_name": " ", "access_level": 30}, {"message": "Saml group name can't be blank"}),
        (
            {"saml_group_name": "a" * 256, "access_level": 30},
            {"message": "Saml group name is too long (maximum is 255 characters)"},
        ),
        (
            {"saml_group_name": "x", "access_level": 30, "provider": "p" * 256},
            {"message": "Provider is too long (maximum is 255 characters)"},
        ),
        ({"saml_group_name": "dup", "access_level": 30}, {"message": "Saml group name has already been taken"}),
        ({"saml_group_name": " dup", "access_level": 10}, {"message": "Saml group name has already been taken"}),
        (
            {"saml_group_name": "x", "access_level": 30, "member_role_id": 424242},
            {"message": "Member role must belong to the top-level group or to the instance"},
        ),
        (
            {"saml_group_name": "x", "access_level": 30, "member_role_id": 2**70},
            {"error": "member_role_id is invalid"},
        ),
    ],
)
def test_bad_links_are_refused(org: Organisation, options: dict, body: dict) -> None:
    link(org, "dup")
    answer = org.owner.client.post(path(org), json=options)
    assert (answer.status_code, answer.json()) == (400, body)
    assert len(org.owner.client.ok("GET", path(org))) == 1


def test_of_simultaneous_links_of_one_name_one_is_made(org: Organisation) -> None:
    def make(_: int) -> int:
        client = org.world.server.client(org.owner.token)
        return client.post(path(org), json={"saml_group_name": "same", "access_level": 30}).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(make, range(6))) == [201] + [400] * 5


def test_simultaneous_configurations_all_succeed(org: Organisation) -> None:
    body = {"sso_url": "https://idp.example", "certificate_fingerprint": "ab" * 20}

    def configure(_: int) -> int:
        client = org.world.server.client(org.owner.token)
        return client.put(f"/groups/{org.id}/saml_provider", json=body).status_code

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(configure, range(6))) == {200}


def test_names_differ_by_case_and_by_provider(org: Organisation) -> None:
    link(org, "Devs")
    link(org, "devs")
    link(org, "devs", provider="okta")
    assert len(org.owner.client.ok("GET", path(org))) == 3


def test_an_ambiguous_name_asks_for_the_provider(org: Organisation) -> None:
    client = org.owner.client
    link(org, "devs", 10)
    link(org, "devs", 20, provider="okta")
    link(org, "devs", 30, provider="adfs")

    for call in ("GET", "DELETE"):
        answer = client.request(call, path(org, "devs"))
        assert (answer.status_code, answer.json()) == (422, {"message": SEVERAL})
    assert client.get(path(org, "devs"), provider="okta").json()["access_level"] == 20
    assert client.get(path(org, "devs"), provider="").json()["access_level"] == 10
    assert client.get(path(org, "devs"), provider="  ").json()["provider"] is None
    assert client.get(path(org, "devs"), provider="nobody").status_code == 404
    assert client.delete(path(org, "devs") + "?provider=").status_code == 204
    assert client.delete(path(org, "devs") + "?provider=okta").status_code == 204
    assert client.ok("GET", path(org, "devs"))["provider"] == "adfs"


def test_an_empty_provider_is_none(org: Organisation) -> None:
    assert link(org, "g", provider="  ")["provider"] is None


def test_a_custom_role_brings_its_base_level(org: Organisation) -> None:
    role = org.owner.client.ok("POST", f"/groups/{org.id}/member_roles", json={"name": "r", "base_access_level": 20})
    instance = org.world.admin.ok("POST", "/member_roles", json={"name": org.path, "base_access_level": 10})

    created = link(org, "g", 40, member_role_id=role["id"])
    assert (created["access_level"], created["member_role_id"]) == (20, role["id"])
    assert link(org, "h", 40, member_role_id=instance["id"])["access_level"] == 10

    below = org.subgroup("team")
    nested = org.owner.client.ok(
        "POST",
        f"/groups/{below}/saml_group_links",
        json={"saml_group_name": "g", "access_level": 30, "member_role_id": role["id"]},
    )
    assert nested["access_level"] == 20


def test_a_role_of_another_group_is_refused(world: World, org: Organisation) -> None:
    other = make_organisation(world)
    role = other.owner.client.ok("POST", f"/groups/{other.id}/member_roles", json={"base_access_level": 20})
    body = {"saml_group_name": "g", "access_level": 30, "member_role_id": role["id"]}
    assert org.owner.client.post(path(org), json=body).status_code == 400


def test_minimal_access_belongs_to_the_top_level_group(org: Organisation) -> None:
    below = org.subgroup("team")
    answer = org.owner.client.post(
        f"/groups/{below}/saml_group_links", json={"saml_group_name": "g", "access_level": 5}
    )
    assert (answer.status_code, answer.json()) == (400, {"message": "Access level is invalid"})


@pytest.mark.parametrize("caller", ["maintainer", "stranger", "anonymous"])
def test_every_lack_of_rights_is_401(org: Organisation, caller: str) -> None:
    link(org, "g")
    client = org.callers[caller]
    body = {"saml_group_name": "x", "access_level": 30}
    for call, where in (("GET", path(org)), ("POST", path(org)), ("GET", path(org, "g")), ("DELETE", path(org, "g"))):
        answer = client.request(call, where, json=body if call == "POST" else None)
        assert (answer.status_code, answer.json()) == UNAUTHORIZED
    assert len(org.owner.client.ok("GET", path(org))) == 1


def test_an_unknown_group_is_401_too(org: Organisation) -> None:
    answer = org.owner.client.get("/groups/999999/saml_group_links")
    assert (answer.status_code, answer.json()) == UNAUTHORIZED


def test_administrators_manage_links_of_every_group(org: Organisation) -> None:
    admin = org.world.admin
    body = {"saml_group_name": "g", "access_level": 30}
    assert admin.post(f"/groups/{quote(org.path, safe='')}/saml_group_links", json=body).status_code == 201
    assert admin.delete(path(org, "g")).status_code == 204


def test_a_group_shows_its_links_to_owners(org: Organisation) -> None:
    shown = f"/groups/{org.id}"
    assert "saml_group_links" not in org.owner.client.ok("GET", shown)
    created = link(org, "devs")
    assert org.owner.client.ok("GET", shown)["saml_group_links"] == [created]
    assert "saml_group_links" not in org.maintainer.client.ok("GET", shown)


def test_query_and_form_arguments_work(org: Organisation) -> None:
    assert org.owner.client.post(f"{path(org)}?saml_group_name=q&access_level=10").status_code == 201
    form = org.owner.client.post(path(org), data={"saml_group_name": "f", "access_level": "10"})
    assert form.status_code == 201


def test_on_the_free_tier_links_are_unauthorized_and_identities_absent(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, tier="free") as server:
        org = make_organisation(World(server))
        for client in (org.owner.client, server.client()):
            assert client.get(path(org)).status_code == 401
            assert client.post(path(org), json={"saml_group_name": "x", "access_level": 30}).status_code == 401
            assert client.get(path(org, "x")).status_code == 401
            assert client.delete(path(org, "x")).status_code == 401
            assert client.get(f"/groups/{org.id}/saml/identities").status_code == 404
            assert client.get(f"/groups/{org.id}/saml/x").status_code == 404
            assert client.patch(f"/groups/{org.id}/saml/x", json={"extern_uid": "y"}).status_code == 404
            assert client.delete(f"/groups/{org.id}/saml/x").status_code == 404
            assert client.get(f"/groups/{org.id}/saml_provider").status_code == 404


def test_on_the_premium_tier_custom_roles_are_dropped(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, tier="premium") as server:
        org = make_organisation(World(server))
        created = org.owner.client.ok(
            "POST", path(org), json={"saml_group_name": "x", "access_level": 30, "member_role_id": 7}
        )
        assert created == {"name": "x", "access_level": 30, "provider": None}


def test_links_may_be_tied_to_a_configured_provider(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, saml_links_without_provider=False) as server:
        org = make_organisation(World(server))
        below = org.subgroup("team")
        assert org.owner.client.get(path(org)).status_code == 401
        settings = {"sso_url": "https://idp.example", "certificate_fingerprint": "ab" * 20}
        org.owner.client.ok("PUT", f"/groups/{org.id}/saml_provider", json=settings)
        assert org.owner.client.get(path(org)).status_code == 200
        assert org.owner.client.get(f"/groups/{below}/saml_group_links").status_code == 200
        org.owner.client.ok("PUT", f"/groups/{org.id}/saml_provider", json={"enabled": False})
        assert org.owner.client.get(path(org)).status_code == 401


def test_python_gitlab_manages_links(org: Organisation) -> None:
    with gitlab.Gitlab(org.world.server.url, private_token=org.owner.token) as client:
        links = client.groups.get(org.id, lazy=True).saml_group_links
        created = links.create({"saml_group_name": "py/group", "access_level": 30})
        assert [one.name for one in links.list(get_all=True)] == ["py/group"]
        assert links.get("py/group").access_level == 30
        created.delete()
        with pytest.raises(gitlab.GitlabGetError, match="404 Not Found"):
            links.get("py/group")
