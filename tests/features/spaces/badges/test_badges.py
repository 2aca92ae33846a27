"""Badges of projects and groups."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gitlab
import pytest
from sqlalchemy import insert

from ingot.features.spaces.badges.tables import group_badges, project_badges
from ingot.kit.clock import now
from tests.features.transfer.project_imports.making import exported, imported, relation
from tests.support.world import Person, World

ADDRESSES = {
    "link_url": "https://example.com/%{project_path}",
    "image_url": "https://example.com/%{default_branch}.svg",
}


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def api(world: World, owner: Person) -> Iterator[gitlab.Gitlab]:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        yield client


@pytest.fixture
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner)


@pytest.fixture
def project(world: World, owner: Person, group: dict[str, Any]) -> dict[str, Any]:
    return world.project(owner, namespace_id=group["id"], initialize_with_readme=True)


def test_from_creation_to_removal(api: gitlab.Gitlab, project: dict[str, Any], group: dict[str, Any]) -> None:
    path = project["path_with_namespace"]
    for place in (api.projects.get(project["id"]), api.groups.get(group["id"])):
        badge = place.badges.create({**ADDRESSES, "name": "build"})
        assert badge.rendered_link_url == f"https://example.com/{path}"
        assert badge.rendered_image_url == "https://example.com/main.svg"
        assert [one.id for one in place.badges.list()] == [badge.id]
        badge.image_url = "http://example.com/other"
        badge.save()
        assert place.badges.get(badge.id).image_url == "http://example.com/other"
        assert place.badges.render(**ADDRESSES)["rendered_link_url"] == f"https://example.com/{path}"
        badge.delete()
        assert place.badges.list() == []


def test_projects_list_the_badges_of_their_groups_first(
    owner: Person, project: dict[str, Any], group: dict[str, Any]
) -> None:
    place, above = f"/projects/{project['id']}/badges", f"/groups/{group['id']}/badges"
    own = owner.client.ok("POST", place, json={**ADDRESSES, "name": "own"})
    inherited = owner.client.ok("POST", above, json=ADDRESSES)

    assert [(one["kind"], one["id"]) for one in owner.client.ok("GET", place)] == [
        ("group", inherited["id"]), ("project", own["id"]),
    ]  # fmt: skip
    assert owner.client.ok("GET", f"{place}?name=own") == [own]
    assert owner.client.ok("GET", f"{place}?per_page=1&page=2") == [own]
    assert owner.client.get(f"{place}/987654").json() == {"message": "404 Not found"}
    assert owner.client.queries(place, per_page=1) == owner.client.queries(place, per_page=2)


def test_no_two_new_badges_have_one_id(
    world: World, owner: Person, project: dict[str, Any], group: dict[str, Any]
) -> None:
    place, above = f"/projects/{project['id']}/badges", f"/groups/{group['id']}/badges"
    old = owner.client.ok("POST", place, json=ADDRESSES)["id"] + 10
    values = {**ADDRESSES, "id": old, "created_at": now(), "updated_at": now()}
    with world.server.services.db.write() as tx:  # as it was when each table counted by itself
        tx.execute(insert(project_badges).values(project_id=project["id"], name="own", **values))
        tx.execute(insert(group_badges).values(group_id=group["id"], name="inherited", **values))

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda path: owner.client.ok("POST", path, json=ADDRESSES)["id"], [place, above] * 2))

    assert sorted(made) == [old + number for number in (1, 2, 3, 4)]
    with world.server.services.db.write() as tx:  # as a node of the version before does, beside this one
        late = {**values, "project_id": project["id"], "name": "late"}
        del late["id"]
        number = tx.execute(insert(project_badges).values(**late).returning(project_badges.c.id)).scalar_one()
    assert number > old
    assert owner.client.ok("GET", f"{place}/{old}")["name"] == "own"
    assert owner.client.ok("GET", f"{above}/{old}")["name"] == "inherited"


def test_roles_and_wrong_addresses(world: World, owner: Person, project: dict[str, Any], group: dict[str, Any]) -> None:
    developer = world.user()
    world.member(group, developer, "developer", kind="groups")
    place = f"/projects/{project['id']}/badges"

    assert developer.client.get(place).status_code == 200
    assert developer.client.post(place, json=ADDRESSES).status_code == 403
    assert developer.client.post(f"/groups/{group['id']}/badges", json=ADDRESSES).status_code == 403
    assert world.user().client.get(place).status_code == 404
    refused = owner.client.post(place, json={**ADDRESSES, "link_url": "javascript:alert(1)"})
    assert (refused.status_code, refused.json()) == (
        400, {"message": {"link_url": ["is blocked: Only allowed schemes are http, https"]}},
    )  # fmt: skip


def test_archives_carry_badges(world: World, owner: Person, project: dict[str, Any]) -> None:
    place = f"/projects/{project['id']}/badges"
    written = owner.client.ok("POST", place, json={**ADDRESSES, "name": "build"})

    content = exported(world, owner, project["id"])
    [read] = owner.client.ok("GET", f"/projects/{imported(world, owner, content)['id']}/badges")

    assert [record["name"] for record in relation(content, "project_badges")] == ["build"]
    assert (read["link_url"], read["image_url"]) == (written["link_url"], written["image_url"])
