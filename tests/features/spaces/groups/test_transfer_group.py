"""POST /groups/:id/transfer and the places to transfer to."""

from typing import Any

from ingot.features.people.saml.commands.provider import ensure_provider
from tests.support.world import World


def test_a_group_moves_with_everything_below(world: World) -> None:
    anna, ben = world.user(), world.user()
    old, new = world.group(anna, visibility="public"), world.group(anna, visibility="internal")
    moving = world.group(anna, path="moving", parent_id=old["id"], visibility="public")
    inner = world.group(anna, path="inner", parent_id=moving["id"], visibility="public")
    project = world.project(anna, path="tool", namespace_id=inner["id"], visibility="public")
    world.member(new, ben, "maintainer", kind="groups")

    shown = anna.client.ok("POST", f"/groups/{moving['id']}/transfer", json={"group_id": new["id"]})

    assert (shown["parent_id"], shown["visibility"]) == (new["id"], "internal")
    moved = ben.client.ok("GET", f"/projects/{project['id']}")
    assert moved["path_with_namespace"] == f"{new['path']}/moving/inner/tool"
    assert moved["visibility"] == "internal"
    assert ben.client.ok("GET", f"/projects/{project['id']}/members/all/{ben.id}")["access_level"] == 40
    below = [group["id"] for group in anna.client.ok("GET", f"/groups/{new['id']}/descendant_groups?order_by=id")]
    assert below == [moving["id"], inner["id"]]
    assert anna.client.get(f"/projects/{old['path']}%2Fmoving%2Finner%2Ftool").status_code == 301


def test_a_group_moves_to_the_top(world: World) -> None:
    anna, ben = world.user(), world.user()
    top = world.group(anna)
    inner = world.group(anna, path=world.name("rising"), parent_id=top["id"])
    world.member(top, ben, "developer", kind="groups")
    assert ben.client.get(f"/groups/{inner['id']}").status_code == 200

    shown = anna.client.ok("POST", f"/groups/{inner['id']}/transfer", json={})

    assert (shown["parent_id"], shown["full_path"]) == (None, inner["path"])
    assert ben.client.get(f"/groups/{inner['id']}").status_code == 404


def test_what_cannot_be_transferred_is_refused_with_the_reason(world: World) -> None:
    anna, ben = world.user(), world.user()
    top, other = world.group(anna), world.group(anna)
    inner = world.group(anna, path="inner", parent_id=top["id"])
    world.group(anna, path="inner", parent_id=other["id"])
    guarded = world.group()
    world.member(guarded, anna, "developer", kind="groups")
    world.member(top, ben, "maintainer", kind="groups")

    def answer(group: Any, target: Any = None) -> tuple[int, Any]:
        result = anna.client.post(f"/groups/{group['id']}/transfer", json={"group_id": target and target["id"]})
        return result.status_code, result.json()

    def failed(reason: str) -> tuple[int, Any]:
        return 400, {"message": f"Transfer failed: {reason}"}

    assert answer(top) == failed("Group is already a root group.")
    assert answer(inner, top) == failed("Group is already associated to the parent group.")
    assert answer(top, inner) == failed("Cannot transfer group to one of its subgroup.")
    assert answer(inner, guarded) == failed("You don't have enough permissions.")
    assert answer(inner, other) == failed("The parent group already has a subgroup or a project with the same path.")
    assert answer(inner, world.group()) == (404, {"message": "404 Group Not Found"})
    assert ben.client.post(f"/groups/{top['id']}/transfer", json={}).status_code == 403


def test_a_transfer_does_not_nest_too_deep(world: World) -> None:
    parent = world.group()
    for depth in range(1, 20):
        parent = world.group(path=f"l{depth}", parent_id=parent["id"])
    moving = world.group()
    world.group(parent_id=moving["id"])

    answer = world.admin.post(f"/groups/{moving['id']}/transfer", json={"group_id": parent["id"]})

    assert answer.json() == {"message": "Transfer failed: Parent has too deep level of nesting"}


def test_places_to_transfer_to(world: World) -> None:
    anna = world.user()
    parent, free, strict = world.group(anna), world.group(anna), world.group(subgroup_creation_level="owner")
    world.member(strict, anna, "maintainer", kind="groups")
    moving = world.group(anna, parent_id=parent["id"])
    world.group(anna, parent_id=moving["id"])

    result = anna.client.ok("GET", f"/groups/{moving['id']}/transfer_locations")

    assert [place["id"] for place in result] == [free["id"]]
    assert set(result[0]) == {"id", "web_url", "name", "avatar_url", "full_name", "full_path"}
    assert anna.client.ok("GET", f"/groups/{moving['id']}/transfer_locations?search=nothing") == []


def test_a_group_that_signs_people_in_stays_at_the_top(world: World) -> None:
    anna = world.user()
    group, target = world.group(anna), world.group(anna)
    with world.server.services.db.write() as tx:
        ensure_provider(tx, group["id"])

    answer = anna.client.post(f"/groups/{group['id']}/transfer", json={"group_id": target["id"]})

    assert answer.json() == {"message": "Transfer failed: SAML Provider or SCIM Token is configured for this group."}
