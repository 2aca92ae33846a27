"""Reactions to merge requests, issues and notes."""

from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True, visibility="public")


@pytest.fixture
def issue(owner: Person, project: dict[str, Any]) -> str:
    created = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a"})
    return f"/projects/{project['id']}/issues/{created['iid']}"


def test_votes_are_counted(world: World, owner: Person, issue: str) -> None:
    other = world.user()
    created = owner.client.ok("POST", f"{issue}/award_emoji", json={"name": "thumbsup"})
    other.client.ok("POST", f"{issue}/award_emoji", json={"name": "+1"})
    other.client.ok("POST", f"{issue}/award_emoji", json={"name": ":thumbsdown:"})

    shown = owner.client.ok("GET", issue)

    assert (shown["upvotes"], shown["downvotes"]) == (2, 1)
    assert created["name"] == "thumbsup"
    assert created["awardable_type"] == "Issue"
    assert created["awardable_id"] == shown["id"]
    assert created["user"]["id"] == owner.id
    assert owner.client.ok("GET", f"{issue}/award_emoji/{created['id']}") == created
    listed = world.anonymous.get(f"{issue}/award_emoji")
    assert [award["name"] for award in listed.json()] == ["thumbsup", "thumbsup", "thumbsdown"]
    assert owner.client.delete(f"{issue}/award_emoji/{created['id']}").status_code == 204
    assert owner.client.ok("GET", issue)["upvotes"] == 1


def test_errors(world: World, owner: Person, issue: str) -> None:
    path = f"{issue}/award_emoji"
    created = owner.client.ok("POST", path, json={"name": "rocket"})
    stranger = world.user()
    for call, status, body in (
        (owner.client.post(path, json={}), 400, {"error": "name is missing"}),
        (
            owner.client.post(path, json={"name": "rocket"}), 404,
            {"message": "404 Award Emoji Name has already been taken Not Found"},
        ),
        (
            owner.client.post(path, json={"name": "no such emoji"}), 404,
            {"message": "404 Award Emoji Name is not a valid emoji name Not Found"},
        ),
        (owner.client.get(f"{path}/999999"), 404, {"message": "404 Not found"}),
        (stranger.client.delete(f"{path}/{created['id']}"), 401, {"message": "401 Unauthorized"}),
        (world.anonymous.post(path, json={"name": "heart"}), 401, {"message": "401 Unauthorized"}),
        (world.anonymous.delete(f"{path}/{created['id']}"), 401, {"message": "401 Unauthorized"}),
    ):  # fmt: skip
        assert (call.status_code, call.json()) == (status, body)
    assert world.admin.delete(f"{path}/{created['id']}").status_code == 204


def test_roles_in_a_private_project(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    request = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{request['iid']}/award_emoji"
    for role, status in (("guest", 404), ("planner", 201), ("reporter", 201), ("developer", 201)):
        person = world.user()
        world.member(project, person, role)
        assert person.client.post(path, json={"name": "eyes"}).status_code == status, role
    assert world.user().client.get(path).status_code == 404


def test_reactions_to_merge_requests_and_notes(world: World, owner: Person, project: dict[str, Any]) -> None:
    request = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{request['iid']}"
    note = owner.client.ok("POST", f"{path}/notes", json={"body": "x"})

    created = owner.client.ok("POST", f"{path}/notes/{note['id']}/award_emoji", json={"name": "tada"})
    owner.client.ok("POST", f"{path}/award_emoji", json={"name": "thumbsdown"})

    assert (created["awardable_type"], created["awardable_id"]) == ("Note", note["id"])
    assert [award["name"] for award in owner.client.ok("GET", f"{path}/award_emoji")] == ["thumbsdown"]
    assert owner.client.ok("GET", path)["downvotes"] == 1
    result = owner.client.get(f"/projects/{project['id']}/merge_requests", my_reaction_emoji="thumbsdown").json()
    assert [one["id"] for one in result] == [request["id"]]
    assert owner.client.get(f"{path}/notes/{note['id'] + 99}/award_emoji").status_code == 404
    assert owner.client.delete(f"{path}/notes/{note['id']}/award_emoji/{created['id']}").status_code == 204


def test_archived_and_locked_things_take_none(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="public")
    created = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a"})
    path = f"/projects/{project['id']}/issues/{created['iid']}"
    owner.client.ok("PUT", path, json={"discussion_locked": True})
    assert world.user().client.post(f"{path}/award_emoji", json={"name": "heart"}).status_code == 404
    assert owner.client.post(f"{path}/award_emoji", json={"name": "heart"}).status_code == 201
    owner.client.ok("POST", f"/projects/{project['id']}/archive")
    assert owner.client.post(f"{path}/award_emoji", json={"name": "tada"}).status_code == 404


def test_python_gitlab_reacts(world: World, owner: Person, project: dict[str, Any]) -> None:
    request = world.merge_request(project, owner)
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        answer = client.projects.get(project["id"]).mergerequests.get(request["iid"])
        award = answer.awardemojis.create({"name": "star"})
        assert [one.name for one in answer.awardemojis.list(get_all=True)] == ["star"]
        award.delete()
        note = answer.notes.create({"body": "x"})
        note.awardemojis.create({"name": "star"})
        assert len(note.awardemojis.list(get_all=True)) == 1
