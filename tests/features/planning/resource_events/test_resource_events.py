"""The history of labels, milestones and weights of issues and merge requests."""

from typing import Any

import gitlab
import pytest

from ingot.kit.db import counting_statements
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True, visibility="public")


@pytest.fixture(scope="module")
def milestones(owner: Person, project: dict[str, Any]) -> list[dict[str, Any]]:
    path = f"/projects/{project['id']}/milestones"
    return [owner.client.ok("POST", path, json={"title": title}) for title in ("v1", "v2")]


@pytest.fixture(params=["issues", "merge_requests"])
def item(request: pytest.FixtureRequest, world: World, owner: Person, project: dict[str, Any]) -> dict[str, Any]:
    if request.param == "issues":
        created = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a", "labels": "first"})
    else:
        created = world.merge_request(project, owner, labels="first")
    return {**created, "path": f"/projects/{project['id']}/{request.param}/{created['iid']}"}


def changes(person: Person, path: str, word: str) -> list[tuple[str, str]]:
    name = {"label": "name", "milestone": "title"}[word]
    events = person.client.ok("GET", f"{path}/resource_{word}_events")
    return [(event["action"], event[word][name]) for event in events]


def test_labels_come_and_go(owner: Person, item: dict[str, Any]) -> None:
    path = item["path"]
    owner.client.ok("PUT", path, json={"labels": "second"})
    owner.client.ok("PUT", path, json={"labels": "second", "title": "b"})

    assert changes(owner, path, "label") == [("add", "first"), ("add", "second"), ("remove", "first")]
    added, *_ = owner.client.ok("GET", f"{path}/resource_label_events")
    assert added.keys() == {"id", "user", "created_at", "resource_type", "resource_id", "label", "action"}
    assert added["label"].keys() == {"id", "name", "color", "description", "description_html", "text_color"}
    assert added["user"]["username"] == owner.username
    expected = "Issue" if "/issues/" in path else "MergeRequest"
    assert (added["resource_type"], added["resource_id"]) == (expected, item["id"])
    assert owner.client.ok("GET", f"{path}/resource_label_events/{added['id']}") == added


def test_an_event_outlives_its_label(owner: Person, project: dict[str, Any], item: dict[str, Any]) -> None:
    owner.client.ok("PUT", item["path"], json={"add_labels": "brief"})
    owner.client.ok("DELETE", f"/projects/{project['id']}/labels/brief")

    last = owner.client.ok("GET", f"{item['path']}/resource_label_events")[-1]

    assert (last["action"], last["label"]) == ("add", None)


def test_another_milestone_is_one_event(owner: Person, item: dict[str, Any], milestones: list[dict[str, Any]]) -> None:
    path, (first, second) = item["path"], milestones
    for milestone_id in (first["id"], second["id"], 0):
        owner.client.ok("PUT", path, json={"milestone_id": milestone_id})

    assert changes(owner, path, "milestone") == [("add", "v1"), ("add", "v2"), ("remove", "v2")]
    event = owner.client.ok("GET", f"{path}/resource_milestone_events")[0]
    assert event["milestone"] == first
    assert event["state"] == "opened"
    assert owner.client.ok("GET", f"{path}/resource_milestone_events/{event['id']}") == event


def test_the_first_change_of_a_weight_tells_the_earlier_one(owner: Person, project: dict[str, Any]) -> None:
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a", "weight": 3})
    path = f"/projects/{project['id']}/issues/{issue['iid']}"
    assert owner.client.ok("GET", f"{path}/resource_weight_events") == []
    for weight in (5, None):
        owner.client.ok("PUT", path, json={"weight": weight})

    events = owner.client.ok("GET", f"{path}/resource_weight_events")

    assert [event["weight"] for event in events] == [3, 5, None]
    assert events[0].keys() == {"id", "user", "created_at", "issue_id", "weight"}
    assert (events[0]["issue_id"], events[0]["created_at"]) == (issue["id"], issue["updated_at"])
    assert owner.client.ok("GET", f"{path}/resource_weight_events/{events[1]['id']}") == events[1]


def test_quick_actions_and_creation_are_recorded_once(
    owner: Person, project: dict[str, Any], milestones: list[dict[str, Any]]
) -> None:
    options = {"title": "a", "labels": "first", "milestone_id": milestones[0]["id"]}
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json=options)
    path = f"/projects/{project['id']}/issues/{issue['iid']}"
    owner.client.ok("POST", f"{path}/notes", json={"body": "/unlabel ~first\n/remove_milestone"})

    assert changes(owner, path, "label") == [("add", "first"), ("remove", "first")]
    assert changes(owner, path, "milestone") == [("add", "v1"), ("remove", "v1")]


def test_errors_and_pages(world: World, owner: Person, item: dict[str, Any]) -> None:
    path = f"{item['path']}/resource_label_events"
    other = f"{item['path'].rpartition('/')[0]}/9999/resource_label_events"
    kind = "Issue" if "/issues/" in path else "MergeRequest"
    owner.client.ok("PUT", item["path"], json={"add_labels": "second,third"})

    page = owner.client.get(path, per_page=2, page=2)

    states = f"{item['path'].rpartition('/')[0]}/9999/resource_state_events"
    assert (len(page.json()), page.headers["x-total"], page.headers["x-prev-page"]) == (1, "3", "1")
    for answer, status, message in (
        (world.anonymous.get(path), 401, "401 Unauthorized"),
        (owner.client.get(f"{path}/99999999"), 404, "404 Not found"),
        (owner.client.get(other), 404, f"404 {kind} Not Found"),
        (owner.client.get(states), 404, f"404 {kind} Not Found"),
        (world.anonymous.get(states), 401, "401 Unauthorized"),
    ):
        assert (answer.status_code, answer.json()) == (status, {"message": message})


def test_a_confidential_issue_keeps_its_history_to_itself(world: World, owner: Person, project: dict[str, Any]) -> None:
    options = {"title": "a", "labels": "first", "confidential": True}
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json=options)
    path = f"/projects/{project['id']}/issues/{issue['iid']}"

    answers = [world.user().client.get(f"{path}/resource_{word}_events") for word in ("label", "weight", "state")]

    assert [(answer.status_code, answer.json()["message"]) for answer in answers] == [(404, "404 Issue Not Found")] * 3


def test_labels_of_a_former_group_are_shown_to_those_who_see_it(world: World, owner: Person) -> None:
    group, reader = world.group(owner), world.user()
    owner.client.ok("POST", f"/groups/{group['id']}/labels", json={"name": "inner", "color": "#ff0000"})
    due = owner.client.ok("POST", f"/groups/{group['id']}/milestones", json={"title": "inner"})
    project = world.project(owner, namespace_id=group["id"])
    options = {"title": "a", "labels": "inner,own", "milestone_id": due["id"]}
    issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json=options)
    path = f"/projects/{project['id']}/issues/{issue['iid']}"
    home = world.group(owner)
    owner.client.ok("PUT", f"/projects/{project['id']}/transfer", json={"namespace": home["id"]})
    world.member(project, reader, 20)

    assert changes(owner, path, "label") == [("add", "inner"), ("add", "own")]
    assert changes(reader, path, "label") == [("add", "own")]
    assert changes(reader, path, "milestone") == []
    for word, title in (("label", "Label"), ("milestone", "Milestone")):
        hidden = owner.client.ok("GET", f"{path}/resource_{word}_events")[0]
        answer = reader.client.get(f"{path}/resource_{word}_events/{hidden['id']}")
        assert (answer.status_code, answer.json()) == (404, {"message": f"404 Resource{title}Event Not Found"})


def test_promotion_takes_the_events_along(world: World, owner: Person) -> None:
    group = world.group(owner)
    first, second = (world.project(owner, namespace_id=group["id"]) for _ in range(2))
    paths = []
    for project in (first, second):
        due = owner.client.ok("POST", f"/projects/{project['id']}/milestones", json={"title": "shared"})
        options = {"title": "a", "labels": "shared", "milestone_id": due["id"]}
        issue = owner.client.ok("POST", f"/projects/{project['id']}/issues", json=options)
        paths.append(f"/projects/{project['id']}/issues/{issue['iid']}")
    owner.client.ok("PUT", f"/projects/{first['id']}/labels/shared/promote")
    remaining = owner.client.ok("GET", f"/projects/{first['id']}/milestones")[0]
    owner.client.ok("POST", f"/projects/{first['id']}/milestones/{remaining['id']}/promote")

    for path in paths:
        assert changes(owner, path, "label") == [("add", "shared")]
        assert changes(owner, path, "milestone") == [("add", "shared")]


def test_a_page_costs_the_same_for_many_events(owner: Person, project: dict[str, Any]) -> None:
    counts = []
    for names in ("one", ",".join(f"label {number}" for number in range(12))):
        created = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a", "labels": names})
        path = f"/projects/{project['id']}/issues/{created['iid']}/resource_label_events"
        owner.client.ok("GET", path)
        with counting_statements() as counter:
            assert len(owner.client.ok("GET", path)) == len(names.split(","))
        counts.append(len(counter))

    assert counts[0] == counts[1]


def test_python_gitlab_reads_them(world: World, owner: Person, item: dict[str, Any], project: dict[str, Any]) -> None:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        place = client.projects.get(project["id"])
        manager = place.issues if "/issues/" in item["path"] else place.mergerequests
        loaded = manager.get(item["iid"])

        (event,) = loaded.resourcelabelevents.list(get_all=True)

        assert loaded.resourcelabelevents.get(event.id).label["name"] == "first"
        assert loaded.resourcemilestoneevents.list(get_all=True) == []
