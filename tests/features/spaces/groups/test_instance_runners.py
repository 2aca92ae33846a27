"""`shared_runners_setting` of groups and what it means for everything below."""

from tests.support.world import World


def test_switching_off_reaches_everything_below(world: World) -> None:
    anna = world.user()
    top = world.group(anna)
    inner = world.group(anna, parent_id=top["id"])
    project = world.project(anna, namespace_id=inner["id"])
    assert project["shared_runners_enabled"] is True

    anna.client.ok("PUT", f"/groups/{top['id']}", json={"shared_runners_setting": "disabled_and_unoverridable"})

    below = anna.client.ok("GET", f"/groups/{inner['id']}")
    assert below["shared_runners_setting"] == "disabled_and_unoverridable"
    assert anna.client.ok("GET", f"/projects/{project['id']}")["shared_runners_enabled"] is False
    assert world.project(anna, namespace_id=inner["id"])["shared_runners_enabled"] is False
    created = world.group(anna, parent_id=top["id"])
    assert created["shared_runners_setting"] == "disabled_and_unoverridable"
    refused = anna.client.put(f"/projects/{project['id']}", json={"shared_runners_enabled": True})
    assert refused.json() == {
        "message": {"shared_runners_enabled": ["cannot be enabled because parent group does not allow it"]}
    }


def test_a_group_has_no_more_freedom_than_the_one_above(world: World) -> None:
    anna = world.user()
    top = world.group(anna, shared_runners_setting="disabled_and_overridable")
    inner = world.group(anna, parent_id=top["id"])

    on = anna.client.put(f"/groups/{inner['id']}", json={"shared_runners_setting": "enabled"})
    assert on.json() == {
        "message": {"shared_runners_enabled": ["cannot be enabled because parent group has shared Runners disabled"]}
    }
    anna.client.ok("PUT", f"/groups/{inner['id']}", json={"shared_runners_setting": "disabled_and_overridable"})
    project = world.project(anna, namespace_id=inner["id"])
    assert project["shared_runners_enabled"] is False
    shown = anna.client.ok("PUT", f"/projects/{project['id']}", json={"shared_runners_enabled": True})
    assert shown["shared_runners_enabled"] is True
    anna.client.ok("PUT", f"/groups/{top['id']}", json={"shared_runners_setting": "disabled_and_unoverridable"})
    deeper = anna.client.put(f"/groups/{inner['id']}", json={"shared_runners_setting": "disabled_and_overridable"})
    assert deeper.status_code == 400


def test_a_transferred_group_follows_its_new_parent(world: World) -> None:
    anna = world.user()
    strict = world.group(anna, shared_runners_setting="disabled_and_unoverridable")
    moving = world.group(anna)
    project = world.project(anna, namespace_id=moving["id"])

    shown = anna.client.ok("POST", f"/groups/{moving['id']}/transfer", json={"group_id": strict["id"]})

    assert shown["shared_runners_setting"] == "disabled_and_unoverridable"
    assert anna.client.ok("GET", f"/projects/{project['id']}")["shared_runners_enabled"] is False
