"""Custom attributes of groups and users."""

from typing import Any

import pytest

from tests.support.world import World


def places(world: World) -> list[str]:
    return [f"/groups/{world.group()['id']}", f"/users/{world.user().id}"]


def test_an_attribute_is_set_changed_listed_and_removed(world: World) -> None:
    for item in places(world):
        place = f"{item}/custom_attributes"

        assert world.admin.ok("PUT", f"{place}/cost", json={"value": "1"}) == {"key": "cost", "value": "1"}
        world.admin.ok("PUT", f"{place}/area", json={"value": "x y"})
        assert world.admin.ok("PUT", f"{place}/cost", json={"value": "2"}) == {"key": "cost", "value": "2"}
        assert world.admin.ok("GET", f"{place}/cost") == {"key": "cost", "value": "2"}
        assert world.admin.ok("GET", place) == [{"key": "area", "value": "x y"}, {"key": "cost", "value": "2"}]
        assert world.admin.delete(f"{place}/cost").status_code == 204
        for answer in (world.admin.get(f"{place}/cost"), world.admin.delete(f"{place}/cost")):
            assert (answer.status_code, answer.json()) == (404, {"message": "404 Not found"})
        assert world.admin.put(f"{place}/cost", json={}).json() == {"error": "value is missing"}


def test_only_administrators_have_them(world: World) -> None:
    ben = world.user()
    for item in places(world):
        place = f"{item}/custom_attributes"
        answer = ben.client.get(place)
        assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"})
        assert ben.client.put(f"{place}/x", json={"value": "1"}).status_code == 403
        assert world.anonymous.get(place).status_code == 401


@pytest.mark.parametrize(
    ("path", "text"), [("/groups/999999", "404 Group Not Found"), ("/users/999999", "404 User Not Found")]
)
def test_things_that_do_not_exist_are_not_found(world: World, path: str, text: str) -> None:
    answer = world.admin.get(f"{path}/custom_attributes")

    assert (answer.status_code, answer.json()) == (404, {"message": text})


def test_users_show_and_are_found_by_them(world: World) -> None:
    ben, cleo = world.user(), world.user()
    world.admin.ok("PUT", f"/users/{ben.id}/custom_attributes/team", json={"value": "blue"})
    world.admin.ok("PUT", f"/users/{cleo.id}/custom_attributes/team", json={"value": "red"})
    expected = [{"key": "team", "value": "blue"}]

    assert world.admin.ok("GET", f"/users/{ben.id}?with_custom_attributes=true")["custom_attributes"] == expected
    result: list[dict[str, Any]] = world.admin.get(
        "/users", custom_attributes={"team": "blue"}, with_custom_attributes=True
    ).json()
    assert [(user["id"], user["custom_attributes"]) for user in result] == [(ben.id, expected)]
    assert "custom_attributes" not in ben.client.ok("GET", f"/users/{ben.id}?with_custom_attributes=true")
