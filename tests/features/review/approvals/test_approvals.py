from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def reviewer(world: World) -> Person:
    return world.user()


@pytest.fixture
def opened(world: World, owner: Person, reviewer: Person) -> tuple[dict[str, Any], str]:
    """A project with a developer besides its owner, and one open request."""
    project = world.project(owner, initialize_with_readme=True)
    world.member(project, reviewer, "developer")
    world.commit(project, "f", {"a.txt": "one\n"}, author_email=f"{owner.username}@example.com")
    body = {"title": "t", "source_branch": "f", "target_branch": "main", "reviewer_ids": [reviewer.id]}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    return project, f"/projects/{project['id']}/merge_requests/{created['iid']}"


def rule(client: Any, project: dict[str, Any], **fields: Any) -> dict[str, Any]:
    values = {"name": "Security", "approvals_required": 1, **fields}
    created: dict[str, Any] = client.ok("POST", f"/projects/{project['id']}/approval_rules", json=values)
    return created


def test_an_approval_is_given_and_taken_back(reviewer: Person, opened: tuple[dict[str, Any], str]) -> None:
    _, path = opened

    given = reviewer.client.post(f"{path}/approve")

    assert given.status_code == 201
    assert given.json()["user_has_approved"] is True
    assert [one["user"]["id"] for one in given.json()["approved_by"]] == [reviewer.id]
    assert reviewer.client.post(f"{path}/approve").status_code == 401
    assert reviewer.client.ok("GET", f"{path}/reviewers")[0]["state"] == "approved"
    taken = reviewer.client.post(f"{path}/unapprove")
    assert (taken.status_code, taken.json()["approved_by"]) == (201, [])
    again = reviewer.client.post(f"{path}/unapprove")
    assert (again.status_code, again.json()) == (404, {"message": "404 Not Found"})


def test_a_request_without_rules_asks_for_no_people_groups_and_branches_of_rules(
    owner: Person, reviewer: Person, opened: tuple[dict[str, Any], str]
) -> None:
    project, path = opened

    without = owner.client.queries(f"{path}/approvals")
    rule(owner.client, project, user_ids=[reviewer.id])

    assert owner.client.queries(f"{path}/approvals") >= without + 3


def test_a_rule_holds_the_merge_until_its_people_approve(
    world: World, owner: Person, reviewer: Person, opened: tuple[dict[str, Any], str]
) -> None:
    project, path = opened
    rule(owner.client, project, user_ids=[reviewer.id])

    assert owner.client.ok("GET", path)["detailed_merge_status"] == "not_approved"
    refused = owner.client.put(f"{path}/merge")
    assert (refused.status_code, refused.json()["reason"]) == (405, "not_approved")
    left = owner.client.ok("GET", f"{path}/approvals")
    assert (left["approved"], left["approvals_required"], left["approvals_left"]) == (False, 1, 1)
    assert [entry["name"] for entry in left["approval_rules_left"]] == ["Security"]

    reviewer.client.ok("POST", f"{path}/approve")

    state = owner.client.ok("GET", f"{path}/approval_state")
    assert [(one["name"], one["approved"]) for one in state["rules"]] == [("Security", True)]
    assert owner.client.ok("PUT", f"{path}/merge")["state"] == "merged"


def test_authors_may_not_approve_unless_allowed(owner: Person, opened: tuple[dict[str, Any], str]) -> None:
    project, path = opened
    setting = f"/projects/{project['id']}/merge_request_approval_setting"
    assert owner.client.post(f"{path}/approve").status_code == 401

    owner.client.ok("PUT", setting, json={"allow_author_approval": True})

    assert owner.client.post(f"{path}/approve").status_code == 201


def test_committers_may_be_barred(
    world: World, owner: Person, reviewer: Person, opened: tuple[dict[str, Any], str]
) -> None:
    project, path = opened
    world.commit(project, "f", {"b.txt": "b\n"}, author_email=f"{reviewer.username}@example.com")
    setting = f"/projects/{project['id']}/merge_request_approval_setting"

    owner.client.ok("PUT", setting, json={"allow_committer_approval": False})

    assert reviewer.client.post(f"{path}/approve").status_code == 401


def test_a_push_removes_approvals_unless_they_are_retained(
    world: World, owner: Person, reviewer: Person, opened: tuple[dict[str, Any], str]
) -> None:
    project, path = opened
    reviewer.client.ok("POST", f"{path}/approve")
    world.commit(project, "f", {"c.txt": "c\n"})
    assert owner.client.ok("GET", f"{path}/approvals")["approved_by"] == []
    setting = f"/projects/{project['id']}/merge_request_approval_setting"
    owner.client.ok("PUT", setting, json={"retain_approvals_on_push": True})
    reviewer.client.ok("POST", f"{path}/approve")

    world.commit(project, "f", {"d.txt": "d\n"})

    assert len(owner.client.ok("GET", f"{path}/approvals")["approved_by"]) == 1


def test_a_rebase_without_changes_keeps_approvals(
    world: World, owner: Person, reviewer: Person, opened: tuple[dict[str, Any], str]
) -> None:
    project, path = opened
    reviewer.client.ok("POST", f"{path}/approve")
    world.commit(project, "main", {"other.txt": "x\n"})

    owner.client.put(f"{path}/rebase")
    world.run_jobs()

    assert len(owner.client.ok("GET", f"{path}/approvals")["approved_by"]) == 1


def test_a_stale_head_is_not_approved(reviewer: Person, opened: tuple[dict[str, Any], str]) -> None:
    refused = reviewer.client.post(f"{opened[1]}/approve", json={"sha": "0" * 40})

    assert refused.status_code == 409
    assert refused.json()["message"].startswith("SHA does not match HEAD of source branch: ")


def test_selective_removal_spares_those_who_own_nothing_changed(
    world: World, owner: Person, reviewer: Person, opened: tuple[dict[str, Any], str]
) -> None:
    project, path = opened
    other = world.user()
    world.member(project, other, "developer")
    world.commit(project, "main", {"CODEOWNERS": f"*.py @{reviewer.username}\n*.md @{other.username}\n"})
    setting = f"/projects/{project['id']}/merge_request_approval_setting"
    owner.client.ok("PUT", setting, json={"selective_code_owner_removals": True})
    for person in (reviewer, other):
        person.client.ok("POST", f"{path}/approve")

    world.commit(project, "f", {"new.py": "x = 1\n"})

    left = owner.client.ok("GET", f"{path}/approvals")["approved_by"]
    assert [one["user"]["id"] for one in left] == [other.id]


def test_rules_of_a_request_override_the_projects(
    owner: Person, reviewer: Person, opened: tuple[dict[str, Any], str]
) -> None:
    project, path = opened
    created = owner.client.ok(
        "POST", f"{path}/approval_rules", json={"name": "Mine", "approvals_required": 1, "user_ids": [reviewer.id]}
    )
    assert owner.client.ok("GET", f"{path}/approval_state")["approval_rules_overwritten"] is True
    taken = owner.client.post(f"{path}/approval_rules", json={"name": "Mine", "approvals_required": 1})
    assert (taken.status_code, taken.json()) == (400, {"message": {"name": ["has already been taken"]}})
    changed = owner.client.ok("PUT", f"{path}/approval_rules/{created['id']}", json={"approvals_required": 0})
    assert changed["approvals_required"] == 0
    setting = f"/projects/{project['id']}/merge_request_approval_setting"
    owner.client.ok("PUT", setting, json={"allow_overrides_to_approver_list_per_merge_request": False})

    refused = owner.client.put(f"{path}/approval_rules/{created['id']}", json={"approvals_required": 2})

    assert (refused.status_code, refused.json()) == (403, {"message": ["Prohibited"]})


def test_one_rule_for_everybody_at_most(owner: Person, opened: tuple[dict[str, Any], str]) -> None:
    project, path = opened
    created = rule(owner.client, project, name="Anyone", approvals_required=2)
    # In the project it has the name that was given, by which tools find it again; a request shows the usual one.
    assert (created["rule_type"], created["name"]) == ("any_approver", "Anyone")
    assert [one["name"] for one in owner.client.ok("GET", f"{path}/approval_state")["rules"]] == ["All Members"]

    again = owner.client.post(
        f"/projects/{project['id']}/approval_rules", json={"name": "More", "approvals_required": 1}
    )

    assert again.json() == {"message": {"rule_type": ["any-approver for the project already exists"]}}
    assert owner.client.ok("GET", f"/projects/{project['id']}/approvals")["approvals_before_merge"] == 2
    assert owner.client.ok("GET", f"{path}/approvals")["approvals_left"] == 2
    assert owner.client.delete(f"/projects/{project['id']}/approval_rules/{created['id']}").status_code == 204
