"""To-do items of merge requests: for approvers, and for authors whose pipelines fail."""

import pytest

from ingot.events import PipelineChanged
from ingot.kit.events import announce
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def actions(person: Person) -> list[tuple[str, str]]:
    todos = person.client.get("/todos").json()
    return [(todo["action_name"], todo["target_type"]) for todo in todos]


def test_approvers_are_asked(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    approver = world.user()
    world.member(project, approver, "developer")
    rule = {"name": "two eyes", "approvals_required": 1, "user_ids": [approver.id]}
    owner.client.ok("POST", f"/projects/{project['id']}/approval_rules", json=rule)

    request = world.merge_request(project, owner)

    assert actions(approver) == [("approval_required", "MergeRequest")]
    path = f"/projects/{project['id']}/merge_requests/{request['iid']}"
    owner.client.ok("PUT", path, json={"state_event": "close"})
    assert actions(approver) == []


def test_authors_hear_of_failed_pipelines(world: World, owner: Person) -> None:
    author = world.user()
    project = world.project(owner, initialize_with_readme=True)
    world.member(project, author, "developer")
    request = world.merge_request(project, author)

    announce(world.server.services, PipelineChanged(1, project["id"], request["sha"], "failed"))
    assert actions(author) == [("build_failed", "MergeRequest")]
    announce(world.server.services, PipelineChanged(2, project["id"], request["sha"], "success"))
    assert actions(author) == []
