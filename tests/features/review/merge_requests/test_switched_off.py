"""A project whose merge requests are switched off: 403 everywhere, for everyone who can see the project."""

import re
from typing import Any

import pytest

from tests.support.world import Person, World

BODY = {
    "body": "x", "title": "x", "source_branch": "a", "target_branch": "main", "name": "thumbsup", "duration": "1h",
    "resolved": True, "approvals_required": 1, "commits": ["a" * 40], "note": "x", "commit_id": "a" * 40,
    "approver_ids": [], "approver_group_ids": [], "sha": "a" * 40, "external_status_check_id": 1, "status": "passed",
}  # fmt: skip
REQUEST = "/projects/{id}/merge_requests"
# Status checks answer 401 to everybody who may not use them.
STATUS_CHECKS = (
    ("POST", REQUEST + "/{merge_request_iid}/status_check_responses"),
    ("POST", REQUEST + "/{merge_request_iid}/status_checks/{external_status_check_id}/retry"),
)


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def off(world: World, owner: Person) -> tuple[dict[str, Any], dict[str, Any], int]:
    """The project, a request from before, and a note on it."""
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}"
    note = owner.client.ok("POST", f"{path}/merge_requests/{created['iid']}/notes", json={"body": "hello"})
    owner.client.ok("PUT", path, json={"merge_requests_access_level": "disabled"})
    return project, created, note["id"]


def calls_of(world: World) -> list[tuple[str, str]]:
    endpoints = world.server.services.router.endpoints
    return sorted({(one.method, one.path) for one in endpoints if one.path.startswith(REQUEST)})


def test_every_endpoint_answers_403_to_everybody(
    world: World, owner: Person, off: tuple[dict[str, Any], dict[str, Any], int]
) -> None:
    project, created, note_id = off
    developer, stranger = world.user(), world.user()
    world.member(project, developer, "developer")
    callers = (world.admin, owner.client, developer.client, stranger.client, world.anonymous)
    answers = {}

    for method, template in calls_of(world):
        path = template.replace("{id}", str(project["id"])).replace("{merge_request_iid}", str(created["iid"]))
        path = re.sub(r"\{[^}]*\}", str(note_id), path)
        # Exactly one of body and resolved where a note of a discussion changes.
        body = (
            {"body": "x"}
            if method == "PUT" and "/notes/" in path
            else {**BODY, "blocking_merge_request_id": created["id"]}
        )
        replies = [caller.request(method, path, json=None if method == "GET" else body) for caller in callers]
        answers[method, template] = [reply.status_code for reply in replies]

    assert [answers.pop(call) for call in STATUS_CHECKS] == [[401] * 5] * 2
    assert len(answers) > 60
    wrong = {call: codes for call, codes in answers.items() if codes[:4] != [403] * 4 or codes[4] not in (401, 403)}
    assert wrong == {}


def test_lists_over_projects_leave_it_out_and_a_switch_brings_everything_back(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}"

    owner.client.ok("PUT", path, json={"merge_requests_access_level": "disabled"})
    hidden = [one["id"] for one in owner.client.ok("GET", "/merge_requests")]
    owner.client.ok("PUT", path, json={"merge_requests_access_level": "enabled"})

    assert created["id"] not in hidden
    assert created["id"] in [one["id"] for one in owner.client.ok("GET", "/merge_requests")]
    assert owner.client.ok("PUT", f"{path}/merge_requests/{created['iid']}/merge")["state"] == "merged"


def test_a_number_that_never_was_is_not_found(world: World, off: tuple[dict[str, Any], dict[str, Any], int]) -> None:
    path = f"/projects/{off[0]['id']}/merge_requests/99"

    assert world.admin.get(path).status_code == 404
    assert world.admin.put(f"{path}/merge").status_code == 404
