"""Merge requests that name or close issues, and issues that take over their threads."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def path_of(issue: dict[str, Any]) -> str:
    return f"/projects/{issue['project_id']}/issues/{issue['iid']}"


def test_merge_requests_close_and_name_issues(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    closing, named, commented = (
        owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": title}) for title in "abc"
    )
    request = world.merge_request(project, owner, description=f"Closes #{closing['iid']}, see #{named['iid']}")
    path = f"/projects/{project['id']}/merge_requests/{request['iid']}"
    owner.client.ok("POST", f"{path}/notes", json={"body": f"like #{commented['iid']}"})

    def ids(where: str) -> list[int]:
        return [entry["id"] for entry in owner.client.ok("GET", where)]

    assert ids(f"{path}/closes_issues") == [closing["id"]]
    assert ids(f"{path}/related_issues") == [closing["id"], named["id"], commented["id"]]
    assert ids(f"{path_of(closing)}/closed_by") == [request["id"]]
    assert ids(f"{path_of(named)}/closed_by") == []
    for issue in (closing, named, commented):
        assert ids(f"{path_of(issue)}/related_merge_requests") == [request["id"]]
    assert owner.client.ok("GET", path_of(closing))["merge_requests_count"] == 1
    merged = owner.client.ok("PUT", f"{path}/merge")
    assert owner.client.ok("GET", path_of(closing))["state"] == "closed"
    assert owner.client.ok("GET", path_of(named))["state"] == "opened"
    texts = [note["body"] for note in owner.client.get(f"{path_of(closing)}/notes", sort="asc").json()]
    assert texts == [
        f"mentioned in merge request !{request['iid']}",
        f"closed via merge request !{request['iid']}",
        f"mentioned in commit {merged['merge_commit_sha']}",
    ]


def test_an_issue_takes_over_open_threads(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    request = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{request['iid']}"
    thread = owner.client.ok("POST", f"{path}/discussions", json={"body": "later"})

    owner.client.ok(
        "POST",
        f"/projects/{project['id']}/issues",
        json={"title": "follow up", "merge_request_to_resolve_discussions_of": request["iid"]},
    )

    assert owner.client.ok("GET", f"{path}/discussions/{thread['id']}")["notes"][0]["resolved"] is True


def test_an_issue_takes_over_one_thread_of_several(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    request = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{request['iid']}"
    threads = [owner.client.ok("POST", f"{path}/discussions", json={"body": body}) for body in ("now", "later")]
    continued = {
        "merge_request_to_resolve_discussions_of": request["iid"],
        "discussion_to_resolve": threads[1]["id"],
    }

    owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "follow up", **continued})

    shown = [owner.client.ok("GET", f"{path}/discussions/{thread['id']}") for thread in threads]
    assert [thread["notes"][0]["resolved"] for thread in shown] == [False, True]
