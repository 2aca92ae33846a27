"""Members of groups."""

from tests.support.world import World


def test_a_member_is_added_changed_and_removed(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna)
    place = f"/groups/{group['id']}/members"

    added = anna.client.ok("POST", place, json={"user_id": ben.id, "access_level": 30})
    assert (added["id"], added["access_level"], added["created_by"]["id"]) == (ben.id, 30, anna.id)
    changed = anna.client.ok("PUT", f"{place}/{ben.id}", json={"access_level": 40})
    assert changed["access_level"] == 40
    assert ben.client.get(f"/groups/{group['id']}").status_code == 200
    assert anna.client.delete(f"{place}/{ben.id}").status_code == 204
    assert ben.client.get(f"/groups/{group['id']}").status_code == 404


def test_several_members_are_added_at_once(world: World) -> None:
    anna, ben, cleo = world.user(), world.user(), world.user()
    group = world.group(anna)
    place = f"/groups/{group['id']}/members"

    answer = anna.client.post(place, json={"user_id": f"{ben.id},{cleo.id}", "access_level": 20})
    assert (answer.status_code, answer.json()) == (201, {"status": "success"})

    answer = anna.client.post(place, json={"username": f"{ben.username},nobody-here", "access_level": 20})
    assert answer.json() == {
        "status": "error",
        "message": {ben.username: "Member already exists", "nobody-here": "User not found"},
    }
