"""POST /groups and GET /groups/:id."""

from tests.support.world import World


def test_the_creator_becomes_owner(world: World) -> None:
    anna = world.user()

    group = world.group(anna, name="Design Team", path="design-team")

    assert group["full_path"] == "design-team"
    assert group["visibility"] == "private"
    mine = anna.client.ok("GET", f"/groups/{group['id']}/members")
    assert [(member["id"], member["access_level"]) for member in mine] == [(anna.id, 50)]


def test_a_taken_path_is_refused(world: World) -> None:
    anna = world.user()
    group = world.group(anna)

    answer = anna.client.post("/groups", json={"name": "Other", "path": group["path"].upper()})

    assert answer.status_code == 400
    assert answer.json() == {"message": 'Failed to save group {:path=>["has already been taken"]}'}


def test_a_subgroup_is_found_by_its_full_path(world: World) -> None:
    anna = world.user()
    group = world.group(anna)
    made = world.group(anna, path="inner", parent_id=group["id"])

    found = anna.client.ok("GET", f"/groups/{group['path']}%2Finner")

    assert found["id"] == made["id"]
    assert found["parent_id"] == group["id"]
    assert found["full_name"] == f"{group['name']} / inner"


def test_strangers_do_not_find_a_private_group(world: World) -> None:
    group = world.group(world.user())

    for client in (world.user().client, world.anonymous):
        answer = client.get(f"/groups/{group['id']}")
        assert (answer.status_code, answer.json()) == (404, {"message": "404 Group Not Found"})
