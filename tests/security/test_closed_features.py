"""Public projects whose issues, merge requests or code are for members: what is beside them tells nothing either."""

from typing import Any

import pytest

from tests.support.world import Person, World

CLOSED = {"issues_access_level": "private", "merge_requests_access_level": "private"}
CODE_CLOSED = {**CLOSED, "repository_access_level": "private", "builds_access_level": "private"}


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def planned(world: World, owner: Person) -> dict[str, Any]:
    """A public project with open code, and a release of a milestone that outsiders do not see."""
    project = world.project(owner, visibility="public", initialize_with_readme=True, **CLOSED)
    place = f"/projects/{project['id']}"
    owner.client.ok("POST", f"{place}/milestones", json={"title": "hidden plan"})
    owner.client.ok("POST", f"{place}/labels", json={"name": "hidden label", "color": "#112233"})
    release = {"tag_name": "v1", "ref": "main", "milestones": ["hidden plan"]}
    owner.client.ok("POST", f"{place}/releases", json=release)
    world.run_jobs()
    return project


@pytest.mark.parametrize("noun", ["milestones", "labels"])
def test_plans_are_closed_with_issues_and_merge_requests(
    world: World, owner: Person, planned: dict[str, Any], noun: str
) -> None:
    path = f"/projects/{planned['id']}/{noun}"

    assert len(owner.client.ok("GET", path)) == 1
    assert world.user().client.get(path).status_code == 403
    assert world.anonymous.get(path).status_code in (401, 403, 404)


def test_one_open_feature_is_enough(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="public", issues_access_level="private")

    assert world.anonymous.get(f"/projects/{project['id']}/milestones").status_code == 200


def test_a_release_does_not_tell_of_closed_milestones(world: World, owner: Person, planned: dict[str, Any]) -> None:
    path = f"/projects/{planned['id']}/releases/v1"
    member = owner.client.ok("GET", path)
    evidence = member["evidences"][0]["filepath"]

    assert [one["title"] for one in member["milestones"]] == ["hidden plan"]
    assert "hidden plan" in owner.client.get(evidence).text
    for client in (world.anonymous, world.user().client):
        assert "hidden plan" not in client.get(path).text
        assert "hidden plan" not in client.get(f"/projects/{planned['id']}/releases").text
        assert client.get(evidence).status_code == 404


def test_a_badge_does_not_tell_of_closed_code(world: World, owner: Person) -> None:
    group = world.group(owner, visibility="public")
    options = {"namespace_id": group["id"], "visibility": "public", "initialize_with_readme": True, **CODE_CLOSED}
    project = world.project(owner, **options)
    head = owner.client.ok("GET", f"/projects/{project['id']}/repository/commits/main")["id"]
    badge = {"link_url": "https://example.com/%{commit_sha}/%{default_branch}", "image_url": "https://example.com/a"}
    for place in (f"/projects/{project['id']}", f"/groups/{group['id']}"):
        owner.client.ok("POST", f"{place}/badges", json=badge)

        [inside, *_] = owner.client.ok("GET", f"{place}/badges")
        assert inside["rendered_link_url"] == f"https://example.com/{head}/main"
        for outside in world.anonymous.ok("GET", f"{place}/badges"):
            assert outside["rendered_link_url"] == "https://example.com//"
