"""Plain notes of merge requests and issues: every role, every error, order and filters."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True, visibility="private")


@pytest.fixture
def path(world: World, owner: Person, project: dict[str, Any]) -> str:
    created = world.merge_request(project, owner)
    return f"/projects/{project['id']}/merge_requests/{created['iid']}"


def test_a_comment_is_shown_in_full(owner: Person, project: dict[str, Any], path: str) -> None:
    created = owner.client.ok("POST", f"{path}/notes", json={"body": "Looks good"})

    request = owner.client.ok("GET", path)
    assert created.items() >= {
        "type": None, "body": "Looks good", "attachment": None, "system": False, "noteable_id": request["id"],
        "noteable_iid": request["iid"], "noteable_type": "MergeRequest", "project_id": project["id"],
        "resolvable": False, "confidential": False, "internal": False, "imported": False, "imported_from": "none",
        "commands_changes": {},
    }.items()  # fmt: skip
    assert created["author"]["id"] == owner.id
    assert "resolved" not in created
    assert owner.client.ok("GET", f"{path}/notes/{created['id']}") == created
    assert request["user_notes_count"] == 1


def test_notes_are_edited_and_deleted(owner: Person, path: str) -> None:
    created = owner.client.ok("POST", f"{path}/notes", json={"body": "a"})

    assert owner.client.ok("PUT", f"{path}/notes/{created['id']}", json={"body": "b"})["body"] == "b"
    assert owner.client.delete(f"{path}/notes/{created['id']}").status_code == 204

    gone = owner.client.get(f"{path}/notes/{created['id']}")
    assert (gone.status_code, gone.json()) == (404, {"message": "404 Not found"})
    assert owner.client.ok("GET", path)["user_notes_count"] == 0


def test_order_direction_and_activity_filter(owner: Person, path: str) -> None:
    first, second = (owner.client.ok("POST", f"{path}/notes", json={"body": text})["id"] for text in "ab")
    owner.client.ok("PUT", path, json={"state_event": "close"})

    def ids(**params: Any) -> list[int]:
        return [note["id"] for note in owner.client.get(f"{path}/notes", **params).json()]

    everything = ids()
    assert everything[1:] == [second, first]
    assert ids(sort="asc") == everything[::-1]
    assert ids(activity_filter="only_comments") == [second, first]
    assert ids(activity_filter="only_activity") == everything[:1]
    owner.client.ok("PUT", f"{path}/notes/{first}", json={"body": "changed"})
    assert ids(order_by="updated_at")[0] == first
    assert ids(per_page=1, page=2, sort="asc") == [second]
    for name in ("order_by", "sort", "activity_filter"):
        refused = owner.client.get(f"{path}/notes", **{name: "x"})
        assert (refused.status_code, refused.json()) == (400, {"error": f"{name} does not have a valid value"})


def test_closing_and_reopening_leave_system_notes(owner: Person, path: str) -> None:
    for event in ("close", "reopen"):
        owner.client.ok("PUT", path, json={"state_event": event})

    result = owner.client.get(f"{path}/notes", sort="asc").json()

    assert [(note["body"], note["system"]) for note in result] == [("closed", True), ("reopened", True)]
    assert owner.client.ok("GET", path)["user_notes_count"] == 0
    assert owner.client.put(f"{path}/notes/{result[0]['id']}", json={"body": "x"}).status_code == 403
    assert owner.client.delete(f"{path}/notes/{result[0]['id']}").status_code == 403


def test_errors_are_exact(world: World, owner: Person, project: dict[str, Any], path: str) -> None:
    notes = f"{path}/notes"
    for call, status, body in (
        (owner.client.post(notes, json={}), 400, {"error": "body is missing"}),
        (
            owner.client.post(notes, json={"body": "  "}), 400,
            {"message": '400 Bad request - Note {:note=>["can\'t be blank"]}'},
        ),
        (
            owner.client.post(notes, json={"body": "x" * 1_000_001}), 400,
            {"message": '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}'},
        ),
        (owner.client.get(f"{notes}/999999"), 404, {"message": "404 Not found"}),
        (owner.client.get(f"{notes}/x"), 400, {"error": "note_id is invalid"}),
        (owner.client.get(f"/projects/{project['id']}/merge_requests/999/notes"), 404, {"message": "404 Not found"}),
        (world.anonymous.get(notes), 401, {"message": "401 Unauthorized"}),
        (world.anonymous.post(notes, json={"body": "x"}), 401, {"message": "401 Unauthorized"}),
    ):  # fmt: skip
        assert (call.status_code, call.json()) == (status, body)


def test_roles_in_a_private_project(world: World, project: dict[str, Any], path: str) -> None:
    expected = {"guest": 404, "planner": 201, "reporter": 201, "developer": 201, "maintainer": 201}
    for role, status in expected.items():
        person = world.user()
        world.member(project, person, role)
        assert person.client.post(f"{path}/notes", json={"body": "hi"}).status_code == status, role
    assert world.user().client.post(f"{path}/notes", json={"body": "hi"}).status_code == 404


def test_who_edits_whose_notes(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    created = world.merge_request(project, owner)
    notes = f"/projects/{project['id']}/merge_requests/{created['iid']}/notes"
    stranger, developer, maintainer = world.user(), world.user(), world.user()
    world.member(project, developer, "developer")
    world.member(project, maintainer, "maintainer")
    note = stranger.client.ok("POST", notes, json={"body": "by a stranger"})

    assert developer.client.put(f"{notes}/{note['id']}", json={"body": "x"}).status_code == 403
    assert developer.client.delete(f"{notes}/{note['id']}").status_code == 403
    assert maintainer.client.put(f"{notes}/{note['id']}", json={"body": "x"}).status_code == 200
    assert stranger.client.put(f"{notes}/{note['id']}", json={"body": "y"}).status_code == 200
    assert maintainer.client.delete(f"{notes}/{note['id']}").status_code == 204


def test_a_locked_discussion_is_for_members(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    stranger, guest = world.user(), world.user()
    world.member(project, guest, "guest")
    mine = stranger.client.ok("POST", f"{path}/notes", json={"body": "before"})
    owner.client.ok("PUT", path, json={"discussion_locked": True})

    refused = stranger.client.post(f"{path}/notes", json={"body": "after"})

    assert (refused.status_code, refused.json()) == (403, {"message": "403 Forbidden"})
    assert stranger.client.put(f"{path}/notes/{mine['id']}", json={"body": "x"}).status_code == 403
    assert guest.client.post(f"{path}/notes", json={"body": "member"}).status_code == 201
    assert stranger.client.get(f"{path}/notes").status_code == 200


def test_internal_notes_are_for_planners(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    guest, planner = world.user(), world.user()
    world.member(project, guest, "guest")
    world.member(project, planner, "planner")

    note = planner.client.ok("POST", f"{path}/notes", json={"body": "psst", "internal": True})

    assert note["internal"] is note["confidential"] is True
    assert [entry["id"] for entry in owner.client.get(f"{path}/notes").json()] == [note["id"]]
    assert guest.client.get(f"{path}/notes").json() == []
    assert guest.client.get(f"{path}/discussions").json() == []
    assert guest.client.get(f"{path}/notes/{note['id']}").status_code == 404
    assert guest.client.post(f"{path}/notes", json={"body": "psst", "internal": True}).status_code == 403


def test_archived_projects_take_no_comments(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    created = world.merge_request(project, owner)
    notes = f"/projects/{project['id']}/merge_requests/{created['iid']}/notes"
    note = owner.client.ok("POST", notes, json={"body": "a"})
    owner.client.ok("POST", f"/projects/{project['id']}/archive")

    assert owner.client.get(notes).status_code == 200
    assert owner.client.post(notes, json={"body": "b"}).status_code == 403
    assert owner.client.delete(f"{notes}/{note['id']}").status_code == 403


def test_owners_may_say_when_it_was_written(world: World, owner: Person, project: dict[str, Any], path: str) -> None:
    developer = world.user()
    world.member(project, developer, "developer")
    body = {"body": "old", "created_at": "2020-01-02T03:04:05Z"}

    assert owner.client.ok("POST", f"{path}/notes", json=body)["created_at"] == "2020-01-02T03:04:05Z"
    assert developer.client.ok("POST", f"{path}/notes", json=body)["created_at"] > "2026"


def test_a_page_costs_a_fixed_number_of_queries(owner: Person, path: str) -> None:
    owner.client.ok("POST", f"{path}/notes", json={"body": "one"})
    few = owner.client.queries(f"{path}/notes")
    for number in range(12):
        owner.client.ok("POST", f"{path}/notes", json={"body": str(number)})

    assert owner.client.queries(f"{path}/notes") == few


def test_python_gitlab_reads_and_writes_notes(world: World, owner: Person, project: dict[str, Any], path: str) -> None:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        request = client.projects.get(project["id"]).mergerequests.get(int(path.rsplit("/", 1)[1]))
        note = request.notes.create({"body": "from a client"})
        note.body = "changed"
        note.save()
        assert [entry.body for entry in request.notes.list(get_all=True)] == ["changed"]
        note.delete()
        assert request.notes.list(get_all=True) == []


def test_comments_written_at_once_are_all_counted(world: World, owner: Person, path: str) -> None:
    people = [world.server.client(owner.token) for _ in range(8)]

    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda one: one.post(f"{path}/discussions", json={"body": "at once"}), people))
        votes = list(pool.map(lambda one: one.post(f"{path}/award_emoji", json={"name": "thumbsup"}), people))

    assert {reply.status_code for reply in replies} == {201}
    assert sorted(vote.status_code for vote in votes) == [201] + [404] * 7
    shown = owner.client.ok("GET", path)
    assert (shown["user_notes_count"], shown["upvotes"]) == (8, 1)
