"""Projects of groups, groups of projects, and the places to share with and to move to."""

from typing import Any

import pytest

from tests.support.world import Person, World


class Tree:
    """A group with a subgroup and projects, and another group that one project is shared with."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ada: Person = world.user()
        self.top = world.group(self.ada, visibility="public")
        self.sub = world.group(self.ada, parent_id=self.top["id"], visibility="public")
        self.other = world.group(self.ada, visibility="public")
        self.in_top = world.project(self.ada, namespace_id=self.top["id"], visibility="public")
        self.in_sub = world.project(self.ada, namespace_id=self.sub["id"], visibility="private")
        self.elsewhere = world.project(self.ada, visibility="public")
        self.ada.client.ok(
            "POST",
            f"/projects/{self.elsewhere['id']}/share",
            json={"group_id": self.top["id"], "group_access": 30},
        )

    def ids(self, path: str, person: Person | None = None, **params: Any) -> list[int]:
        client = person.client if person else self.ada.client
        return [entry["id"] for entry in client.get(path, **params).json()]


@pytest.fixture(scope="module")
def tree(world: World) -> Tree:
    return Tree(world)


def test_projects_of_a_group_with_and_without_shares_subgroups_and_ancestors(tree: Tree) -> None:
    here = f"/groups/{tree.top['id']}/projects"

    assert tree.ids(here) == [tree.elsewhere["id"], tree.in_top["id"]]
    assert tree.ids(here, with_shared=False) == [tree.in_top["id"]]
    assert tree.ids(here, include_subgroups=True) == [tree.elsewhere["id"], tree.in_sub["id"], tree.in_top["id"]]
    assert tree.ids(f"/groups/{tree.sub['id']}/projects", include_ancestor_groups=True) == [
        tree.in_sub["id"],
        tree.in_top["id"],
    ]
    assert tree.ids(f"{here}/shared") == [tree.elsewhere["id"]]
    assert tree.ids(here, search=tree.in_top["name"]) == [tree.in_top["id"]]
    assert "permissions" not in tree.ada.client.get(here).json()[0]


def test_strangers_and_anonymous_see_public_projects_of_a_group(tree: Tree) -> None:
    here = f"/groups/{tree.top['id']}/projects"
    stranger = tree.world.user()

    assert tree.ids(here, stranger, include_subgroups=True) == [tree.elsewhere["id"], tree.in_top["id"]]
    shown = tree.world.anonymous.get(here).json()
    assert [project["id"] for project in shown] == [tree.elsewhere["id"], tree.in_top["id"]]
    assert "visibility" not in shown[0]


def test_groups_of_a_project(tree: Tree) -> None:
    assert tree.ids(f"/projects/{tree.in_sub['id']}/groups") == [tree.sub["id"], tree.top["id"]]
    assert tree.ids(f"/projects/{tree.in_sub['id']}/groups", skip_groups=tree.sub["id"]) == [tree.top["id"]]
    assert tree.ids(f"/projects/{tree.elsewhere['id']}/groups") == []
    assert tree.ids(f"/projects/{tree.elsewhere['id']}/groups", with_shared=True) == [tree.top["id"]]
    assert tree.ids(f"/projects/{tree.elsewhere['id']}/groups", with_shared=True, shared_min_access_level=40) == []
    assert tree.ids(f"/projects/{tree.elsewhere['id']}/invited_groups") == [tree.top["id"]]
    assert tree.ids(f"/projects/{tree.elsewhere['id']}/invited_groups", relation=["inherited"]) == []


def test_places_to_share_with_and_to_move_to(tree: Tree) -> None:
    shares = tree.ids(f"/projects/{tree.in_sub['id']}/share_locations")
    moves = tree.ids(f"/projects/{tree.in_sub['id']}/transfer_locations")

    assert shares == [tree.other["id"]]
    assert moves == [tree.other["id"], tree.top["id"]]
    assert tree.ids(f"/projects/{tree.in_sub['id']}/transfer_locations", search=tree.other["name"]) == [
        tree.other["id"]
    ]


def test_an_administrator_moves_a_project_into_a_group(tree: Tree) -> None:
    project = tree.world.project(tree.ada)
    place = f"/groups/{tree.other['id']}/projects/{project['id']}"

    assert tree.ada.client.post(place).status_code == 403
    moved = tree.world.admin.ok("POST", place)

    assert moved["id"] == tree.other["id"]
    assert project["id"] in [entry["id"] for entry in moved["projects"]]
