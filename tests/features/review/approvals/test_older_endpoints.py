"""The older lists of approvers, forms of rules and numbers that clients still use."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True, visibility="public")


@pytest.fixture
def request_path(world: World, owner: Person, project: dict[str, Any]) -> str:
    opened = world.merge_request(project, owner)
    return f"/projects/{project['id']}/merge_requests/{opened['iid']}"


def names(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["user"]["username"] for entry in entries]


def test_approvers_of_a_project_are_replaced(world: World, owner: Person, project: dict[str, Any]) -> None:
    first, second, group = world.user(), world.user(), world.group(owner)
    path = f"/projects/{project['id']}/approvers"

    reply = owner.client.put(path, json={"approver_ids": [first.id], "approver_group_ids": [group["id"]]})

    assert reply.status_code == 200
    assert names(reply.json()["approvers"]) == [first.username]
    assert [entry["group"]["name"] for entry in reply.json()["approver_groups"]] == [group["name"]]
    owner.client.ok("PUT", path, json={"approver_ids": [second.id], "approver_group_ids": []})
    shown = owner.client.ok("GET", f"/projects/{project['id']}/approvals")
    assert (names(shown["approvers"]), shown["approver_groups"]) == ([second.username], [])
    rules = owner.client.ok("GET", f"/projects/{project['id']}/approval_rules")
    assert [(rule["name"], [user["id"] for user in rule["users"]]) for rule in rules] == [("Default", [second.id])]
    emptied = owner.client.put(path, data={"approver_ids": "", "approver_group_ids": ""})
    assert (emptied.status_code, emptied.json()["approvers"]) == (200, [])
    assert owner.client.ok("GET", f"/projects/{project['id']}/approval_rules") == []


def test_both_lists_of_approvers_are_needed(owner: Person, project: dict[str, Any]) -> None:
    reply = owner.client.put(f"/projects/{project['id']}/approvers", json={"approver_ids": [1]})

    assert (reply.status_code, reply.json()) == (400, {"error": "approver_group_ids is missing"})


def test_other_rules_outlive_the_list_of_approvers(world: World, owner: Person, project: dict[str, Any]) -> None:
    rules = f"/projects/{project['id']}/approval_rules"
    owner.client.ok("POST", rules, json={"name": "Security", "approvals_required": 1, "users": [owner.id]})

    empty = {"approver_ids": [], "approver_group_ids": []}
    owner.client.ok("PUT", f"/projects/{project['id']}/approvers", json=empty)

    assert [rule["name"] for rule in owner.client.ok("GET", rules)] == ["Security"]


def test_only_maintainers_replace_approvers(world: World, project: dict[str, Any]) -> None:
    path, body = f"/projects/{project['id']}/approvers", {"approver_ids": [], "approver_group_ids": []}
    developer, stranger = world.user(), world.user()
    world.member(project, developer, "developer")

    assert developer.client.put(path, json=body).status_code == 403
    assert stranger.client.put(path, json=body).status_code == 403
    assert world.anonymous.put(path, json=body).status_code == 401


def test_private_projects_take_members_as_approvers_only(world: World, owner: Person) -> None:
    private, stranger = world.project(owner), world.user()
    path = f"/projects/{private['id']}/approvers"

    shown = owner.client.ok("PUT", path, json={"approver_ids": [stranger.id, owner.id], "approver_group_ids": []})

    assert names(shown["approvers"]) == [owner.username]


def test_approvers_of_a_request_are_replaced(
    world: World, owner: Person, project: dict[str, Any], request_path: str
) -> None:
    approver, group, hidden = world.user(), world.group(owner), world.group(visibility="private")
    body = {"approver_ids": [approver.id], "approver_group_ids": [group["id"], hidden["id"]]}

    reply = owner.client.put(f"{request_path}/approvers", json=body)

    assert reply.status_code == 200
    assert names(reply.json()["approvers"]) == [approver.username]
    assert [entry["group"]["id"] for entry in reply.json()["approver_groups"]] == [group["id"]]
    stranger = world.user()
    assert stranger.client.put(f"{request_path}/approvers", json=body).status_code == 403
    empty = {"approver_ids": [], "approver_group_ids": []}
    assert owner.client.ok("PUT", f"{request_path}/approvers", json=empty)["approvers"] == []


def test_locked_requests_keep_their_approvers(owner: Person, project: dict[str, Any], request_path: str) -> None:
    locked = {"disable_overriding_approvers_per_merge_request": True}
    owner.client.ok("POST", f"/projects/{project['id']}/approvals", json=locked)

    reply = owner.client.put(f"{request_path}/approvers", json={"approver_ids": [owner.id], "approver_group_ids": []})

    assert (reply.status_code, reply.json()) == (403, {"message": ["Prohibited"]})
    assert owner.client.ok("GET", f"{request_path}/approvals")["approvers"] == []


def test_rules_of_a_project_in_their_older_form(world: World, owner: Person, project: dict[str, Any]) -> None:
    path = f"/projects/{project['id']}/approval_settings"

    created = owner.client.post(
        f"{path}/rules", json={"name": "Security", "approvals_required": 2, "users": [owner.id], "groups": []}
    )

    assert created.status_code == 201
    rule = created.json()
    assert [user["id"] for user in rule["approvers"]] == [owner.id]
    assert "eligible_approvers" not in rule
    owner.client.ok("POST", f"/projects/{project['id']}/approvals", json={"approvals_before_merge": 3})
    shown = owner.client.ok("GET", path)
    assert [one["name"] for one in shown["rules"]] == ["Security", "All Members"]
    assert shown["fallback_approvals_required"] == 3
    changed = owner.client.put(f"{path}/rules/{rule['id']}", json={"approvals_required": 1})
    assert (changed.status_code, changed.json()["approvals_required"]) == (200, 1)
    reader = world.user()
    world.member(project, reader, "guest")
    assert reader.client.ok("GET", path)["rules"][0]["name"] == "Security"
    assert reader.client.delete(f"{path}/rules/{rule['id']}").status_code == 403
    assert owner.client.delete(f"{path}/rules/{rule['id']}").status_code == 204
    assert owner.client.delete(f"{path}/rules/{rule['id']}").status_code == 404


def test_older_rules_are_filtered_by_their_branch(world: World, owner: Person, project: dict[str, Any]) -> None:
    path = f"/projects/{project['id']}/approval_settings"
    branch = owner.client.ok("POST", f"/projects/{project['id']}/protected_branches", json={"name": "release"})
    for name, branches in (("Everywhere", []), ("Releases", [branch["id"]])):
        rule = {"name": name, "approvals_required": 1, "user_ids": [owner.id], "protected_branch_ids": branches}
        owner.client.ok("POST", f"{path}/rules", json=rule)

    def listed(**query: str) -> list[str]:
        return [rule["name"] for rule in owner.client.ok("GET", path, params=query)["rules"]]

    assert listed() == ["Everywhere", "Releases"]
    assert listed(target_branch="main") == ["Everywhere"]
    assert listed(target_branch="release") == ["Everywhere", "Releases"]


def test_rules_of_a_request_in_their_older_form(
    world: World, owner: Person, project: dict[str, Any], request_path: str
) -> None:
    reviewer = world.user()
    world.member(project, reviewer, "developer")
    rule = {"name": "Security", "approvals_required": 1, "users": [reviewer.id]}
    owner.client.ok("POST", f"{request_path}/approval_rules", json=rule)
    reviewer.client.ok("POST", f"{request_path}/approve")

    shown = owner.client.ok("GET", f"{request_path}/approval_settings")

    assert shown["approval_rules_overwritten"] is True
    (first,) = shown["rules"]
    assert [user["id"] for user in first["approvers"]] == [user["id"] for user in first["approved_by"]] == [reviewer.id]
    assert (first["approved"], first["source_rule"], first["commented_by"]) == (True, None, [])
    reviewer.client.ok("POST", f"{request_path}/notes", json={"body": "Fine."})
    again = owner.client.ok("GET", f"{request_path}/approval_settings")
    assert [user["id"] for user in again["rules"][0]["commented_by"]] == [reviewer.id]


def test_a_number_of_approvals_is_not_taken_where_overriding_is_locked(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    free = world.merge_request(project, owner, approvals_before_merge=2)
    assert free["approvals_before_merge"] == 2
    lock = f"/projects/{project['id']}/approvals"
    owner.client.ok("POST", lock, json={"disable_overriding_approvers_per_merge_request": True})

    locked = world.merge_request(project, owner, approvals_before_merge=2)

    path = f"/projects/{project['id']}/merge_requests"
    assert locked["approvals_before_merge"] is None
    assert owner.client.ok("GET", f"{path}/{free['iid']}")["approvals_before_merge"] is None
    listed = owner.client.ok("GET", path)
    assert [one["approvals_before_merge"] for one in listed] == [None, None]
    owner.client.ok("POST", lock, json={"disable_overriding_approvers_per_merge_request": False})
    assert owner.client.ok("GET", f"{path}/{free['iid']}")["approvals_before_merge"] == 2
    assert owner.client.ok("GET", f"{path}/{locked['iid']}")["approvals_before_merge"] is None
    assert owner.client.ok("GET", f"{path}/{locked['iid']}/approvals")["approvals_required"] == 0


def test_rules_are_changed_with_the_request_itself(world: World, owner: Person, request_path: str) -> None:
    rule = {"name": "Security", "approvals_required": 1, "user_ids": [owner.id]}
    created = owner.client.ok("POST", f"{request_path}/approval_rules", json=rule)
    body = {"title": "New title", "approval_rules_attributes": [{"id": created["id"], "approvals_required": 2}]}

    changed = owner.client.ok("PUT", request_path, json=body)

    assert changed["title"] == "New title"
    rules = owner.client.ok("GET", f"{request_path}/approval_rules")
    assert [(one["id"], one["approvals_required"]) for one in rules] == [(created["id"], 2)]
    form = {"approval_rules_attributes[][id]": created["id"], "approval_rules_attributes[][approvals_required]": 3}
    assert owner.client.put(request_path, data=form).status_code == 200
    assert owner.client.ok("GET", f"{request_path}/approval_rules")[0]["approvals_required"] == 3
    unknown = {"approval_rules_attributes": [{"id": 999999, "approvals_required": 2}]}
    assert owner.client.put(request_path, json=unknown).status_code == 404
    many = {"approval_rules_attributes": [{"id": created["id"], "approvals_required": 101}]}
    assert owner.client.put(request_path, json=many).status_code == 400


def test_rules_of_a_locked_request_stay_when_it_is_changed(
    owner: Person, project: dict[str, Any], request_path: str
) -> None:
    rule = {"name": "Security", "approvals_required": 1, "user_ids": [owner.id]}
    created = owner.client.ok("POST", f"{request_path}/approval_rules", json=rule)
    locked = {"disable_overriding_approvers_per_merge_request": True}
    owner.client.ok("POST", f"/projects/{project['id']}/approvals", json=locked)

    body = {"approval_rules_attributes": [{"id": created["id"], "approvals_required": 0}]}
    owner.client.ok("PUT", request_path, json=body)

    shown = owner.client.ok("GET", f"{request_path}/approval_rules/{created['id']}")
    assert shown["approvals_required"] == 1


def test_a_request_is_opened_with_its_own_numbers(world: World, owner: Person, project: dict[str, Any]) -> None:
    rule = {"name": "Security", "approvals_required": 1, "user_ids": [owner.id]}
    source = owner.client.ok("POST", f"/projects/{project['id']}/approval_rules", json=rule)

    numbers = [{"id": source["id"], "approvals_required": 4}, {"id": 999999, "approvals_required": 1}]
    opened = world.merge_request(project, owner, approval_rules_attributes=numbers)

    path = f"/projects/{project['id']}/merge_requests/{opened['iid']}/approval_rules"
    assert [one["approvals_required"] for one in owner.client.ok("GET", path)] == [4]


def test_what_is_left_counts_also_where_too_few_people_could_approve(
    world: World, owner: Person, project: dict[str, Any], request_path: str
) -> None:
    reviewer = world.user()
    world.member(project, reviewer, "developer")
    rule = {"name": "Security", "approvals_required": 2, "user_ids": [reviewer.id]}
    owner.client.ok("POST", f"{request_path}/approval_rules", json=rule)

    before = owner.client.ok("GET", f"{request_path}/approvals")
    after = reviewer.client.ok("POST", f"{request_path}/approve")

    assert [(one["approvals_required"], one["approvals_left"]) for one in (before, after)] == [(2, 2), (2, 1)]
    assert (before["approved"], after["approved"]) == (True, True)


@pytest.mark.parametrize("people", ["users", "user_ids"])
def test_people_and_groups_have_two_names_in_rules(
    world: World, owner: Person, project: dict[str, Any], people: str
) -> None:
    group = world.group(owner)
    rule = {"name": "Security", "approvals_required": 1, people: [owner.id], "groups": [group["id"]]}

    created = owner.client.ok("POST", f"/projects/{project['id']}/approval_rules", json=rule)

    assert [user["id"] for user in created["users"]] == [owner.id]
    assert [one["id"] for one in created["groups"]] == [group["id"]]
    path = f"/projects/{project['id']}/approval_rules/{created['id']}"
    assert owner.client.ok("PUT", path, json={"groups": []})["groups"] == []


def test_nothing_to_change_is_refused(owner: Person, project: dict[str, Any]) -> None:
    reply = owner.client.post(f"/projects/{project['id']}/approvals", json={})

    assert reply.status_code == 400
    assert reply.json()["error"].endswith("are missing, at least one parameter must be provided")
