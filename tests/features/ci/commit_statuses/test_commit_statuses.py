"""Statuses that another CI reports, and the pipelines they drive."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


@pytest.fixture
def sha(world: World, owner: Person, project: dict[str, Any]) -> str:
    return world.commit(project, "main", {"a.txt": "a"}, user_id=owner.id)


def report(person: Person, project: dict[str, Any], sha: str, state: str, **more: Any) -> Any:
    return person.client.post(f"/projects/{project['id']}/statuses/{sha}", json={"state": state, **more})


def test_another_ci_drives_a_pipeline(owner: Person, project: dict[str, Any], sha: str) -> None:
    first = report(owner, project, sha, "pending", name="jenkins", target_url="https://ci.example.com/1", coverage=81.5)
    assert first.status_code == 201
    assert first.json()["status"] == "pending"
    assert first.json()["ref"] == "main"
    assert first.json()["target_url"] == "https://ci.example.com/1"
    assert first.json()["author"]["username"] == owner.username
    pipeline_url = f"/projects/{project['id']}/pipelines/{first.json()['pipeline_id']}"
    assert owner.client.ok("GET", pipeline_url)["source"] == "external"

    running = report(owner, project, sha, "running", name="jenkins")
    assert running.json()["id"] == first.json()["id"]
    assert owner.client.ok("GET", pipeline_url)["status"] == "running"
    done = report(owner, project, sha, "success", name="jenkins").json()

    assert (done["status"], done["coverage"]) == ("success", 81.5)
    assert owner.client.ok("GET", pipeline_url)["status"] == "success"
    assert owner.client.ok("GET", pipeline_url)["coverage"] == "81.50"


def test_a_move_that_cannot_be_is_refused(owner: Person, project: dict[str, Any], sha: str) -> None:
    report(owner, project, sha, "pending")

    again = report(owner, project, sha, "pending")

    assert again.status_code == 400
    sentence = 'Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via "enqueue")'
    assert again.json() == {"message": sentence}


def test_an_ended_status_is_followed_by_a_new_one(owner: Person, project: dict[str, Any], sha: str) -> None:
    first = report(owner, project, sha, "failed", name="lint").json()
    second = report(owner, project, sha, "success", name="lint").json()
    url = f"/projects/{project['id']}/repository/commits/{sha}/statuses"

    latest = owner.client.get(url).json()
    everything = owner.client.get(url, all=True, sort="desc").json()

    assert [row["id"] for row in latest] == [second["id"]]
    assert [row["id"] for row in everything] == [second["id"], first["id"]]
    assert owner.client.get(url, name="other").json() == []
    assert owner.client.get(url, ref="main", stage="external", pipeline_id=second["pipeline_id"]).json() == latest


def test_bad_reports_are_refused(world: World, owner: Person, project: dict[str, Any], sha: str) -> None:
    assert report(owner, project, "f" * 40, "pending").json() == {"message": "404 Commit Not Found"}
    assert report(owner, project, sha, "gone").json() == {"error": "state does not have a valid value"}
    bad_url = report(owner, project, sha, "pending", target_url="javascript:alert(1)")
    assert bad_url.json() == {"message": {"target_url": ["is blocked: Only allowed schemes are http, https"]}}
    assert report(owner, project, sha, "pending", description="x" * 256).status_code == 400
    missing = report(owner, project, sha, "pending", pipeline_id=999999)
    assert missing.json() == {"message": "404 Pipeline for pipeline_id, sha and ref Not Found"}
    reporter, developer = world.user(), world.user()
    world.member(project, reporter, "reporter")
    world.member(project, developer, "developer")
    assert report(reporter, project, sha, "pending").status_code == 403
    assert report(developer, project, sha, "pending").status_code == 403  # main is protected
    anonymous = world.anonymous.post(f"/projects/{project['id']}/statuses/{sha}", json={"state": "pending"})
    assert anonymous.status_code == 401


def test_the_size_limit_of_pipelines_counts_statuses(
    world: World, owner: Person, project: dict[str, Any], sha: str
) -> None:
    first = report(owner, project, sha, "success", name="one").json()
    world.admin.ok("PUT", "/application/plan_limits", json={"plan_name": "default", "ci_pipeline_size": 1})
    try:
        full = report(owner, project, sha, "success", name="two", pipeline_id=first["pipeline_id"])
        assert (full.status_code, full.json()) == (422, {"message": "The number of jobs has exceeded the limit"})
        other = report(owner, project, sha, "success", name="two").json()
        assert other["pipeline_id"] != first["pipeline_id"]
    finally:
        world.admin.ok("PUT", "/application/plan_limits", json={"plan_name": "default", "ci_pipeline_size": 0})
