"""Sharing a group with another, and the lists that follow shares."""

from datetime import timedelta
from typing import Any

from ingot.kit.clock import today
from tests.support.world import Person, World


def two_groups(world: World) -> tuple[Person, Person, dict[str, Any], dict[str, Any]]:
    anna, ben = world.user(), world.user()
    shared, invited = world.group(anna), world.group(anna)
    world.member(invited, ben, "maintainer", kind="groups")
    return anna, ben, shared, invited


def test_members_of_an_invited_group_get_the_lower_of_both_levels(world: World) -> None:
    anna, ben, shared, invited = two_groups(world)
    inner = world.group(anna, parent_id=shared["id"])
    project = world.project(anna, namespace_id=inner["id"])

    shown = anna.client.ok(
        "POST", f"/groups/{shared['id']}/share", json={"group_id": invited["id"], "group_access": 30}
    )

    assert shown["shared_with_groups"] == [
        {
            "group_id": invited["id"],
            "group_name": invited["name"],
            "group_full_path": invited["full_path"],
            "group_access_level": 30,
            "expires_at": None,
        }
    ]
    for path in (f"/groups/{shared['id']}", f"/groups/{inner['id']}", f"/projects/{project['id']}"):
        everybody = {row["id"]: row["access_level"] for row in ben.client.ok("GET", f"{path}/members/all")}
        assert everybody == {anna.id: 50, ben.id: 30}
        assert ben.client.ok("GET", f"{path}/members/all/{ben.id}")["access_level"] == 30
        assert ben.client.get(f"{path}/members/{ben.id}").status_code == 404


def test_unsharing_takes_the_rights_away(world: World) -> None:
    anna, ben, shared, invited = two_groups(world)
    anna.client.ok("POST", f"/groups/{shared['id']}/share", json={"group_id": invited["id"], "group_access": 20})

    assert anna.client.delete(f"/groups/{shared['id']}/share/{invited['id']}").status_code == 204

    assert ben.client.get(f"/groups/{shared['id']}").status_code == 404
    answer = anna.client.delete(f"/groups/{shared['id']}/share/{invited['id']}")
    assert (answer.status_code, answer.json()) == (404, {"message": "404 Group Link Not Found"})
    answer = anna.client.delete(f"/groups/{shared['id']}/share/x")
    assert (answer.status_code, answer.json()) == (400, {"error": "group_id is invalid"})


def test_what_cannot_be_shared_is_refused(world: World) -> None:
    anna, ben, shared, invited = two_groups(world)
    place = f"/groups/{shared['id']}/share"
    unseen = world.group()

    def answer(**body: Any) -> tuple[int, Any]:
        result = anna.client.post(place, json=body)
        return result.status_code, result.json()

    assert answer(group_id=unseen["id"], group_access=30) == (404, {"message": "Not Found"})
    assert answer(group_id=invited["id"]) == (
        400,
        {"error": "group_access is missing, group_access does not have a valid value"},
    )
    assert answer(group_id=invited["id"], group_access=33)[0] == 400
    assert answer(group_id=shared["id"], group_access=30)[0] == 409
    yesterday = str(today() - timedelta(days=1))
    assert answer(group_id=invited["id"], group_access=30, expires_at=yesterday)[0] == 400
    anna.client.ok("POST", place, json={"group_id": invited["id"], "group_access": 30})
    assert answer(group_id=invited["id"], group_access=30)[0] == 409
    refused = ben.client.post(place, json={"group_id": invited["id"], "group_access": 30})
    assert (refused.status_code, refused.json()) == (404, {"message": "Not Found"})
    assert ben.client.delete(f"{place}/{invited['id']}").status_code == 404


def test_a_tree_can_keep_to_itself(world: World) -> None:
    anna, _, shared, invited = two_groups(world)
    inner = world.group(anna, parent_id=shared["id"])
    anna.client.ok("PUT", f"/groups/{shared['id']}", json={"prevent_sharing_groups_outside_hierarchy": True})

    outside = anna.client.post(f"/groups/{inner['id']}/share", json={"group_id": invited["id"], "group_access": 30})
    assert (outside.status_code, outside.json()) == (404, {"message": "Not Found"})
    anna.client.ok("POST", f"/groups/{shared['id']}/share", json={"group_id": inner["id"], "group_access": 30})


def test_lists_follow_shares_in_both_directions(world: World) -> None:
    anna, ben, shared, invited = two_groups(world)
    inner = world.group(anna, parent_id=shared["id"])
    anna.client.ok("POST", f"/groups/{shared['id']}/share", json={"group_id": invited["id"], "group_access": 30})

    def ids(path: str, **filters: Any) -> list[int]:
        return [group["id"] for group in ben.client.get(path, **filters).json()]

    assert ids(f"/groups/{invited['id']}/groups/shared") == [shared["id"]]
    assert ids(f"/groups/{invited['id']}/groups/shared", search="nothing-like-it") == []
    assert ids(f"/groups/{invited['id']}/groups/shared", min_access_level=40) == []
    assert ids(f"/groups/{invited['id']}/groups/shared", skip_groups=[shared["id"]]) == []
    assert ids(f"/groups/{shared['id']}/invited_groups") == [invited["id"]]
    assert ids(f"/groups/{inner['id']}/invited_groups", relation=["inherited"]) == [invited["id"]]
    assert ids(f"/groups/{inner['id']}/invited_groups", relation="direct") == []
