"""Opening, reading, changing, closing and deleting issues: every role and error."""

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
def issue(owner: Person, project: dict[str, Any]) -> dict[str, Any]:
    created: dict[str, Any] = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "It breaks"})
    return created


def path_of(issue: dict[str, Any]) -> str:
    return f"/projects/{issue['project_id']}/issues/{issue['iid']}"


def test_an_issue_is_shown_in_full(world: World, owner: Person, project: dict[str, Any]) -> None:
    body = {
        "title": "  It breaks ",
        "description": "- [x] see\n- [ ] fix",
        "labels": "bug,urgent",
        "assignee_ids": [owner.id],
        "due_date": "2030-01-02",
        "weight": 3,
    }

    created = owner.client.ok("POST", f"/projects/{project['id']}/issues", json=body)

    home = f"{world.server.url}/api/v4/projects/{project['id']}"
    assert created.items() >= {
        "title": "It breaks", "state": "opened", "labels": ["bug", "urgent"], "due_date": "2030-01-02", "weight": 3,
        "confidential": False, "discussion_locked": None, "issue_type": "issue", "type": "ISSUE", "closed_at": None,
        "closed_by": None, "user_notes_count": 0, "upvotes": 0, "downvotes": 0, "merge_requests_count": 0,
        "task_completion_status": {"count": 2, "completed_count": 1}, "has_tasks": True,
        "task_status": "1 of 2 checklist items completed", "subscribed": True, "imported": False,
        "time_stats": {
            "time_estimate": 0, "total_time_spent": 0, "human_time_estimate": None, "human_total_time_spent": None,
        },
        "references": {
            "short": f"#{created['iid']}", "relative": f"#{created['iid']}",
            "full": f"{project['path_with_namespace']}#{created['iid']}",
        },
        "_links": {
            "self": f"{home}/issues/{created['iid']}", "notes": f"{home}/issues/{created['iid']}/notes",
            "award_emoji": f"{home}/issues/{created['iid']}/award_emoji", "project": home,
            "closed_as_duplicate_of": None,
        },
    }.items()  # fmt: skip
    assert created["author"]["id"] == created["assignee"]["id"] == created["assignees"][0]["id"] == owner.id
    assert owner.client.ok("GET", path_of(created)) == created
    assert world.admin.ok("GET", f"/issues/{created['id']}")["iid"] == created["iid"]
    assert owner.client.get(f"/issues/{created['id']}").status_code == 403


def test_changing_everything(owner: Person, project: dict[str, Any], issue: dict[str, Any]) -> None:
    milestone = owner.client.ok("POST", f"/projects/{project['id']}/milestones", json={"title": f"m{issue['iid']}"})
    change = {
        "title": "Other", "description": "text", "labels": "a,b", "milestone_id": milestone["id"], "weight": 5,
        "assignee_ids": [owner.id], "due_date": "2031-05-06", "confidential": True, "discussion_locked": True,
        "issue_type": "incident",
    }  # fmt: skip

    changed = owner.client.ok("PUT", path_of(issue), json=change)

    assert changed["title"] == "Other"
    assert changed["labels"] == ["a", "b"]
    assert changed["milestone"]["id"] == milestone["id"]
    assert changed["confidential"] is changed["discussion_locked"] is True
    assert changed["issue_type"] == "incident"
    again = owner.client.ok("PUT", path_of(issue), json={"add_labels": "c", "remove_labels": "a"})
    assert again["labels"] == ["b", "c"]
    cleared = {"labels": "", "assignee_ids": [], "milestone_id": 0, "due_date": "", "weight": None}
    empty = owner.client.ok("PUT", path_of(issue), json=cleared)
    assert (empty["labels"], empty["assignees"], empty["milestone"]) == ([], [], None)
    assert (empty["due_date"], empty["weight"]) == (None, None)
    texts = [note["body"] for note in owner.client.get(f"{path_of(issue)}/notes", sort="asc").json()]
    assert "changed title from **It breaks** to **Other**" in texts
    assert "made the issue confidential" in texts
    assert f"assigned to @{owner.username}" in texts


def test_closing_and_reopening_keep_counts_and_history(world: World, owner: Person) -> None:
    project = world.project(owner)
    first, second = (
        owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": title}) for title in "ab"
    )

    closed = owner.client.ok("PUT", path_of(first), json={"state_event": "close"})

    assert closed["state"] == "closed"
    assert closed["closed_by"]["id"] == owner.id
    assert closed["closed_at"] is not None
    assert owner.client.ok("GET", f"/projects/{project['id']}")["open_issues_count"] == 1
    owner.client.ok("PUT", path_of(first), json={"state_event": "close"})
    opened = owner.client.ok("PUT", path_of(first), json={"state_event": "reopen"})
    assert (opened["state"], opened["closed_at"], opened["closed_by"]) == ("opened", None, None)
    assert owner.client.ok("GET", f"/projects/{project['id']}")["open_issues_count"] == 2
    events = owner.client.ok("GET", f"{path_of(first)}/resource_state_events")
    assert [event["state"] for event in events] == ["closed", "reopened"]
    assert owner.client.ok("GET", f"{path_of(first)}/resource_state_events/{events[0]['id']}") == events[0]
    assert owner.client.delete(path_of(second)).status_code == 204
    assert owner.client.ok("GET", f"/projects/{project['id']}")["open_issues_count"] == 1
    assert owner.client.get(path_of(second)).json() == {"message": "404 Not found"}


def test_errors_are_exact(world: World, owner: Person, project: dict[str, Any], issue: dict[str, Any]) -> None:
    issues = f"/projects/{project['id']}/issues"
    for call, status, body in (
        (owner.client.post(issues, json={}), 400, {"error": "title is missing"}),
        (owner.client.post(issues, json={"title": " "}), 400, {"message": {"title": ["can't be blank"]}}),
        (
            owner.client.post(issues, json={"title": "x" * 256}), 400,
            {"message": {"title": ["is too long (maximum is 255 characters)"]}},
        ),
        (
            owner.client.post(issues, json={"title": "x", "issue_type": "y"}), 400,
            {"error": "issue_type does not have a valid value"},
        ),
        (
            owner.client.post(issues, json={"title": "x", "weight": -1}), 400,
            {"message": {"weight": ["must be greater than or equal to 0"]}},
        ),
        (owner.client.post(issues, json={"title": "x", "iid": issue["iid"]}), 409, {"message": "Duplicated issue"}),
        (
            owner.client.put(path_of(issue), json={"state_event": "x"}), 400,
            {"error": "state_event does not have a valid value"},
        ),
        (owner.client.get(f"{issues}/99999"), 404, {"message": "404 Not found"}),
        (owner.client.get(f"{issues}/x"), 400, {"error": "issue_iid is invalid"}),
        (world.anonymous.post(issues, json={"title": "x"}), 401, {"message": "401 Unauthorized"}),
    ):  # fmt: skip
        assert (call.status_code, call.json()) == (status, body)
    nothing = owner.client.put(path_of(issue), json={})
    assert nothing.status_code == 400
    assert nothing.json()["error"].endswith("are missing, at least one parameter must be provided")


def test_roles(world: World, owner: Person, project: dict[str, Any]) -> None:
    expected = {
        #           create, labels kept, close another's, delete
        "stranger": (201, [], 403, 403),
        "guest": (201, [], 403, 403),
        "planner": (201, ["x"], 200, 403),
        "reporter": (201, ["x"], 200, 403),
        "developer": (201, ["x"], 200, 403),
        "maintainer": (201, ["x"], 200, 403),
        "owner": (201, ["x"], 200, 204),
    }
    for role, (created, labels, closed, deleted) in expected.items():
        person = world.user()
        if role != "stranger":
            world.member(project, person, role)
        other = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "of the owner"})
        mine = person.client.post(f"/projects/{project['id']}/issues", json={"title": role, "labels": "x"})
        assert mine.status_code == created, role
        assert mine.json()["labels"] == labels, role
        assert person.client.put(path_of(mine.json()), json={"title": "mine"}).status_code == 200, role
        assert person.client.put(path_of(other), json={"state_event": "close"}).status_code == closed, role
        assert person.client.delete(path_of(other)).status_code == deleted, role


def test_confidential_issues_are_hidden(world: World, owner: Person, project: dict[str, Any]) -> None:
    guest, planner, assignee, author = (world.user() for _ in range(4))
    world.member(project, guest, "guest")
    world.member(project, planner, "planner")
    created = author.client.ok(
        "POST", f"/projects/{project['id']}/issues", json={"title": "psst", "confidential": True}
    )
    owner.client.ok("PUT", path_of(created), json={"assignee_ids": [assignee.id]})

    for person, status in ((guest, 404), (planner, 200), (assignee, 200), (author, 200), (owner, 200)):
        assert person.client.get(path_of(created)).status_code == status
        assert person.client.get(f"{path_of(created)}/notes").status_code == status
        listed = person.client.get(f"/projects/{project['id']}/issues", iids=[created["iid"]]).json()
        assert len(listed) == (status == 200)
    assert world.anonymous.get(path_of(created)).status_code == 404
    assert world.anonymous.get(f"/projects/{project['id']}/issues", confidential=True).json() == []


def test_disabled_and_archived(world: World, owner: Person) -> None:
    project = world.project(owner)
    created = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a"})
    owner.client.ok("POST", f"/projects/{project['id']}/archive")
    assert owner.client.get(path_of(created)).status_code == 200
    assert owner.client.put(path_of(created), json={"title": "b"}).status_code == 403
    assert owner.client.post(f"/projects/{project['id']}/issues", json={"title": "a"}).status_code == 403
    owner.client.ok("POST", f"/projects/{project['id']}/unarchive")
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"issues_access_level": "disabled"})
    assert owner.client.get(path_of(created)).status_code == 404
    assert owner.client.get(f"/projects/{project['id']}/issues").json() == []


def test_subscribing_and_participants(world: World, owner: Person, project: dict[str, Any]) -> None:
    named, writer, reactor = world.user(), world.user(), world.user()
    created = owner.client.ok(
        "POST", f"/projects/{project['id']}/issues", json={"title": "a", "description": f"hi @{named.username}"}
    )
    path = path_of(created)
    writer.client.ok("POST", f"{path}/notes", json={"body": "here"})
    reactor.client.ok("POST", f"{path}/award_emoji", json={"name": "heart"})

    people = owner.client.ok("GET", f"{path}/participants")

    assert [person["id"] for person in people] == [owner.id, *sorted((named.id, writer.id, reactor.id))]
    assert writer.client.ok("POST", f"{path}/subscribe")["subscribed"] is True
    assert writer.client.post(f"{path}/subscribe").status_code == 304
    assert writer.client.ok("POST", f"{path}/unsubscribe")["subscribed"] is False
    assert owner.client.ok("POST", f"{path}/unsubscribe")["subscribed"] is False
    assert world.anonymous.post(f"{path}/subscribe").status_code == 401


def test_links_between_issues(world: World, owner: Person, project: dict[str, Any]) -> None:
    one, two = (owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": title}) for title in "ab")
    body = {"target_project_id": project["id"], "target_issue_iid": two["iid"], "link_type": "blocks"}

    created = owner.client.ok("POST", f"{path_of(one)}/links", json=body)

    assert (created["source_issue"]["id"], created["target_issue"]["id"]) == (one["id"], two["id"])
    assert owner.client.post(f"{path_of(one)}/links", json=body).status_code == 409
    (there,) = owner.client.ok("GET", f"{path_of(two)}/links")
    assert (there["id"], there["link_type"]) == (one["id"], "is_blocked_by")
    (here,) = owner.client.ok("GET", f"{path_of(one)}/links")
    assert (here["id"], here["link_type"]) == (two["id"], "blocks")
    assert owner.client.ok("GET", path_of(one))["blocking_issues_count"] == 1
    link = f"{path_of(one)}/links/{here['issue_link_id']}"
    assert owner.client.ok("GET", link)["link_type"] == "blocks"
    stranger = world.user()
    assert stranger.client.delete(link).status_code == 403
    assert (
        stranger.client.post(f"{path_of(two)}/links", json=body | {"target_issue_iid": one["iid"]}).status_code == 403
    )
    assert owner.client.delete(link).status_code == 200
    assert owner.client.get(link).json() == {"message": "404 Issue Link Not Found"}


def test_moving_and_cloning(world: World, owner: Person, project: dict[str, Any], issue: dict[str, Any]) -> None:
    other = world.project(owner)
    owner.client.ok("POST", f"{path_of(issue)}/notes", json={"body": "a comment"})

    moved = owner.client.ok("POST", f"{path_of(issue)}/move", json={"to_project_id": other["id"]})

    assert (moved["project_id"], moved["title"], moved["user_notes_count"]) == (other["id"], "It breaks", 1)
    left = owner.client.ok("GET", path_of(issue))
    assert (left["state"], left["moved_to_id"]) == ("closed", moved["id"])
    again = owner.client.post(f"{path_of(issue)}/move", json={"to_project_id": other["id"]})
    assert again.status_code == 400
    copy = owner.client.ok("POST", f"{path_of(moved)}/clone", json={"to_project_id": project["id"]})
    assert (copy["project_id"], copy["user_notes_count"]) == (project["id"], 0)
    stranger = world.user()
    refused = stranger.client.post(f"{path_of(copy)}/clone", json={"to_project_id": project["id"]})
    assert refused.status_code == 400


def test_python_gitlab_manages_issues(world: World, owner: Person, project: dict[str, Any]) -> None:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        issues = client.projects.get(project["id"]).issues
        created = issues.create({"title": "from a client", "labels": ["py"]})
        created.state_event = "close"
        created.save()
        assert issues.get(created.iid).state == "closed"
        assert [entry.iid for entry in issues.list(labels=["py"], state="closed", get_all=True)] == [created.iid]
        created.time_estimate("3h")
        created.add_spent_time("1h 30m")
        assert issues.get(created.iid).attributes["time_stats"]["human_total_time_spent"] == "1h 30m"
        created.notes.create({"body": "note"})
        created.awardemojis.create({"name": "thumbsup"})
        assert issues.get(created.iid).upvotes == 1
        assert client.projects.get(project["id"]).issues_statistics.get().statistics["counts"]["all"] > 0
        created.delete()
