"""What merge requests and issues are without a paid tier."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of the free tier."""
    data: Path = tmp_path_factory.mktemp("data")
    with RunningServer(databases.fresh(data), data, tier="free") as running:
        yield running


def test_one_assignee_and_labels_without_scopes(world: World) -> None:
    owner, first, second = world.user(), world.user(), world.user()
    project = world.project(owner, initialize_with_readme=True)
    for person in (first, second):
        world.member(project, person, "developer")
    people = {"assignee_ids": [first.id, second.id], "labels": "size::small,size::large"}

    created = world.merge_request(project, owner, reviewer_ids=[second.id, first.id], **people)
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "i", **people})

    for item in (created, issue):
        assert [person["id"] for person in item["assignees"]] == [first.id]
        assert item["labels"] == ["size::large", "size::small"]
    assert [person["id"] for person in created["reviewers"]] == [second.id]
    assert "approvals_before_merge" not in created
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    changed = owner.client.ok("PUT", path, json={"assignee_ids": [second.id, first.id], "add_labels": "size::huge"})
    assert [person["id"] for person in changed["assignees"]] == [second.id]
    assert changed["labels"] == ["size::huge", "size::large", "size::small"]


@pytest.mark.parametrize("items", ["issues", "merge_requests"])
def test_lists_are_filtered_by_one_assignee(world: World, items: str) -> None:
    owner = world.user()
    project = world.project(owner)

    refused = owner.client.get(f"/projects/{project['id']}/{items}", assignee_username=["ada", "bob"])

    assert refused.status_code == 400
    assert refused.json() == {"error": "assignee_username allows one value, but found 2: ada, bob"}
    assert owner.client.get(f"/projects/{project['id']}/{items}", assignee_username=["ada"]).json() == []


def test_paid_endpoints_are_not_there(world: World) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    for paid in ("blocks", "blockees", "approval_state", "approval_rules"):
        assert owner.client.get(f"{path}/{paid}").status_code == 404
    assert owner.client.get(f"/projects/{project['id']}/merge_request_approval_setting").status_code == 403
    assert set(owner.client.ok("GET", f"{path}/approvals")) == {
        "user_has_approved", "user_can_approve", "approved", "approved_by",
    }  # fmt: skip


def test_what_the_paid_tiers_ask_for_never_stands_in_the_way_of_a_merge(world: World) -> None:
    owner, reviewer = world.user(), world.user()
    project = world.project(owner, initialize_with_readme=True)
    world.member(project, reviewer, "developer")
    created = world.merge_request(project, owner, approvals_before_merge=3, reviewer_ids=[reviewer.id])
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    owner.client.ok("PUT", path, json={"approvals_before_merge": 2, "title": "Still mergeable"})
    reviewer.client.ok("POST", f"{path}/notes", json={"body": "/request_changes"})

    assert owner.client.ok("GET", path)["detailed_merge_status"] == "mergeable"
    assert owner.client.ok("PUT", f"{path}/merge")["state"] == "merged"


def test_everybody_may_approve_and_a_push_takes_no_approval_away(world: World) -> None:
    owner, author = world.user(), world.user()
    project = world.project(owner, initialize_with_readme=True)
    world.member(project, author, "developer")
    created = world.merge_request(project, author)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    assert author.client.ok("GET", f"{path}/approvals")["user_can_approve"]
    for person in (author, owner):
        assert person.client.ok("POST", f"{path}/approve")["approved"]
    world.commit(project, created["source_branch"], {"more.txt": "more\n"}, user_id=author.id)
    world.run_jobs()

    shown = owner.client.ok("GET", f"{path}/approvals")
    assert [entry["user"]["id"] for entry in shown["approved_by"]] == [author.id, owner.id]


def test_milestones_have_no_burndown_chart(world: World) -> None:
    path = f"/projects/{world.project()['id']}/milestones"
    milestone = world.admin.ok("POST", path, json={"title": "v1"})

    refused = world.admin.get(f"{path}/{milestone['id']}/burndown_events")

    assert (refused.status_code, refused.json()) == (405, {"message": "Milestone does not support burndown chart"})
