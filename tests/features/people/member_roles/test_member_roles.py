import gitlab
import pytest

from tests.features.people.saml.organisation import Organisation, add_member, make_organisation
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World


@pytest.fixture
def org(world: World) -> Organisation:
    return make_organisation(world)


def path(org: Organisation) -> str:
    return f"/groups/{org.id}/member_roles"


def test_an_owner_makes_lists_and_deletes_roles(org: Organisation) -> None:
    client = org.owner.client
    options = {"name": "Reader", "description": "May read code", "base_access_level": 10, "read_code": True}

    created = client.post(path(org), json=options)

    assert created.status_code == 201
    body = created.json()
    assert {name: body[name] for name in options} == options
    assert body["group_id"] == org.id
    switches = [name for name, value in body.items() if isinstance(value, bool)]
    assert len(switches) == 20
    assert [name for name in switches if body[name]] == ["read_code"]
    assert client.ok("GET", path(org)) == [body]

    removed = client.delete(f"{path(org)}/{body['id']}")
    assert (removed.status_code, removed.content) == (204, b"")
    assert client.ok("GET", path(org)) == []
    again = client.delete(f"{path(org)}/{body['id']}")
    assert (again.status_code, again.json()) == (404, {"message": "404 Member Role Not Found"})


def test_a_role_without_a_name_is_named_after_its_base(org: Organisation) -> None:
    assert org.owner.client.ok("POST", path(org), json={"base_access_level": 30})["name"] == "Developer - custom"


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({"name": "x"}, {"error": "base_access_level is missing, base_access_level does not have a valid value"}),
        ({"name": "x", "base_access_level": 50}, {"error": "base_access_level does not have a valid value"}),
        ({"name": "x", "base_access_level": "no"}, {"error": "base_access_level is invalid"}),
        ({"name": "Dup", "base_access_level": 10}, {"message": {"name": ["has already been taken"]}}),
        ({"name": "x", "base_access_level": 10, "read_code": "maybe"}, {"error": "read_code is invalid"}),
    ],
)
def test_bad_roles_are_refused(org: Organisation, options: dict, body: dict) -> None:
    org.owner.client.ok("POST", path(org), json={"name": "dup", "base_access_level": 20})
    answer = org.owner.client.post(path(org), json=options)
    assert (answer.status_code, answer.json()) == (400, body)


def test_a_role_that_somebody_has_stays(org: Organisation) -> None:
    role = org.owner.client.ok("POST", path(org), json={"name": "held", "base_access_level": 20})
    add_member(org.world, org.id, org.stranger.id, 20, member_role_id=role["id"])

    answer = org.owner.client.delete(f"{path(org)}/{role['id']}")

    assert answer.status_code == 400
    assert "assigned to one or more group members" in answer.json()["message"]


def test_roles_belong_to_the_top_level_group(org: Organisation) -> None:
    below = org.subgroup("team")
    assert org.owner.client.get(f"/groups/{below}/member_roles").status_code == 400


@pytest.mark.parametrize(("caller", "status"), [("maintainer", 403), ("stranger", 404), ("anonymous", 401)])
def test_others_are_refused(org: Organisation, caller: str, status: int) -> None:
    client = org.callers[caller]
    assert client.get(path(org)).status_code == status
    assert client.post(path(org), json={"base_access_level": 10}).status_code == status
    assert client.delete(f"{path(org)}/1").status_code == status


def test_administrators_keep_roles_of_the_instance(org: Organisation) -> None:
    admin = org.world.admin
    created = admin.ok("POST", "/member_roles", json={"name": org.path, "base_access_level": 20})
    assert created["group_id"] is None
    assert created in admin.ok("GET", "/member_roles")
    assert created not in admin.ok("GET", path(org))
    assert admin.delete(f"{path(org)}/{created['id']}").status_code == 404
    assert admin.delete(f"/member_roles/{created['id']}").status_code == 204
    assert admin.delete("/member_roles/9999999999999999999").status_code == 404
    assert org.owner.client.get("/member_roles").status_code == 403
    assert org.world.anonymous.get("/member_roles").status_code == 401


@pytest.mark.parametrize("tier", ["free", "premium"])
def test_lower_tiers_have_no_custom_roles(databases: Databases, tmp_path, tier: str) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, tier=tier) as server:
        org = make_organisation(World(server))
        assert org.owner.client.get(path(org)).status_code == 404
        assert server.client().get("/member_roles").status_code == 404


def test_python_gitlab_manages_roles(org: Organisation) -> None:
    with gitlab.Gitlab(org.world.server.url, private_token=org.owner.token) as client:
        roles = client.groups.get(org.id, lazy=True).member_roles
        created = roles.create({"name": "py", "base_access_level": 10, "read_code": True})
        assert [role.name for role in roles.list(get_all=True)] == ["py"]
        created.delete()
        assert roles.list(get_all=True) == []
