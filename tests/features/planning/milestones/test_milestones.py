"""Milestones of projects and groups: forms, filters, roles, errors, and what is planned for them."""

from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner, visibility="public")


@pytest.fixture
def project(world: World, owner: Person, group: dict[str, Any]) -> dict[str, Any]:
    return world.project(owner, namespace_id=group["id"], initialize_with_readme=True, visibility="public")


def path_of(item: dict[str, Any], kind: str = "projects") -> str:
    return f"/{kind}/{item['id']}/milestones"


def make(owner: Person, path: str, title: str, **more: Any) -> dict[str, Any]:
    created: dict[str, Any] = owner.client.ok("POST", path, json={"title": title, **more})
    return created


def titles(person: Any, path: str, **params: Any) -> list[str]:
    return [one["title"] for one in person.get(path, **params).json()]


def test_a_milestone_is_shown_in_full(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = make(owner, path_of(project), "v1", description="x", start_date="2020-01-01", due_date="2020-02-01")

    assert created.items() >= {
        "iid": 1, "project_id": project["id"], "title": "v1", "description": "x", "state": "active",
        "start_date": "2020-01-01", "due_date": "2020-02-01", "expired": True,
        "web_url": f"{world.server.url}/{project['path_with_namespace']}/-/milestones/1",
    }.items()  # fmt: skip
    assert "group_id" not in created
    assert owner.client.ok("GET", f"{path_of(project)}/{created['id']}") == created


def test_changing_closing_and_deleting(owner: Person, project: dict[str, Any]) -> None:
    path = f"{path_of(project)}/{make(owner, path_of(project), 'v1')['id']}"

    closed = owner.client.ok("PUT", path, json={"title": "v2", "due_date": "2031-01-01", "state_event": "close"})

    assert (closed["title"], closed["due_date"], closed["state"]) == ("v2", "2031-01-01", "closed")
    opened = owner.client.ok("PUT", path, json={"state_event": "activate", "due_date": ""})
    assert (opened["state"], opened["due_date"], opened["expired"]) == ("active", None, False)
    assert owner.client.delete(path).status_code == 204
    gone = owner.client.get(path)
    assert (gone.status_code, gone.json()) == (404, {"message": "404 Milestone Not Found"})


def test_filters(owner: Person, group: dict[str, Any], project: dict[str, Any]) -> None:
    path = path_of(project)
    first, second = make(owner, path, "alpha"), make(owner, path, "beta", description="second alp")
    make(owner, path_of(group, "groups"), "above")
    owner.client.ok("PUT", f"{path}/{second['id']}", json={"state_event": "close"})

    assert titles(owner.client, path) == ["beta", "alpha"]
    assert titles(owner.client, path, state="active") == ["alpha"]
    assert titles(owner.client, path, state="closed") == ["beta"]
    assert titles(owner.client, path, title="alpha") == ["alpha"]
    assert titles(owner.client, path, search="ALP") == ["beta", "alpha"]
    assert titles(owner.client, path, iids=[first["iid"]]) == ["alpha"]
    assert titles(owner.client, path, include_ancestors=True) == ["above", "beta", "alpha"]
    assert titles(owner.client, path, updated_before="2020-01-01") == []
    assert titles(owner.client, path, updated_after="2020-01-01", per_page=1, page=2) == ["alpha"]
    refused = owner.client.get(path, state="x")
    assert (refused.status_code, refused.json()) == (400, {"error": "state does not have a valid value"})


def test_milestones_of_groups(world: World, owner: Person, group: dict[str, Any]) -> None:
    below = world.group(owner, parent_id=group["id"], visibility="public")
    created = make(owner, path_of(group, "groups"), "top")
    make(owner, path_of(below, "groups"), "inner")

    assert (created["group_id"], "project_id" in created) == (group["id"], False)
    assert created["web_url"].endswith(f"/groups/{group['full_path']}/-/milestones/1")
    assert titles(owner.client, path_of(group, "groups")) == ["top"]
    assert titles(owner.client, path_of(group, "groups"), include_descendants=True) == ["inner", "top"]
    assert titles(owner.client, path_of(below, "groups"), include_ancestors=True) == ["inner", "top"]
    one = f"{path_of(group, 'groups')}/{created['id']}"
    assert owner.client.ok("PUT", one, json={"state_event": "close"})["state"] == "closed"
    assert owner.client.delete(one).status_code == 204


def test_what_is_planned(world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]) -> None:
    own, above = make(owner, path_of(project), "own"), make(owner, path_of(group, "groups"), "above")
    hidden = world.project(owner, namespace_id=group["id"])
    issues = {}
    for place, milestone in ((project, own), (project, above), (hidden, above)):
        body = {"title": "a", "milestone_id": milestone["id"]}
        created = owner.client.ok("POST", f"/projects/{place['id']}/issues", json=body)
        issues[place["id"], milestone["id"]] = created["id"]
    request = world.merge_request(project, owner, milestone_id=own["id"])
    grouped = world.merge_request(project, owner, milestone_id=above["id"])

    def ids(client: Any, path: str) -> list[int]:
        reply = client.get(path)
        assert reply.status_code == 200, reply.text
        return [one["id"] for one in reply.json()]

    mine, theirs = f"{path_of(project)}/{own['id']}", f"{path_of(group, 'groups')}/{above['id']}"
    assert ids(owner.client, f"{mine}/issues") == [issues[project["id"], own["id"]]]
    assert ids(owner.client, f"{mine}/merge_requests") == [request["id"]]
    assert ids(owner.client, f"{theirs}/issues") == [
        issues[hidden["id"], above["id"]], issues[project["id"], above["id"]],
    ]  # fmt: skip
    assert ids(world.user().client, f"{theirs}/issues") == [issues[project["id"], above["id"]]]
    assert ids(world.anonymous, f"{theirs}/merge_requests") == [grouped["id"]]
    assert owner.client.get(f"{path_of(project)}/{above['id']}/issues").status_code == 404
    owner.client.delete(mine)
    assert owner.client.ok("GET", f"/projects/{project['id']}/merge_requests/{request['iid']}")["milestone"] is None


def test_promoting(world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]) -> None:
    other = world.project(owner, namespace_id=group["id"])
    here, there = make(owner, path_of(project), "v1"), make(owner, path_of(other), "v1")
    body = {"title": "a", "milestone_id": there["id"]}
    issue = owner.client.ok("POST", f"/projects/{other['id']}/issues", json=body)

    reply = owner.client.post(f"{path_of(project)}/{here['id']}/promote")
    assert reply.status_code == 200
    promoted = reply.json()

    assert promoted["group_id"] == group["id"]
    again = owner.client.ok("GET", f"/projects/{other['id']}/issues/{issue['iid']}")
    assert again["milestone"]["id"] == promoted["id"]
    personal = world.project(owner)
    mine = make(owner, path_of(personal), "v1")
    assert owner.client.post(f"{path_of(personal)}/{mine['id']}/promote").status_code == 403


def test_errors(owner: Person, project: dict[str, Any]) -> None:
    path = path_of(project)
    created = make(owner, path, "v1", start_date="2030-01-01")
    for call, body in (
        (owner.client.post(path, json={}), {"error": "title is missing"}),
        (owner.client.post(path, json={"title": " "}), {"message": {"title": ["can't be blank"]}}),
        (
            owner.client.post(path, json={"title": "x" * 256}),
            {"message": {"title": ["is too long (maximum is 255 characters)"]}},
        ),
        (
            owner.client.post(path, json={"title": "v1"}),
            {"message": {"title": ["already being used for another group or project milestone."]}},
        ),
        (owner.client.post(path, json={"title": "v2", "due_date": "x"}), {"error": "due_date is invalid"}),
        (
            owner.client.put(f"{path}/{created['id']}", json={"due_date": "2029-01-01"}),
            {"message": {"due_date": ["must be greater than start date"]}},
        ),
        (
            owner.client.put(f"{path}/{created['id']}", json={}),
            {
                "error": "title, description, start_date, due_date, state_event are missing,"
                " at least one parameter must be provided"
            },
        ),
    ):
        assert (call.status_code, call.json()) == (400, body)


def test_roles(world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]) -> None:
    for role, status in (("guest", 403), ("planner", 201), ("reporter", 201), ("developer", 201), ("maintainer", 201)):
        person = world.user()
        world.member(project, person, role)
        assert person.client.post(path_of(project), json={"title": role}).status_code == status, role
        member = world.user()
        world.member(group, member, role, kind="groups")
        assert member.client.post(path_of(group, "groups"), json={"title": f"g {role}"}).status_code == status, role
    stranger = world.user()
    assert stranger.client.post(path_of(project), json={"title": "x"}).status_code == 403
    assert world.anonymous.get(path_of(project)).status_code == 200
    assert world.anonymous.post(path_of(project), json={"title": "x"}).status_code == 401
    assert stranger.client.get(path_of(world.project(owner))).status_code == 404


def test_python_gitlab_plans(world: World, owner: Person, project: dict[str, Any]) -> None:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        milestones = client.projects.get(project["id"]).milestones
        created = milestones.create({"title": "py"})
        created.state_event = "close"
        created.save()
        assert milestones.get(created.id).state == "closed"
        client.projects.get(project["id"]).issues.create({"title": "a", "milestone_id": created.id})
        assert len(list(created.issues())) == 1
        assert list(created.merge_requests()) == []
        created.delete()
