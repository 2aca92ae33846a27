"""Members of groups: adding, changing, removing, listing, and who may do it."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from ingot.access.tables import group_group_links, members
from ingot.kit import jobs
from ingot.kit.clock import today
from tests.support.waiting import until
from tests.support.world import World

AT_LEAST_ONE = "are missing, at least one parameter must be provided"


def test_a_member_is_added_changed_and_removed(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna)
    place = f"/groups/{group['id']}/members"
    later = str(today() + timedelta(days=9))

    added = anna.client.ok("POST", place, json={"user_id": ben.id, "access_level": 30, "expires_at": later})
    assert set(added) == {
        "id", "username", "public_email", "name", "state", "locked", "avatar_url", "web_url", "access_level",
        "created_at", "created_by", "expires_at", "membership_state",
    }  # fmt: skip
    assert (added["id"], added["access_level"], added["expires_at"]) == (ben.id, 30, later)
    assert (added["created_by"]["id"], added["membership_state"]) == (anna.id, "active")
    changed = anna.client.ok("PUT", f"{place}/{ben.id}", json={"access_level": 40})
    assert (changed["access_level"], changed["expires_at"]) == (40, later)
    changed = anna.client.ok("PUT", f"{place}/{ben.id}", json={"access_level": 40, "expires_at": ""})
    assert changed["expires_at"] is None
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

    crowd = ",".join(str(number) for number in range(9_000_000, 9_000_101))
    for asked in (place, f"/groups/{group['id']}/invitations"):
        answer = anna.client.post(asked, json={"user_id": crowd, "access_level": 20})
        assert answer.json() == {"status": "error", "message": "Too many users specified (limit is 100)"}


@pytest.mark.parametrize(
    ("options", "status", "body"),
    [
        ({}, 400, {"error": f"access_level is missing, user_id, username {AT_LEAST_ONE}"}),
        (
            {"user_id": 1, "username": "x", "access_level": 30},
            400,
            {"error": "user_id, username are mutually exclusive"},
        ),
        ({"user_id": 999999, "access_level": 30}, 404, {"message": "404 User Not Found"}),
        ({"username": "nobody-at-all", "access_level": 30}, 404, {"message": "404 User Not Found"}),
        ({"user_id": "", "access_level": 30}, 404, {"message": "404 User Not Found"}),
        ({"user_id": 1, "access_level": 33}, 400, {"message": {"access_level": ["is not included in the list"]}}),
        ({"user_id": 1, "access_level": None}, 400, {"error": "access_level is empty"}),
        ({"user_id": 1, "access_level": "high"}, 400, {"error": "access_level is invalid"}),
        (
            {"user_id": 1, "access_level": 30, "expires_at": "2020-01-01"},
            400,
            {"message": {"expires_at": ["cannot be a date in the past"]}},
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_added(world: World, options: dict[str, Any], status: int, body: dict[str, Any]) -> None:
    anna = world.user()
    group = world.group(anna)

    answer = anna.client.post(f"/groups/{group['id']}/members", json=options)

    assert (answer.status_code, answer.json()) == (status, body)


def test_nobody_is_added_twice(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna)
    body = {"user_id": ben.id, "access_level": 30}
    anna.client.ok("POST", f"/groups/{group['id']}/members", json=body)

    answer = anna.client.post(f"/groups/{group['id']}/members", json=body)

    assert (answer.status_code, answer.json()) == (409, {"message": "Member already exists"})


def test_a_role_is_not_lower_than_the_inherited_one(world: World) -> None:
    anna, ben = world.user(), world.user()
    top = world.group(anna, name="Upper Floor")
    inner = world.group(anna, parent_id=top["id"])
    world.member(top, ben, "developer", kind="groups")
    text = "should be greater than or equal to Developer inherited membership from group Upper Floor"

    answer = anna.client.post(f"/groups/{inner['id']}/members", json={"user_id": ben.id, "access_level": 20})
    assert (answer.status_code, answer.json()) == (400, {"message": {"access_level": [text]}})
    anna.client.ok("POST", f"/groups/{inner['id']}/members", json={"user_id": ben.id, "access_level": 40})
    answer = anna.client.put(f"/groups/{inner['id']}/members/{ben.id}", json={"access_level": 10})
    assert (answer.status_code, answer.json()) == (400, {"message": {"access_level": [text]}})


@pytest.mark.parametrize("role", ["guest", "developer", "maintainer"])
def test_only_owners_manage_members_of_groups(world: World, role: str) -> None:
    anna, ben, cleo = world.user(), world.user(), world.user()
    group = world.group(anna)
    world.member(group, ben, role, kind="groups")
    place = f"/groups/{group['id']}/members"

    assert ben.client.post(place, json={"user_id": cleo.id, "access_level": 10}).status_code == 403
    assert ben.client.put(f"{place}/{anna.id}", json={"access_level": 10}).status_code == 403
    assert ben.client.delete(f"{place}/{anna.id}").status_code == 403
    assert ben.client.get(place).status_code == 200
    assert ben.client.delete(f"{place}/{ben.id}").status_code == 204


def test_strangers_and_anonymous_callers(world: World) -> None:
    group, ben = world.group(world.user()), world.user()
    place = f"/groups/{group['id']}/members"

    assert world.anonymous.get(place).status_code == 401
    assert world.anonymous.get(f"{place}/all").status_code == 401
    assert ben.client.get(place).json() == {"message": "404 Group Not Found"}
    assert ben.client.post(place, json={"user_id": ben.id, "access_level": 50}).status_code == 404


def test_the_last_owner_stays(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna)
    inner = world.group(anna, parent_id=group["id"])
    place = f"/groups/{group['id']}/members"

    for answer in (
        anna.client.delete(f"{place}/{anna.id}"),
        anna.client.put(f"{place}/{anna.id}", json={"access_level": 40}),
        world.admin.delete(f"{place}/{anna.id}"),
    ):
        assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"})
    # The owner of the group above is an owner of the subgroup too.
    world.member(group, ben, "owner", kind="groups")
    assert anna.client.delete(f"/groups/{inner['id']}/members/{anna.id}").status_code == 204
    assert anna.client.delete(f"{place}/{anna.id}").status_code == 204


def test_missing_members_are_not_found(world: World) -> None:
    anna, ben = world.user(), world.user()
    place = f"/groups/{world.group(anna)['id']}/members"

    for answer in (
        anna.client.get(f"{place}/{ben.id}"),
        anna.client.get(f"{place}/all/{ben.id}"),
        anna.client.put(f"{place}/{ben.id}", json={"access_level": 10}),
        anna.client.delete(f"{place}/{ben.id}"),
    ):
        assert (answer.status_code, answer.json()) == (404, {"message": "404 Not found"})
    assert anna.client.get(f"{place}/x").json() == {"error": "user_id is invalid"}


def test_a_leaving_member_leaves_everything_below_unless_asked(world: World) -> None:
    anna, ben, cleo = world.user(), world.user(), world.user()
    top = world.group(anna)
    inner = world.group(anna, parent_id=top["id"])
    project = world.project(anna, namespace_id=inner["id"])
    for person in (ben, cleo):
        world.member(top, person, "reporter", kind="groups")
        world.member(inner, person, "developer", kind="groups")
        world.member(project, person, "maintainer")

    anna.client.delete(f"/groups/{top['id']}/members/{ben.id}")
    anna.client.delete(f"/groups/{top['id']}/members/{cleo.id}", params={"skip_subresources": "true"})

    assert ben.client.get(f"/projects/{project['id']}").status_code == 404
    assert cleo.client.ok("GET", f"/projects/{project['id']}/members/all/{cleo.id}")["access_level"] == 40


def test_lists_are_filtered(world: World) -> None:
    anna = world.user(name="Anna Arbor")
    ben, cleo = world.user(name="Ben Birch"), world.user(name="Cleo Cedar")
    top = world.group(anna)
    inner = world.group(anna, parent_id=top["id"])
    world.member(top, ben, "developer", kind="groups")
    world.member(inner, cleo, "guest", kind="groups")

    def names(path: str, **filters: Any) -> list[str]:
        return [row["name"] for row in anna.client.get(f"/groups/{inner['id']}/members{path}", **filters).json()]

    assert names("") == ["Anna Arbor", "Cleo Cedar"]
    assert names("/all") == ["Anna Arbor", "Ben Birch", "Cleo Cedar"]
    assert names("/all", query="b") == ["Anna Arbor", "Ben Birch"]
    assert names("/all", query=ben.username.upper()) == ["Ben Birch"]
    assert names("/all", query="%") == []
    assert names("/all", user_ids=[ben.id, cleo.id]) == ["Ben Birch", "Cleo Cedar"]
    assert names("/all", user_ids=f"{ben.id},{cleo.id}") == ["Ben Birch", "Cleo Cedar"]
    assert names("", skip_users=[anna.id]) == ["Cleo Cedar"]
    assert names("/all", state="active", user_ids=[ben.id]) == ["Ben Birch"]
    assert names("/all", state="awaiting") == []
    assert names("", per_page=1, page=2) == ["Cleo Cedar"]
    assert anna.client.get(f"/groups/{inner['id']}/members/all", state="gone").status_code == 400


def test_seats_and_addresses_are_shown_where_asked_and_allowed(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna)
    world.member(group, ben, 5, kind="groups")

    rows = anna.client.ok("GET", f"/groups/{group['id']}/members?show_seat_info=true")
    assert [row["is_using_seat"] for row in rows] == [True, False]
    assert "email" not in rows[0]
    assert world.admin.ok("GET", f"/groups/{group['id']}/members")[0]["email"] == f"{anna.username}@example.com"


def test_minimal_access_sees_the_group_but_nothing_in_it(world: World) -> None:
    anna, ben = world.user(), world.user()
    group = world.group(anna)
    project = world.project(anna, namespace_id=group["id"])
    world.member(group, ben, 5, kind="groups")

    assert ben.client.get(f"/groups/{group['id']}").status_code == 200
    assert ben.client.get(f"/projects/{project['id']}").status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_page(world: World) -> None:
    anna = world.user()
    group = world.group(anna)
    place = f"/groups/{group['id']}/members"
    for _ in range(6):
        world.member(group, world.user(), "guest", kind="groups")
    anna.client.get(place)

    for path in (place, f"{place}/all"):
        counts = {size: anna.client.queries(path, per_page=size) for size in (2, 20)}
        assert counts[2] == counts[20] <= 6


def test_expired_members_lose_their_rights_and_are_removed(world: World) -> None:
    anna, ben, cleo = world.user(), world.user(), world.user()
    group, invited = world.group(anna), world.group(anna)
    project = world.project(anna, namespace_id=group["id"])
    tomorrow = str(today() + timedelta(days=1))
    anna.client.ok(
        "POST", f"/groups/{group['id']}/members", json={"user_id": ben.id, "access_level": 30, "expires_at": tomorrow}
    )
    world.member(invited, cleo, "developer", kind="groups")
    anna.client.ok(
        "POST",
        f"/groups/{group['id']}/share",
        json={"group_id": invited["id"], "group_access": 20, "expires_at": tomorrow},
    )
    assert [person.client.get(f"/projects/{project['id']}").status_code for person in (ben, cleo)] == [200, 200]

    with world.server.services.db.write() as tx:
        for table in (members, group_group_links):
            tx.execute(update(table).where(table.c.expires_at.is_not(None)).values(expires_at=today()))
        jobs.enqueue(tx, "expire_memberships")
    until(lambda: cleo.client.get(f"/projects/{project['id']}").status_code == 404)

    assert ben.client.get(f"/groups/{group['id']}").status_code == 404
    assert [row["id"] for row in anna.client.ok("GET", f"/groups/{group['id']}/members/all")] == [anna.id]
    assert anna.client.ok("GET", f"/groups/{group['id']}")["shared_with_groups"] == []
