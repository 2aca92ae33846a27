"""Events: what people did, in the words of the wire, to whoever may know of it."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from sqlalchemy import func, select, update

from ingot.events import ZERO_SHA, Pushed, RefChange
from ingot.features.people.event_log import events
from ingot.features.people.event_log.jobs import RETENTION
from ingot.kit.events import announce
from ingot.kit.jobs import enqueue
from tests.support.world import Person, World

TODAY = datetime.now(UTC).date()
PLAIN = {"imported": False, "imported_from": "none"}


class Scene(NamedTuple):
    """A public project in which one of everything happened."""

    owner: Person
    project: dict[str, Any]
    issue: dict[str, Any]
    request: dict[str, Any]
    note: dict[str, Any]
    milestone: dict[str, Any]

    @property
    def path(self) -> str:
        """The project's address."""
        return f"/projects/{self.project['id']}"

    def list(self, **filters: Any) -> list[dict[str, Any]]:
        """The project's events as its owner sees them."""
        rows: list[dict[str, Any]] = self.owner.client.ok(
            "GET", f"{self.path}/events", params={"per_page": 100, "sort": "asc", **filters}
        )
        return rows


@pytest.fixture(scope="module")
def scene(world: World) -> Scene:
    owner = world.user()
    client = owner.client
    project = world.project(owner, visibility="public", initialize_with_readme=True)
    path = f"/projects/{project['id']}"
    issue = client.ok("POST", f"{path}/issues", json={"title": "Hinge"})
    for event in ("close", "reopen"):
        client.ok("PUT", f"{path}/issues/{issue['iid']}", json={"state_event": event})
    request = world.merge_request(project, owner)
    note = client.ok("POST", f"{path}/issues/{issue['iid']}/notes", json={"body": "It squeaks"})
    milestone = client.ok("POST", f"{path}/milestones", json={"title": "Spring"})
    client.ok("PUT", f"{path}/milestones/{milestone['id']}", json={"state_event": "close"})
    client.ok("DELETE", f"{path}/milestones/{milestone['id']}")
    world.admin.ok("POST", f"{path}/merge_requests/{request['iid']}/approve")
    client.ok("PUT", f"{path}/merge_requests/{request['iid']}/merge")
    return Scene(owner, project, issue, request, note, milestone)


def words(rows: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    return [(row["action_name"], row["target_type"]) for row in rows]


def test_everything_that_happens_is_listed(scene: Scene) -> None:
    rows = [row for row in scene.list() if row["author_id"] == scene.owner.id]

    expected = [
        ("created", None),
        ("pushed new", None),
        ("opened", "Issue"),
        ("closed", "Issue"),
        ("opened", "Issue"),
        ("opened", "MergeRequest"),
        ("commented on", "Note"),
        ("destroyed", "Milestone"),
        ("accepted", "MergeRequest"),
        ("pushed to", None),
    ]
    assert sorted(words(rows), key=str) == sorted(expected, key=str)
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)


def test_an_event_has_the_fields_of_the_wire(scene: Scene) -> None:
    author = scene.issue["author"]
    issue, note = scene.list(target_type="issue")[0], scene.list(target_type="note")[0]
    base = {"project_id": scene.project["id"], "author_id": author["id"], "author": author}

    assert issue == {
        **base, "id": issue["id"], "action_name": "opened", "target_id": scene.issue["id"],
        "target_iid": scene.issue["iid"], "target_type": "Issue", "target_title": "Hinge",
        "created_at": scene.issue["created_at"], "author_username": scene.owner.username, **PLAIN,
    }  # fmt: skip
    assert note == {
        **base, "id": note["id"], "action_name": "commented on", "target_id": scene.note["id"],
        "target_iid": scene.note["id"], "target_type": "Note", "target_title": None,
        "created_at": scene.note["created_at"], "author_username": scene.owner.username,
        "note": scene.note, **PLAIN,
    }  # fmt: skip


def pushes_of(scene: Scene, project: dict[str, Any]) -> list[dict[str, Any]]:
    """The pushes to another project of the owner."""
    filters = {"action": "pushed", "sort": "asc"}
    rows: list[dict[str, Any]] = scene.owner.client.ok("GET", f"/projects/{project['id']}/events", params=filters)
    return rows


def test_pushes_say_what_they_did(world: World, scene: Scene) -> None:
    project = world.project(scene.owner, initialize_with_readme=True)
    first = world.commit(project, "rust", {"rust.txt": "1"}, user_id=scene.owner.id, message="Oil it\n\nwell")
    second = world.commit(project, "rust", {"rust.txt": "2"}, user_id=scene.owner.id, message="x" * 80)
    world.push(project, "refs/heads/rust", None, user_id=scene.owner.id)
    world.push(project, "refs/tags/v1", second, user_id=scene.owner.id)

    rows = pushes_of(scene, project)[-4:]

    assert [row["action_name"] for row in rows] == ["pushed new", "pushed to", "deleted", "pushed new"]
    branch = {"ref_type": "branch", "ref": "rust", "ref_count": None, "commit_count": 1}
    assert [row["push_data"] for row in rows] == [
        {**branch, "action": "created", "commit_from": None, "commit_to": first, "commit_title": "Oil it"},
        {**branch, "action": "pushed", "commit_from": first, "commit_to": second, "commit_title": "x" * 70},
        {**branch, "action": "removed", "commit_from": second, "commit_to": None, "commit_title": None,
         "commit_count": 0},
        {**branch, "action": "created", "commit_from": None, "commit_to": second, "commit_title": "x" * 70,
         "ref_type": "tag", "ref": "v1"},
    ]  # fmt: skip


def test_many_refs_at_once_are_one_event(world: World, scene: Scene) -> None:
    project = world.project(scene.owner, initialize_with_readme=True)
    sha = scene.owner.client.ok("GET", f"/projects/{project['id']}/repository/commits")[0]["id"]
    changes = tuple(RefChange(f"refs/heads/many-{number}", ZERO_SHA, sha) for number in range(4))

    announce(world.server.services, Pushed(project["id"], scene.owner.id, changes))

    assert pushes_of(scene, project)[-1]["push_data"] == {
        "commit_count": 0, "action": "created", "ref_type": "branch", "commit_from": None, "commit_to": None,
        "ref": None, "commit_title": None, "ref_count": 4,
    }  # fmt: skip


def test_a_push_that_is_told_of_twice_is_listed_once(world: World, scene: Scene) -> None:
    project = world.project(scene.owner, initialize_with_readme=True)
    sha = world.commit(project, "twice", {"twice.txt": "1"}, user_id=scene.owner.id)
    before = len(pushes_of(scene, project))

    again = RefChange("refs/heads/twice", ZERO_SHA, sha)
    announce(world.server.services, Pushed(project["id"], scene.owner.id, (again,)))

    assert len(pushes_of(scene, project)) == before


def test_members_come_and_go(world: World, scene: Scene) -> None:
    person = world.user()
    world.member(scene.project, person, "developer")
    scene.owner.client.ok("DELETE", f"{scene.path}/members/{person.id}")

    rows = scene.owner.client.ok("GET", f"/users/{person.username}/events", params={"sort": "asc"})

    assert [(row["action_name"], row["project_id"]) for row in rows] == [
        ("joined", scene.project["id"]),
        ("left", scene.project["id"]),
    ]
    assert person.client.ok("GET", "/events") == rows[::-1]
    assert scene.list(action="joined")[-1]["author_username"] == person.username


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"action": "closed"}, [("closed", "Issue")]),
        ({"action": "merged"}, [("accepted", "MergeRequest")]),
        ({"action": "approved", "target_type": "merge_request"}, [("approved", "MergeRequest")]),
        ({"target_type": "milestone"}, [("destroyed", "Milestone")]),
        ({"target_type": "project"}, []),
        ({"before": "2020-01-01"}, []),
        ({"action": "closed", "after": (TODAY - timedelta(days=3)).isoformat()}, [("closed", "Issue")]),
        ({"after": (TODAY + timedelta(days=3)).isoformat()}, []),
        ({"after": "9999-12-31", "action": "updated"}, []),
    ],
)
def test_events_are_filtered(scene: Scene, filters: dict[str, str], expected: list[tuple[str, str | None]]) -> None:
    assert words(scene.list(**filters)) == expected


@pytest.mark.parametrize(
    ("name", "value", "body"),
    [
        ("action", "sang", {"error": "action does not have a valid value"}),
        ("target_type", "haiku", {"error": "target_type does not have a valid value"}),
        ("sort", "up", {"error": "sort does not have a valid value"}),
        ("before", "soon", {"error": "before is invalid"}),
    ],
)
def test_wrong_filters_are_refused(scene: Scene, name: str, value: str, body: dict[str, str]) -> None:
    answer = scene.owner.client.get(f"{scene.path}/events", **{name: value})

    assert (answer.status_code, answer.json()) == (400, body)


def test_pages_are_counted_and_cost_a_fixed_number_of_statements(world: World, scene: Scene) -> None:
    client, project = scene.owner.client, world.project(scene.owner)
    path = f"/projects/{project['id']}"

    def comment() -> None:
        issue = client.ok("POST", f"{path}/issues", json={"title": "Squeak"})
        client.ok("POST", f"{path}/issues/{issue['iid']}/notes", json={"body": "Oil it"})

    comment()
    few = client.queries(f"{path}/events")
    for _ in range(3):
        comment()

    assert client.queries(f"{path}/events") == few
    answer = client.get(f"{path}/events", per_page=2, page=5)
    assert (answer.headers["X-Total"], answer.headers["X-Total-Pages"]) == ("9", "5")
    assert words(answer.json()) == [("created", None)]


def test_who_may_ask(world: World, scene: Scene) -> None:
    assert world.anonymous.get("/events").status_code == 401
    assert world.anonymous.get("/users/nobody-at-all/events").status_code == 404
    assert world.anonymous.get("/users/999999/events").json() == {"message": "404 User Not Found"}
    assert words(world.anonymous.ok("GET", f"{scene.path}/events", params={"action": "merged"})) == [
        ("accepted", "MergeRequest")
    ]
    private = world.project(scene.owner)
    assert world.anonymous.get(f"/projects/{private['id']}/events").status_code == 404
    reader = world.server.client(world.token(scene.owner.id, ["read_user"]))
    assert reader.get("/events").status_code == 200
    assert reader.get(f"{scene.path}/events").status_code == 403


def test_a_private_profile_shows_nothing(world: World, scene: Scene) -> None:
    shy = world.user(private_profile=True)
    world.project(shy, visibility="public")

    assert scene.owner.client.ok("GET", f"/users/{shy.id}/events") == []
    assert words(shy.client.ok("GET", f"/users/{shy.id}/events")) == [("created", None)]
    assert words(world.admin.ok("GET", f"/users/{shy.id}/events")) == [("created", None)]


def test_scope_all_lists_the_projects_of_the_caller(world: World, scene: Scene) -> None:
    member = world.user()
    world.member(scene.project, member, "reporter")

    everything = member.client.ok("GET", "/events", params={"scope": "all", "action": "merged"})

    assert [row["project_id"] for row in everything] == [scene.project["id"]]
    assert world.user().client.ok("GET", "/events", params={"scope": "all"}) == []


def test_nobody_learns_of_what_they_may_not_read(world: World, scene: Scene) -> None:
    owner, outsider = scene.owner, world.user()
    world.project(outsider)  # rights elsewhere do not count
    project = world.project(
        owner, visibility="public", initialize_with_readme=True, repository_access_level="private",
        merge_requests_access_level="private",
    )  # fmt: skip
    path = f"/projects/{project['id']}"
    secret = owner.client.ok("POST", f"{path}/issues", json={"title": "Secret", "confidential": True})
    owner.client.ok("POST", f"{path}/issues/{secret['iid']}/notes", json={"body": "hush"})
    plain = owner.client.ok("POST", f"{path}/issues", json={"title": "Plain"})
    owner.client.ok("POST", f"{path}/issues/{plain['iid']}/notes", json={"body": "hush", "internal": True})
    request = world.merge_request(project, owner)
    owner.client.ok("POST", f"{path}/merge_requests/{request['iid']}/notes", json={"body": "hush"})
    sha = owner.client.ok("GET", f"{path}/repository/commits")[0]["id"]
    owner.client.ok("POST", f"{path}/repository/commits/{sha}/comments", json={"note": "hush"})

    for where in (f"{path}/events", f"/users/{owner.id}/events"):
        rows = [row for row in outsider.client.ok("GET", where) if row["project_id"] == project["id"]]
        assert words(rows) == [("opened", "Issue"), ("created", None)]
        assert [row["target_title"] for row in rows] == ["Plain", None]
    seen = owner.client.ok("GET", f"{path}/events", params={"per_page": 100})
    assert len([row for row in seen if row["author_id"] == owner.id]) == 9


def test_deleted_things_are_not_listed(world: World, scene: Scene) -> None:
    issue = scene.owner.client.ok("POST", f"{scene.path}/issues", json={"title": "Short-lived"})
    before = len(scene.list(target_type="issue"))

    scene.owner.client.ok("POST", f"{scene.path}/issues/{issue['iid']}/notes", json={"body": "Farewell"})
    scene.owner.client.ok("DELETE", f"{scene.path}/issues/{issue['iid']}")

    assert len(scene.list(target_type="issue")) == before - 1
    with world.server.services.db.read() as conn:
        here = (events.c.target_type == "Issue") & (events.c.target_id == issue["id"])
        assert conn.execute(select(events.c.id).where(here)).all() == []
    assert "Farewell" not in [row["note"]["body"] for row in scene.list(target_type="note")]


def test_old_events_are_forgotten(world: World, scene: Scene) -> None:
    issue = scene.owner.client.ok("POST", f"{scene.path}/issues", json={"title": "Ancient"})
    ancient = (events.c.target_type == "Issue") & (events.c.target_id == issue["id"])
    database = world.server.services.db
    with database.write() as tx:
        tx.execute(update(events).where(ancient).values(created_at=datetime.now(UTC) - RETENTION - timedelta(days=1)))
        enqueue(tx, "forget_events", key="now")
    world.run_jobs()

    with database.read() as conn:
        assert conn.execute(select(func.count()).select_from(events).where(ancient)).scalar_one() == 0
        assert conn.execute(select(func.count()).select_from(events)).scalar_one() > 0


def test_the_link_of_a_project_leads_to_its_events(scene: Scene) -> None:
    shown = scene.owner.client.ok("GET", scene.path)

    assert scene.owner.client.get(shown["_links"]["events"]).status_code == 200
