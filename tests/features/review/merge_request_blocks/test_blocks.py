from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def pair(world: World, owner: Person) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two open requests of one public project."""
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    created = []
    for branch in ("one", "two"):
        world.commit(project, branch, {f"{branch}.txt": "x\n"})
        body = {"title": branch, "source_branch": branch, "target_branch": "main"}
        created.append(owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body))
    return created[0], created[1]


def path_of(request: dict[str, Any]) -> str:
    return f"/projects/{request['project_id']}/merge_requests/{request['iid']}"


def test_a_blocked_request_waits_for_its_blocker(owner: Person, pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    first, second = pair
    body = {"blocking_merge_request_id": first["id"]}

    created = owner.client.post(f"{path_of(second)}/blocks", json=body)

    assert created.status_code == 201
    block = created.json()
    assert block["blocking_merge_request"]["id"] == first["id"]
    assert block["blocked_merge_request"]["id"] == second["id"]
    assert block["project_id"] == first["project_id"]
    again = owner.client.post(f"{path_of(second)}/blocks", json=body)
    assert (again.status_code, again.json()) == (409, {"message": "Block already exists"})
    assert owner.client.ok("GET", path_of(second))["detailed_merge_status"] == "merge_request_blocked"
    assert owner.client.put(f"{path_of(second)}/merge").status_code == 405
    owner.client.ok("PUT", path_of(first), json={"state_event": "close"})
    assert owner.client.ok("GET", path_of(second))["detailed_merge_status"] == "merge_request_blocked"
    owner.client.ok("PUT", path_of(first), json={"state_event": "reopen"})
    owner.client.ok("PUT", f"{path_of(first)}/merge")
    assert owner.client.ok("GET", path_of(second))["detailed_merge_status"] == "mergeable"
    assert [entry["id"] for entry in owner.client.ok("GET", f"{path_of(second)}/blocks")] == [block["id"]]
    assert [entry["id"] for entry in owner.client.ok("GET", f"{path_of(first)}/blockees")] == [block["id"]]
    assert owner.client.ok("GET", f"{path_of(second)}/blocks/{block['id']}")["id"] == block["id"]
    assert owner.client.delete(f"{path_of(second)}/blocks/{block['id']}").status_code == 204
    assert owner.client.ok("GET", f"{path_of(second)}/blocks") == []


def test_refusals_come_in_the_documented_order(
    world: World, owner: Person, pair: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    first, second = pair
    stranger, hidden = world.user(), world.user()
    secret = world.project(hidden, initialize_with_readme=True)
    world.commit(secret, "b", {"b": "b"})
    private = hidden.client.ok(
        "POST",
        f"/projects/{secret['id']}/merge_requests",
        json={"title": "b", "source_branch": "b", "target_branch": "main"},
    )
    path = f"{path_of(second)}/blocks"

    def refusal(client: Any, **body: Any) -> tuple[int, Any]:
        reply = client.post(path, json=body)
        return reply.status_code, reply.json().get("message", reply.json())

    assert refusal(stranger.client, blocking_merge_request_id=first["id"]) == (
        403,
        "Lacking permissions to update the merge request",
    )
    assert refusal(owner.client, blocking_merge_request_id=999_999) == (404, "Blocking merge request not found")
    assert refusal(owner.client, blocking_merge_request_id=private["id"]) == (
        403,
        "Lacking permissions to the blocking merge request",
    )
    by_iid = {"blocking_project_id": secret["id"], "blocking_merge_request_iid": private["iid"]}
    assert refusal(owner.client, **by_iid) == (404, "Blocking merge request not found")
    restricted = {"visibility": "public", "merge_requests_access_level": "private"}
    hidden.client.ok("PUT", f"/projects/{secret['id']}", json=restricted)
    assert refusal(owner.client, blocking_merge_request_id=private["id"]) == (
        403,
        "Lacking permissions to the blocking merge request",
    )
    assert refusal(owner.client, blocking_merge_request_id=second["id"]) == (400, "This block is self-referential")
    assert owner.client.delete(f"{path}/424242").json() == {"message": "404 Not found"}
