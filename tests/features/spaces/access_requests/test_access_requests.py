"""Asking for membership of groups and projects, and the decision."""

from typing import Any

import pytest

from tests.support.world import Person, World


def open_thing(world: World, owner: Person, kind: str, **more: Any) -> str:
    created = (world.group if kind == "groups" else world.project)(owner, visibility="public", **more)
    return f"/{kind}/{created['id']}"


@pytest.mark.parametrize("kind", ["groups", "projects"])
def test_a_request_is_made_listed_and_approved(world: World, kind: str) -> None:
    anna, ben = world.user(), world.user()
    item = open_thing(world, anna, kind)
    place = f"{item}/access_requests"

    created = ben.client.post(place)
    assert (created.status_code, created.json()["id"]) == (201, ben.id)
    assert {"requested_at", "username", "state"} <= set(created.json())
    again = ben.client.post(place)
    assert (again.status_code, again.json()) == (400, {"message": {"user": ["already exists in source"]}})
    assert [row["id"] for row in anna.client.ok("GET", place)] == [ben.id]
    approved = anna.client.put(f"{place}/{ben.id}/approve", json={"access_level": 20})
    assert (approved.status_code, approved.json()["access_level"]) == (201, 20)
    assert anna.client.ok("GET", place) == []
    assert ben.client.ok("GET", f"{item}/members/{ben.id}")["access_level"] == 20
    assert ben.client.post(place).status_code == 403


@pytest.mark.parametrize("kind", ["groups", "projects"])
def test_a_request_is_denied_or_withdrawn(world: World, kind: str) -> None:
    anna, ben, cleo = world.user(), world.user(), world.user()
    place = f"{open_thing(world, anna, kind)}/access_requests"
    for person in (ben, cleo):
        person.client.ok("POST", place)

    assert cleo.client.delete(f"{place}/{ben.id}").status_code == 403
    assert anna.client.delete(f"{place}/{ben.id}").status_code == 204
    assert cleo.client.delete(f"{place}/{cleo.id}").status_code == 204
    answer = anna.client.delete(f"{place}/{ben.id}")
    assert (answer.status_code, answer.json()) == (404, {"message": "404 Not found"})
    assert anna.client.put(f"{place}/{ben.id}/approve").status_code == 404


@pytest.mark.parametrize("kind", ["groups", "projects"])
def test_who_may_ask_and_decide(world: World, kind: str) -> None:
    anna, ben = world.user(), world.user()
    closed = f"{open_thing(world, anna, kind, request_access_enabled=False)}/access_requests"

    assert ben.client.post(closed).status_code == 403
    assert ben.client.get(closed).status_code == 403
    assert world.anonymous.post(closed).status_code == 401


def test_a_maintainer_does_not_make_owners(world: World) -> None:
    anna, ben, cleo = world.user(), world.user(), world.user()
    project = world.project(anna, visibility="public")
    world.member(project, ben, "maintainer")
    place = f"/projects/{project['id']}/access_requests"
    cleo.client.ok("POST", place)

    assert ben.client.put(f"{place}/{cleo.id}/approve", json={"access_level": 50}).status_code == 403
    assert ben.client.put(f"{place}/{cleo.id}/approve").json()["access_level"] == 30


def test_becoming_a_member_another_way_ends_the_request(world: World) -> None:
    anna, ben = world.user(), world.user()
    item = open_thing(world, anna, "groups")
    ben.client.ok("POST", f"{item}/access_requests")

    anna.client.ok("POST", f"{item}/members", json={"user_id": ben.id, "access_level": 10})

    assert anna.client.ok("GET", f"{item}/access_requests") == []
