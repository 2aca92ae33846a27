"""A project's rule that is copied onto a request asks the same people as before, and nobody else's approval counts."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.world import Person, World

pytestmark = pytest.mark.costly


@dataclass
class Scene:
    """A request that is older than the rule of its project."""

    author: Person
    listed: Person
    unlisted: Person
    path: str
    rule: dict[str, Any]

    def copy(self, **more: Any) -> dict[str, Any]:
        body = {"name": "Anything", "approvals_required": 1, "approval_project_rule_id": self.rule["id"], **more}
        rule: dict[str, Any] = self.author.client.ok("POST", f"{self.path}/approval_rules", json=body)
        return rule

    def merge(self) -> int:
        return int(self.author.client.put(f"{self.path}/merge").status_code)


@pytest.fixture
def scene(world: World) -> Scene:
    maintainer, author, listed, unlisted = (world.user() for _ in range(4))
    project = world.project(maintainer, initialize_with_readme=True)
    base = f"/projects/{project['id']}"
    world.member(project, author, "maintainer")
    for person in (listed, unlisted):
        world.member(project, person, "developer")
    request = world.merge_request(project, author)
    body = {"name": "Security", "approvals_required": 1, "user_ids": [listed.id]}
    rule = maintainer.client.ok("POST", f"{base}/approval_rules", json=body)
    return Scene(author, listed, unlisted, f"{base}/merge_requests/{request['iid']}", rule)


def test_an_unlisted_approval_does_not_merge(scene: Scene) -> None:
    copied = scene.copy()

    assert (copied["name"], copied["rule_type"]) == ("Security", "regular")
    assert [user["id"] for user in copied["users"]] == [scene.listed.id]
    scene.unlisted.client.ok("POST", f"{scene.path}/approve")
    assert scene.merge() == 405
    scene.listed.client.ok("POST", f"{scene.path}/approve")
    assert scene.merge() == 200


def test_a_second_copy_brings_the_people_back(scene: Scene, world: World) -> None:
    first = scene.copy()
    changed = {"user_ids": [scene.unlisted.id], "name": "Mine"}
    scene.author.client.ok("PUT", f"{scene.path}/approval_rules/{first['id']}", json=changed)

    again = scene.copy()

    assert (again["id"], again["name"], again["rule_type"]) == (first["id"], "Security", "regular")
    assert [user["id"] for user in again["users"]] == [scene.listed.id]


@pytest.mark.parametrize("way", ["when copied", "later"])
def test_an_emptied_copy_is_no_rule_for_everybody(scene: Scene, way: str) -> None:
    copied = scene.copy(user_ids=[]) if way == "when copied" else scene.copy()
    path = f"{scene.path}/approval_rules/{copied['id']}"
    if way == "later":
        scene.author.client.ok("PUT", path, json={"user_ids": []})

    emptied = scene.author.client.ok("GET", path)

    assert (emptied["users"], emptied["rule_type"], emptied["name"]) == ([], "regular", "Security")
    scene.unlisted.client.ok("POST", f"{scene.path}/approve")
    state = scene.author.client.ok("GET", f"{scene.path}/approval_state")
    assert [rule["approved_by"] for rule in state["rules"]] == [[]]


def test_groups_are_copied_and_emptied_likewise(scene: Scene, world: World) -> None:
    group = world.group(scene.author)
    world.member(group, scene.listed, "developer", kind="groups")
    rules = scene.path.partition("/merge_requests")[0] + "/approval_rules"
    scene.author.client.ok("PUT", f"{rules}/{scene.rule['id']}", json={"group_ids": [group["id"]], "user_ids": []})

    copied = scene.copy()

    assert [one["id"] for one in copied["groups"]] == [group["id"]]
    assert scene.copy(group_ids=[])["groups"] == []


def test_a_rule_for_everybody_stays_one(scene: Scene) -> None:
    base = scene.path.partition("/merge_requests")[0]
    body = {"name": "All", "approvals_required": 1, "rule_type": "any_approver"}
    everybody = scene.author.client.ok("POST", f"{base}/approval_rules", json=body)

    copied = scene.copy(approval_project_rule_id=everybody["id"], approvals_required=2)

    assert (copied["rule_type"], copied["approvals_required"]) == ("any_approver", 2)


def test_rules_of_other_projects_are_not_copied(scene: Scene, world: World) -> None:
    elsewhere = world.project(scene.author)
    rule = {"name": "Theirs", "approvals_required": 0, "user_ids": [scene.author.id]}
    theirs = scene.author.client.ok("POST", f"/projects/{elsewhere['id']}/approval_rules", json=rule)
    body = {"name": "x", "approvals_required": 0, "approval_project_rule_id": theirs["id"]}

    assert scene.author.client.post(f"{scene.path}/approval_rules", json=body).status_code == 404
