"""Lists that reach below a group show nothing of private groups and projects to people outside."""

from typing import Any

import pytest

from tests.support.client import Client
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def public_group(world: World) -> dict[str, Any]:
    """A public group that holds a private subgroup and a private project with plans in them."""
    group = world.group(visibility="public")
    subgroup = world.group(parent_id=group["id"], visibility="private")
    project = world.project(namespace_id=group["id"], visibility="private")
    hidden = world.project(namespace_id=subgroup["id"], visibility="private")
    for place in (f"/groups/{subgroup['id']}", f"/projects/{project['id']}", f"/projects/{hidden['id']}"):
        world.admin.ok("POST", f"{place}/labels", json={"name": f"secret of {place}", "color": "#112233"})
        world.admin.ok("POST", f"{place}/milestones", json={"title": f"secret of {place}"})
    world.admin.ok("POST", f"/groups/{group['id']}/labels", json={"name": "open", "color": "#112233"})
    world.admin.ok("POST", f"/groups/{group['id']}/milestones", json={"title": "open"})
    return {"group": group, "subgroup": subgroup, "project": project, "hidden": hidden}


@pytest.fixture(scope="module")
def stranger(world: World) -> Person:
    return world.user()


def labels(client: Client, group: dict[str, Any], **options: Any) -> set[str]:
    return {one["name"] for one in client.ok("GET", f"/groups/{group['id']}/labels", params=options)}


def milestones(client: Client, group: dict[str, Any], **options: Any) -> set[str]:
    return {one["title"] for one in client.ok("GET", f"/groups/{group['id']}/milestones", params=options)}


def test_outsiders_find_only_labels_of_what_they_may_see(
    world: World, stranger: Person, public_group: dict[str, Any]
) -> None:
    below = {"include_descendant_groups": "true", "only_group_labels": "false"}

    for client in (world.anonymous, stranger.client):
        assert labels(client, public_group["group"], **below) == {"open"}
        assert labels(client, public_group["group"], **below, search="secret") == set()
        reply = client.get(f"/groups/{public_group['group']['id']}/labels", **below)
        assert reply.headers["X-Total"] == "1"


def test_outsiders_find_only_milestones_of_what_they_may_see(
    world: World, stranger: Person, public_group: dict[str, Any]
) -> None:
    for client in (world.anonymous, stranger.client):
        assert milestones(client, public_group["group"], include_descendants="true") == {"open"}
        assert milestones(client, public_group["group"], include_descendants="true", search="secret") == set()


def test_members_of_a_part_find_that_part(world: World, public_group: dict[str, Any]) -> None:
    of_project, of_group = world.user(), world.user()
    world.member(public_group["project"], of_project, "guest")
    world.member(public_group["subgroup"], of_group, "guest", kind="groups")
    group, subgroup = public_group["group"], public_group["subgroup"]
    below = {"include_descendant_groups": "true", "only_group_labels": "false"}
    in_group = f"secret of /groups/{subgroup['id']}"
    in_project = f"secret of /projects/{public_group['project']['id']}"
    in_hidden = f"secret of /projects/{public_group['hidden']['id']}"

    assert labels(of_project.client, group, **below) == {"open", in_project}
    assert labels(of_group.client, group, **below) == {"open", in_group, in_hidden}
    assert labels(world.admin, group, **below) == {"open", in_group, in_hidden, in_project}
    assert milestones(of_group.client, group, include_descendants="true") == {"open", in_group}
    assert milestones(of_project.client, group, include_descendants="true") == {"open"}
