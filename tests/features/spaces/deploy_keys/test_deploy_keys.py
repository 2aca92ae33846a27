"""Deploy keys: into one project, from there into others, and away again."""

from collections.abc import Iterator
from typing import Any

import gitlab
import pytest

from tests.contract.parameters import ssh_key
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def api(world: World, owner: Person) -> Iterator[gitlab.Gitlab]:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        yield client


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner)


@pytest.fixture
def other(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner)


def test_a_key_goes_from_one_project_to_another(
    api: gitlab.Gitlab, project: dict[str, Any], other: dict[str, Any]
) -> None:
    here, there = api.projects.get(project["id"]), api.projects.get(other["id"])
    text = f"{ssh_key()} ci@example.com"

    key = here.keys.create({"title": "ci", "key": text, "can_push": True})
    there.keys.enable(key.id)

    assert key.key == text
    assert key.can_push is True
    assert key.fingerprint_sha256.startswith("SHA256:")
    assert len(key.fingerprint.split(":")) == 16
    [enabled] = there.keys.list()
    assert (enabled.id, enabled.can_push) == (key.id, False)
    there.keys.update(key.id, {"title": "named", "can_push": True})
    assert (there.keys.get(key.id).title, there.keys.get(key.id).can_push) == ("named", True)
    there.keys.delete(key.id)
    assert there.keys.list() == []
    assert here.keys.get(key.id).title == "named"


def test_the_same_key_again_is_the_same_record(owner: Person, project: dict[str, Any], other: dict[str, Any]) -> None:
    body = {"title": "first", "key": ssh_key()}
    first = owner.client.ok("POST", f"/projects/{project['id']}/deploy_keys", json=body)

    again = owner.client.ok("POST", f"/projects/{project['id']}/deploy_keys", json={**body, "title": "second"})
    joined = owner.client.ok("POST", f"/projects/{other['id']}/deploy_keys", json={**body, "can_push": True})

    assert again == first
    assert (joined["id"], joined["title"], joined["can_push"]) == (first["id"], "first", True)


def test_keys_of_strangers_and_of_people_are_taken(world: World, owner: Person, project: dict[str, Any]) -> None:
    stranger = world.user()
    elsewhere = world.project(stranger)
    key = {"title": "t", "key": ssh_key()}
    own = {"title": "t", "key": ssh_key()}
    created = stranger.client.ok("POST", f"/projects/{elsewhere['id']}/deploy_keys", json=key)
    stranger.client.ok("POST", "/user/keys", json=own)
    place = f"/projects/{project['id']}/deploy_keys"

    for body in (key, own):
        refused = owner.client.post(place, json=body)
        assert refused.status_code == 400
        assert refused.json() == {"message": {"deploy_key.fingerprint_sha256": ["has already been taken"]}}
    assert owner.client.post(f"{place}/{created['id']}/enable").json() == {"message": "404 Deploy key Not Found"}

    assert stranger.client.delete(f"/projects/{elsewhere['id']}/deploy_keys/{created['id']}").status_code == 204
    assert owner.client.post(place, json=key).status_code == 201  # nobody has it any more


def test_wrong_input(owner: Person, project: dict[str, Any]) -> None:
    place = f"/projects/{project['id']}/deploy_keys"
    problems = {
        "deploy_key.key": ["is invalid"],
        "deploy_key.fingerprint_sha256": ["cannot be generated"],
    }

    assert owner.client.post(place, json={"title": "t", "key": "ssh-rsa nonsense"}).json() == {"message": problems}
    assert owner.client.put(f"{place}/1").json() == {
        "error": "title, can_push are missing, at least one parameter must be provided"
    }
    assert owner.client.get(f"{place}/987654").json() == {"message": "404 Not found"}
    assert owner.client.delete(f"{place}/987654").json() == {"message": "404 Deploy key Not Found"}


def test_maintainers_and_administrators_alone(world: World, owner: Person, project: dict[str, Any]) -> None:
    developer, stranger = world.user(), world.user()
    world.member(project, developer, "developer")
    place = f"/projects/{project['id']}/deploy_keys"

    assert developer.client.get(place).status_code == 403
    assert stranger.client.get(place).status_code == 404
    assert owner.client.get("/deploy_keys").status_code == 403
    assert stranger.client.get(f"/users/{owner.username}/project_deploy_keys").json() == {
        "message": "403 Forbidden - No common authorized project found"
    }


def test_keys_of_the_instance_are_for_every_project(world: World, owner: Person, project: dict[str, Any]) -> None:
    with gitlab.Gitlab(world.server.url, private_token=world.admin.token) as admin:
        public = admin.deploykeys.create({"title": "public", "key": ssh_key()})
    place = f"/projects/{project['id']}/deploy_keys"

    owner.client.ok("POST", f"{place}/{public.id}/enable")

    [listed] = [key for key in world.admin.ok("GET", "/deploy_keys?public=true") if key["id"] == public.id]
    assert listed["projects_with_write_access"] == []
    assert [result["path_with_namespace"] for result in listed["projects_with_readonly_access"]] == [
        project["path_with_namespace"]
    ]
    assert listed["projects_with_readonly_access"][0]["name_with_namespace"] == project["name_with_namespace"]
    own = owner.client.ok("GET", f"/users/{owner.id}/project_deploy_keys")
    assert public.id in {key["id"] for key in own}
    owner.client.delete(f"{place}/{public.id}")
    assert public.id in {key["id"] for key in world.admin.ok("GET", "/deploy_keys?public=true")}


def test_lists_are_paged_with_a_fixed_number_of_statements(world: World) -> None:
    owner = world.user()
    place = f"/projects/{world.project(owner)['id']}/deploy_keys"
    keys = [owner.client.ok("POST", place, json={"title": "t", "key": ssh_key()}) for _ in range(3)]

    assert owner.client.ok("GET", f"{place}?per_page=2") == keys[:2]
    assert owner.client.ok("GET", f"{place}?per_page=2&page=2") == keys[2:]
    assert owner.client.queries(place, per_page=1) == owner.client.queries(place, per_page=3)
    assert world.admin.queries("/deploy_keys", per_page=1) == world.admin.queries("/deploy_keys", per_page=3)
