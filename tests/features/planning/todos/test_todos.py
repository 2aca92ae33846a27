"""To-do items: where they come from, the list, and getting rid of them."""

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


def actions(person: Person, **params: Any) -> list[tuple[str, str]]:
    result = person.client.get("/todos", **params).json()
    return [(todo["action_name"], todo["target_type"]) for todo in result]


def test_assignments_reviews_and_mentions_make_items(world: World, owner: Person, project: dict[str, Any]) -> None:
    person = world.user()
    request = world.merge_request(project, owner, assignee_ids=[person.id], reviewer_ids=[person.id])
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a"})
    path = f"/projects/{project['id']}/issues/{issue['iid']}"
    owner.client.ok("PUT", path, json={"assignee_ids": [person.id], "description": f"for @{person.username}"})
    owner.client.ok("POST", f"{path}/notes", json={"body": f"see @{person.username.upper()} and `@nobody`"})
    owner.client.ok("POST", f"{path}/notes", json={"body": f"@{person.username} please look"})

    assert actions(person) == [
        ("directly_addressed", "Issue"), ("mentioned", "Issue"), ("assigned", "Issue"),
        ("review_requested", "MergeRequest"), ("assigned", "MergeRequest"),
    ]  # fmt: skip
    first = person.client.ok("GET", "/todos")[-1]
    assert first["target"]["id"] == request["id"]
    assert first["target_url"] == request["web_url"]
    assert first["author"]["id"] == owner.id
    assert first["project"]["path_with_namespace"] == project["path_with_namespace"]
    assert (first["state"], first["body"]) == ("pending", request["title"])


def test_filters(world: World, owner: Person) -> None:
    person, group = world.user(), world.group(owner, visibility="public")
    inside = world.project(owner, namespace_id=group["id"], visibility="public")
    outside = world.project(owner, visibility="public")
    for place in (inside, outside):
        owner.client.ok("POST", f"/projects/{place['id']}/issues", json={"title": "a", "assignee_ids": [person.id]})

    def places(**params: Any) -> list[int]:
        return [todo["project"]["id"] for todo in person.client.get("/todos", **params).json()]

    assert places() == [outside["id"], inside["id"]]
    assert places(project_id=inside["id"]) == [inside["id"]]
    assert places(group_id=group["id"]) == [inside["id"]]
    assert places(author_id=owner.id) == [outside["id"], inside["id"]]
    assert places(author_id=person.id) == places(type="MergeRequest") == places(action="mentioned") == []
    assert places(state="done") == []
    assert places(per_page=1, page=2) == [inside["id"]]
    for name in ("state", "action", "type"):
        refused = person.client.get("/todos", **{name: "x"})
        assert (refused.status_code, refused.json()) == (400, {"error": f"{name} does not have a valid value"})
    assert world.anonymous.get("/todos").status_code == 401


def test_marking_as_done(world: World, owner: Person, project: dict[str, Any]) -> None:
    person = world.user()
    for _ in range(3):
        owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a", "assignee_ids": [person.id]})
    newest = person.client.ok("GET", "/todos")[0]

    done = person.client.ok("POST", f"/todos/{newest['id']}/mark_as_done")

    assert done["state"] == "done"
    assert len(person.client.ok("GET", "/todos")) == 2
    assert owner.client.post(f"/todos/{newest['id']}/mark_as_done").status_code == 404
    assert person.client.post("/todos/mark_as_done").status_code == 204
    assert person.client.ok("GET", "/todos") == []
    assert len(person.client.get("/todos", state="done").json()) == 3


def test_own_marks_are_made_once(world: World, owner: Person, project: dict[str, Any]) -> None:
    person = world.user()
    request = world.merge_request(project, owner)
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a"})
    for path, kind in (
        (f"/projects/{project['id']}/merge_requests/{request['iid']}", "MergeRequest"),
        (f"/projects/{project['id']}/issues/{issue['iid']}", "Issue"),
    ):
        created = person.client.ok("POST", f"{path}/todo")
        assert (created["action_name"], created["target_type"], created["state"]) == ("marked", kind, "pending")
        assert person.client.post(f"{path}/todo").status_code == 304
        person.client.ok("POST", f"/todos/{created['id']}/mark_as_done")
        assert person.client.post(f"{path}/todo").status_code == 201
        assert world.anonymous.post(f"{path}/todo").status_code == 401
    assert person.client.post(f"/projects/{project['id']}/issues/9999/todo").status_code == 404


def test_commenting_settles_and_nobody_hears_of_what_they_cannot_see(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="private")
    guest, stranger = world.user(), world.user()
    world.member(project, guest, "guest")
    text = f"hi @{guest.username} and @{stranger.username}"
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a", "description": text})
    path = f"/projects/{project['id']}/issues/{issue['iid']}"

    assert actions(guest) == [("mentioned", "Issue")]
    assert actions(stranger) == []
    guest.client.ok("POST", f"{path}/notes", json={"body": "done"})
    assert actions(guest) == []
    owner.client.ok("POST", f"{path}/notes", json={"body": text})
    assert actions(guest) == [("mentioned", "Issue")]
    owner.client.ok("PUT", path, json={"confidential": True})
    assert actions(guest) == []


def test_python_gitlab_works_through_items(world: World, owner: Person, project: dict[str, Any]) -> None:
    person = world.user()
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a"})
    with gitlab.Gitlab(world.server.url, private_token=person.token) as client:
        client.projects.get(project["id"]).issues.get(issue["iid"]).todo()
        (todo,) = client.todos.list(get_all=True)
        todo.mark_as_done()
        client.todos.mark_all_as_done()
        assert client.todos.list(get_all=True) == []
