"""Counts, times and nested objects tell nothing of confidential issues, internal notes and closed pipelines."""

from typing import Any

import pytest

from tests.support.world import Person, World

CI_FILE = "check: {script: x}\n"


@pytest.fixture(scope="module")
def stranger(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World) -> dict[str, Any]:
    return world.project(visibility="public", initialize_with_readme=True)


def test_confidential_issues_are_counted_for_those_who_may_read_them(
    world: World, stranger: Person, project: dict[str, Any]
) -> None:
    place = f"/projects/{project['id']}"
    guest, planner = world.user(), world.user()
    world.member(project, guest, "guest")
    world.member(project, planner, "planner")
    for hidden in (False, True):
        body = {"title": "one", "labels": "bug", "confidential": hidden}
        world.admin.ok("POST", f"{place}/issues", json=body)
        closed = world.admin.ok("POST", f"{place}/issues", json=body)
        world.admin.ok("PUT", f"{place}/issues/{closed['iid']}", json={"state_event": "close"})

    def counts(person: Person) -> tuple[int, int, int]:
        label = person.client.get(f"{place}/labels", with_counts=True).json()[0]
        shown = person.client.ok("GET", place)
        return shown["open_issues_count"], label["open_issues_count"], label["closed_issues_count"]

    assert [counts(one) for one in (stranger, guest, planner)] == [(1, 1, 1), (1, 1, 1), (2, 2, 2)]


def test_commits_show_no_pipeline_where_pipelines_are_closed(world: World, stranger: Person) -> None:
    project = world.project(visibility="public", initialize_with_readme=True, public_jobs=False)
    place = f"/projects/{project['id']}"
    sha = world.commit(project, "main", {".gitlab-ci.yml": CI_FILE})
    reporter = world.user()
    world.member(project, reporter, "reporter")

    for client in (world.anonymous, stranger.client):
        shown = client.ok("GET", f"{place}/repository/commits/{sha}")
        assert (shown["status"], shown["last_pipeline"]) == (None, None)
        assert client.get(f"{place}/repository/commits/{sha}/statuses").status_code == 403
    shown = reporter.client.ok("GET", f"{place}/repository/commits/{sha}")
    assert (shown["status"], shown["last_pipeline"]["sha"]) == ("pending", sha)
    assert len(reporter.client.ok("GET", f"{place}/repository/commits/{sha}/statuses")) == 1


def test_deployments_show_no_job_where_jobs_are_closed(world: World, stranger: Person) -> None:
    project = world.project(visibility="public", initialize_with_readme=True, public_jobs=False)
    place = f"/projects/{project['id']}"
    deploy = "ship: {script: x, environment: {name: live}}\n"
    world.commit(project, "main", {".gitlab-ci.yml": deploy})

    assert world.admin.ok("GET", f"{place}/deployments")[0]["deployable"]["name"] == "ship"
    assert stranger.client.ok("GET", f"{place}/deployments")[0]["deployable"] is None


def test_pipelines_of_a_private_fork_stay_private(world: World, stranger: Person, project: dict[str, Any]) -> None:
    forker = world.user()
    world.commit(project, "main", {".gitlab-ci.yml": CI_FILE}, message="CI [skip ci]")
    fork = forker.client.ok("POST", f"/projects/{project['id']}/fork", json={"visibility": "private"})
    world.run_jobs()
    world.commit(fork, "change", {"a.txt": "a"}, user_id=forker.id)
    body = {
        "source_branch": "change", "target_branch": "main", "title": "Change", "target_project_id": project["id"],
    }  # fmt: skip
    request = forker.client.ok("POST", f"/projects/{fork['id']}/merge_requests", json=body)
    world.run_jobs()
    place = f"/projects/{project['id']}/merge_requests/{request['iid']}"

    assert forker.client.ok("GET", place)["head_pipeline"]["project_id"] == fork["id"]
    assert len(forker.client.ok("GET", f"{place}/pipelines")) == 1
    for client in (world.anonymous, stranger.client):
        assert client.ok("GET", place)["head_pipeline"] is None
        reply = client.get(f"{place}/pipelines")
        assert (reply.json(), reply.headers["X-Total"]) == ([], "0")


def test_dependencies_on_private_requests_are_left_out(world: World, stranger: Person, project: dict[str, Any]) -> None:
    private = world.project(visibility="private", initialize_with_readme=True)
    request, hidden = world.merge_request(project), world.merge_request(private)
    place = f"/projects/{project['id']}/merge_requests/{request['iid']}/blocks"
    block = world.admin.ok("POST", place, json={"blocking_merge_request_id": hidden["id"]})

    assert len(world.admin.ok("GET", place)) == 1
    for client in (world.anonymous, stranger.client):
        reply = client.get(place)
        assert (reply.json(), reply.headers["X-Total"]) == ([], "0")
        assert client.get(f"{place}/{block['id']}").status_code == 404


def test_a_moved_issue_does_not_name_its_private_place(world: World, stranger: Person, project: dict[str, Any]) -> None:
    private = world.project(visibility="private", path="hideaway")
    place = f"/projects/{project['id']}/issues/1"
    world.admin.ok("POST", f"/projects/{project['id']}/issues", json={"title": "one"})
    moved = world.admin.ok("POST", f"{place}/move", json={"to_project_id": private["id"]})

    assert world.admin.ok("GET", place)["moved_to_id"] == moved["id"]
    assert stranger.client.ok("GET", place)["moved_to_id"] is None
    assert "hideaway" not in stranger.client.get(f"{place}/notes").text


def test_members_through_a_hidden_group_are_known_to_members_only(world: World, stranger: Person) -> None:
    owner, hidden, guest = world.user(), world.user(), world.user()
    project = world.project(owner, visibility="public")
    group = world.group(owner, visibility="private")
    world.member(group, hidden, "developer", kind="groups")
    world.member(project, guest, "guest")
    place = f"/projects/{project['id']}"
    owner.client.ok("POST", f"{place}/share", json={"group_id": group["id"], "group_access": 30})

    def people(person: Person, path: str) -> set[int]:
        return {one["id"] for one in person.client.ok("GET", f"{place}/{path}")}

    for path in ("users", "members/all"):
        assert hidden.id in people(guest, path)
        assert people(stranger, path) == people(guest, path) - {hidden.id}
        assert {owner.id, guest.id} <= people(stranger, path)
    assert stranger.client.get(f"{place}/members/all/{hidden.id}").status_code == 404
    assert stranger.client.ok("GET", f"{place}/groups", params={"with_shared": "true"}) == []
    assert len(guest.client.ok("GET", f"{place}/groups", params={"with_shared": "true"})) == 1
