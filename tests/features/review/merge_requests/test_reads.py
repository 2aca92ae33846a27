from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def opened(world: World, owner: Person) -> tuple[dict[str, Any], str]:
    """A public project with a request of two commits; the request's path."""
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    world.commit(project, "feature", {"a.txt": "one\n"}, message="First\n\nSigned-off-by: Ada <ada@example.com>")
    world.commit(project, "feature", {"b.txt": "two\n"}, message="Second")
    body = {"title": "Two files", "source_branch": "feature", "target_branch": "main"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    return project, f"/projects/{project['id']}/merge_requests/{created['iid']}"


def test_commits_come_newest_first(world: World, opened: tuple[dict[str, Any], str]) -> None:
    reply = world.anonymous.get(f"{opened[1]}/commits", per_page=1)

    assert [commit["title"] for commit in reply.json()] == ["Second"]
    assert reply.headers["X-Total"] == "2"
    second = world.anonymous.get(f"{opened[1]}/commits", per_page=1, page=2).json()[0]
    assert second["trailers"] == {"Signed-off-by": "Ada <ada@example.com>"}
    assert second["extended_trailers"] == {"Signed-off-by": ["Ada <ada@example.com>"]}
    assert second["web_url"].endswith(f"/-/commit/{second['id']}")


def test_diffs_and_changes_show_the_files(world: World, opened: tuple[dict[str, Any], str]) -> None:
    diffs = world.anonymous.get(f"{opened[1]}/diffs").json()
    changes = world.anonymous.get(f"{opened[1]}/changes").json()

    assert [file["new_path"] for file in diffs] == ["a.txt", "b.txt"]
    assert diffs[0]["diff"] == "@@ -0,0 +1 @@\n+one\n"
    assert diffs[0]["new_file"] is True
    assert changes["changes"] == diffs
    assert changes["overflow"] is False
    raw = world.anonymous.get(f"{opened[1]}/raw_diffs")
    assert raw.text.startswith("diff --git a/a.txt b/a.txt")


def test_every_head_is_a_version(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "f", {"a.txt": "one\n"})
    body = {"title": "t", "source_branch": "f", "target_branch": "main"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}/versions"
    head = world.commit(project, "f", {"a.txt": "two\n"})

    versions = owner.client.ok("GET", path)

    assert [version["head_commit_sha"] for version in versions] == [head, created["sha"]]
    # What `git patch-id --stable` says of a new file `a.txt` with the line "two".
    assert versions[0]["patch_id_sha"] == "063f19886e3a23f1d59ff85ecbf60faad04b8b8f"
    assert versions[1]["patch_id_sha"] not in (None, versions[0]["patch_id_sha"])
    full = owner.client.ok("GET", f"{path}/{versions[0]['id']}")
    assert len(full["commits"]) == 2
    assert full["diffs"][0]["new_path"] == "a.txt"
    assert world.anonymous.get(path).status_code == 401
    assert owner.client.get(f"{path}/999999").json() == {"message": "404 Not found"}


def test_people_who_take_part(world: World, owner: Person, opened: tuple[dict[str, Any], str]) -> None:
    project, path = opened
    reviewer, named = world.user(), world.user()
    world.member(project, reviewer, "developer")
    owner.client.ok("PUT", path, json={"reviewer_ids": [reviewer.id], "description": f"cc @{named.username}"})

    people = world.anonymous.get(f"{path}/participants").json()

    assert [person["id"] for person in people] == [owner.id, reviewer.id, named.id]
    result = world.anonymous.get(f"{path}/reviewers").json()
    assert [(one["user"]["id"], one["state"]) for one in result] == [(reviewer.id, "unreviewed")]


def test_following_is_a_choice(owner: Person, opened: tuple[dict[str, Any], str]) -> None:
    _, path = opened
    assert owner.client.ok("GET", path)["subscribed"] is True

    assert owner.client.ok("POST", f"{path}/unsubscribe")["subscribed"] is False

    assert owner.client.post(f"{path}/unsubscribe").status_code == 304
    assert owner.client.ok("POST", f"{path}/subscribe")["subscribed"] is True


def test_the_history_of_states_is_kept(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "f", {"a.txt": "one\n"})
    body = {"title": "t", "source_branch": "f", "target_branch": "main"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    for event in ("close", "reopen"):
        owner.client.ok("PUT", path, json={"state_event": event})

    owner.client.ok("PUT", f"{path}/merge")

    events = owner.client.ok("GET", f"{path}/resource_state_events")
    assert [event["state"] for event in events] == ["closed", "reopened", "merged"]
    assert owner.client.ok("GET", f"{path}/resource_state_events/{events[0]['id']}") == events[0]
