"""Issue boards of projects and groups: from creation to removal, who may what, and in archives."""

from pathlib import Path
from typing import Any

import gitlab
import pytest

from tests.features.transfer.project_imports.making import archive, exported, imported, relation
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import Person, World

LABEL = {"color": "#aabbcc"}


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner)


@pytest.fixture(scope="module")
def project(world: World, owner: Person, group: dict[str, Any]) -> dict[str, Any]:
    return world.project(owner, namespace_id=group["id"])


@pytest.fixture(scope="module")
def places(group: dict[str, Any], project: dict[str, Any]) -> dict[str, str]:
    return {"project": f"/projects/{project['id']}", "group": f"/groups/{group['id']}"}


def make_labels(owner: Person, place: str, *names: str) -> list[int]:
    return [owner.client.ok("POST", f"{place}/labels", json={"name": name, **LABEL})["id"] for name in names]


@pytest.mark.parametrize("kind", ["project", "group"])
def test_a_board_from_creation_to_removal(world: World, owner: Person, kind: str) -> None:
    created = world.project(owner) if kind == "project" else world.group(owner)
    place, call = f"/{kind}s/{created['id']}", owner.client.ok
    assert call("GET", f"{place}/boards") == []

    board = call("POST", f"{place}/boards", json={"name": "Work"})
    labels = make_labels(owner, place, *(f"{kind}-{name}" for name in ("todo", "doing", "done")))
    path = f"{place}/boards/{board['id']}"
    lists = [call("POST", f"{path}/lists", json={"label_id": label}) for label in labels]

    assert (board["name"], board["lists"], board["labels"], board["weight"]) == ("Work", [], [], None)
    assert (board["project"] is None, board["group"] is None) == (kind == "group", kind == "project")
    assert [one["position"] for one in lists] == [0, 1, 2]
    assert (lists[0]["label"]["name"], lists[0]["max_issue_count"], lists[0]["limit_metric"]) == (
        f"{kind}-todo",
        0,
        None,
    )
    moved = call("PUT", f"{path}/lists/{lists[2]['id']}", json={"position": 0})
    assert (moved["id"], moved["position"]) == (lists[2]["id"], 0)
    order = [2, 0, 1]
    assert [one["id"] for one in call("GET", f"{path}/lists")] == [lists[number]["id"] for number in order]
    owner.client.delete(f"{path}/lists/{lists[0]['id']}")
    assert [(one["id"], one["position"]) for one in call("GET", path)["lists"]] == [
        (lists[2]["id"], 0),
        (lists[1]["id"], 1),
    ]
    assert call("GET", f"{path}/lists/{lists[1]['id']}")["label"]["id"] == labels[1]
    assert owner.client.delete(path).status_code == 204
    gone = owner.client.get(path)
    assert (gone.status_code, gone.json()) == (404, {"message": "404 Not found"})


@pytest.mark.parametrize("kind", ["project", "group"])
def test_what_a_board_shows_can_be_limited(owner: Person, places: dict[str, str], kind: str) -> None:
    place, call = places[kind], owner.client.ok
    milestone = call("POST", f"{place}/milestones", json={"title": f"{kind}-m"})
    make_labels(owner, place, f"{kind}-only")
    path = f"{place}/boards/{call('POST', f'{place}/boards', json={'name': 'Narrow'})['id']}"
    scope = {"assignee_id": owner.id, "milestone_id": milestone["id"], "labels": f"{kind}-only, unknown", "weight": 3}

    board = call("PUT", path, json={"name": "Wide", "hide_backlog_list": True, "hide_closed_list": True, **scope})

    assert (board["name"], board["hide_backlog_list"], board["hide_closed_list"]) == ("Wide", True, True)
    assert (board["assignee"]["id"], board["milestone"]["id"], board["weight"]) == (owner.id, milestone["id"], 3)
    assert [one["name"] for one in board["labels"]] == [f"{kind}-only"]
    none = call("PUT", path, json={"assignee_id": 0, "milestone_id": None, "labels": "", "weight": None})
    assert (none["assignee"], none["milestone"], none["labels"], none["weight"]) == (None, None, [], None)
    for body in ({"assignee_id": owner.id}, {"milestone_id": milestone["id"]}):
        added = call("POST", f"{path}/lists", json=body)
        assert added["label"] is None
        assert (added.get("assignee") or added.get("milestone"))["id"] == next(iter(body.values()))


def test_wrong_input(world: World, owner: Person, places: dict[str, str]) -> None:
    place = places["project"]
    board = owner.client.ok("POST", f"{place}/boards", json={"name": "Errors"})
    [label] = make_labels(owner, place, "twice")
    path = f"{place}/boards/{board['id']}"
    added = owner.client.ok("POST", f"{path}/lists", json={"label_id": label})
    elsewhere = make_labels(owner, f"/projects/{world.project(owner)['id']}", "elsewhere")[0]
    stranger = world.user()

    answers = {
        "a name that is blank": owner.client.post(f"{place}/boards", json={"name": " "}),
        "a long name": owner.client.put(path, json={"name": "n" * 256}),
        "a negative weight": owner.client.put(path, json={"weight": -1}),
        "the same label": owner.client.post(f"{path}/lists", json={"label_id": label}),
        "a label of another place": owner.client.post(f"{path}/lists", json={"label_id": elsewhere}),
        "a label that is none": owner.client.post(f"{path}/lists", json={"label_id": 0}),
        "a stranger": owner.client.post(f"{path}/lists", json={"assignee_id": stranger.id}),
        "nobody": owner.client.post(f"{path}/lists", json={"assignee_id": 0}),
        "no milestone": owner.client.post(f"{path}/lists", json={"milestone_id": 99999999}),
        "nothing": owner.client.post(f"{path}/lists", json={}),
        "two": owner.client.post(f"{path}/lists", json={"label_id": label, "assignee_id": owner.id}),
        "a position too far": owner.client.put(f"{path}/lists/{added['id']}", json={"position": 1}),
        "a position before all": owner.client.put(f"{path}/lists/{added['id']}", json={"position": -1}),
    }

    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(answers, 400)
    assert answers["the same label"].json() == {"message": {"label": ["has already been taken"]}}
    assert answers["a label of another place"].json() == {"message": {"error": "Label not found!"}}
    assert answers["a stranger"].json() == {"message": {"error": "User not found!"}}
    assert answers["no milestone"].json() == {"message": {"error": "Milestone not found!"}}
    assert answers["a position too far"].json() == {"message": {"error": "List could not be moved!"}}
    assert owner.client.get(f"{path}/lists/99999999").json() == {"message": "404 Not found"}


def test_who_may_what(world: World, owner: Person) -> None:
    public = world.project(owner, visibility="public")
    path = f"/projects/{public['id']}/boards"
    owner.client.ok("POST", path, json={"name": "Open"})
    reader, guest, planner = world.user(), world.user(), world.user()
    world.member(public, guest, "guest")
    world.member(public, planner, "planner")

    assert [one["name"] for one in reader.client.ok("GET", path)] == ["Open"]
    assert world.anonymous.get(path).status_code == 401
    assert [person.client.post(path, json={"name": "x"}).status_code for person in (reader, guest, planner)] == [
        403, 403, 201,
    ]  # fmt: skip
    owner.client.ok("PUT", f"/projects/{public['id']}", json={"issues_access_level": "disabled"})
    assert owner.client.get(path).status_code == 403


def test_lists_go_with_what_they_are_of(owner: Person, places: dict[str, str]) -> None:
    place = places["project"]
    [label] = make_labels(owner, place, "fleeting")
    path = f"{place}/boards/{owner.client.ok('POST', f'{place}/boards', json={'name': 'Fleeting'})['id']}"
    owner.client.ok("POST", f"{path}/lists", json={"label_id": label})

    owner.client.delete(f"{place}/labels/{label}")

    assert owner.client.ok("GET", path)["lists"] == []


def test_the_free_tier_has_one_board_in_a_group_and_lists_of_labels(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, tier="free") as server:
        _try_free_tier(World(server))


def _try_free_tier(world: World) -> None:
    person = world.user()
    group = world.group(person)
    path = f"/groups/{group['id']}/boards"
    board = person.client.ok("POST", path, json={"name": "One"})

    assert person.client.post(path, json={"name": "Two"}).status_code == 403
    assert person.client.post(f"{path}/{board['id']}/lists", json={"assignee_id": person.id}).status_code == 403
    assert person.client.ok("PUT", f"{path}/{board['id']}", json={"weight": 3})["weight"] is None


def test_pages_cost_the_same_however_many_boards_there_are(world: World, owner: Person) -> None:
    place = f"/projects/{world.project(owner)['id']}"
    labels = make_labels(owner, place, "a", "b")
    for number in range(4):
        board = owner.client.ok("POST", f"{place}/boards", json={"name": f"b{number}"})
        for label in labels:
            owner.client.ok("POST", f"{place}/boards/{board['id']}/lists", json={"label_id": label})

    assert owner.client.queries(f"{place}/boards", per_page=1) == owner.client.queries(f"{place}/boards", per_page=4)
    assert len(owner.client.ok("GET", f"{place}/boards", params={"per_page": 3, "page": 2})) == 1


def test_python_gitlab_uses_boards(world: World, owner: Person, project: dict[str, Any]) -> None:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as api:
        place = api.projects.get(project["id"])
        label = place.labels.create({"name": "by-client", "color": "#ff0000"})
        board = place.boards.create({"name": "By client"})
        column = board.lists.create({"label_id": label.id})
        column.position = 0
        column.save()
        assert [one.label["name"] for one in board.lists.list()] == ["by-client"]
        board.delete()


def test_boards_come_back_from_an_archive(world: World, owner: Person) -> None:
    place = f"/projects/{world.project(owner)['id']}"
    labels = make_labels(owner, place, "one", "two")
    milestone = owner.client.ok("POST", f"{place}/milestones", json={"title": "m"})
    path = f"{place}/boards/{owner.client.ok('POST', f'{place}/boards', json={'name': 'Round'})['id']}"
    for body in ({"label_id": labels[1]}, {"assignee_id": owner.id}, {"label_id": labels[0]}):
        owner.client.ok("POST", f"{path}/lists", json=body)
    scope = {"weight": 2, "milestone_id": milestone["id"], "assignee_id": owner.id, "labels": "one"}
    board = owner.client.ok("PUT", path, json={"hide_closed_list": True, **scope})

    content = exported(world, owner, int(place.rpartition("/")[2]))
    record = imported(world, owner, content)

    assert record["failed_relations"] == []
    [copy] = owner.client.ok("GET", f"/projects/{record['id']}/boards")
    for name in ("name", "hide_backlog_list", "hide_closed_list", "weight"):
        assert copy[name] == board[name]
    assert (copy["assignee"]["id"], copy["milestone"]["title"]) == (owner.id, "m")
    assert [one["name"] for one in copy["labels"]] == ["one"]
    named = [one["label"]["name"] if one["label"] else one["assignee"]["id"] for one in copy["lists"]]
    assert named == ["two", owner.id, "one"]
    kinds = [(one["list_type"], one["position"]) for one in relation(content, "boards")[0]["lists"]]
    assert kinds == [("label", 0), ("assignee", 1), ("label", 2)]


def test_odd_boards_of_an_archive_are_read_as_far_as_they_make_sense(world: World, owner: Person) -> None:
    label = {"title": "L", "color": "#aabbcc", "type": "ProjectLabel"}
    columns = [
        {"list_type": "backlog", "position": None}, {"list_type": "closed", "position": None},
        {"list_type": "label", "position": 1, "label": label, "max_issue_count": 7},
        {"list_type": "label", "position": 2, "label": label}, {"list_type": "assignee", "user_id": 99999999},
    ]  # fmt: skip
    good = {"name": "Odd", "weight": -1, "lists": columns, "iteration_id": 3, "something": "new"}
    bad = {"name": "n" * 300, "lists": []}

    record = imported(world, owner, archive(boards=[good, bad, {"lists": "none"}]))

    assert [one["line_number"] for one in record["failed_relations"]] == [1]
    boards = owner.client.ok("GET", f"/projects/{record['id']}/boards")
    assert [(one["name"], len(one["lists"]), one["weight"]) for one in boards] == [
        ("Development", 0, None),
        ("Odd", 1, None),
    ]
    again = {one["name"]: one for one in relation(exported(world, owner, record["id"]), "boards")}
    assert again["Odd"]["something"] == "new"
    kinds = [(one["list_type"], one.get("max_issue_count")) for one in again["Odd"]["lists"]]
    assert sorted(kinds, key=str) == [("assignee", None), ("backlog", None), ("closed", None), ("label", 7)]
