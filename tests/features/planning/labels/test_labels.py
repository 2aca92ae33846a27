"""Labels of projects and groups: forms, filters, roles and errors."""

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


def labels_of(item: dict[str, Any], kind: str = "projects") -> str:
    return f"/{kind}/{item['id']}/labels"


def make(owner: Person, path: str, name: str, **more: Any) -> dict[str, Any]:
    created: dict[str, Any] = owner.client.ok("POST", path, json={"name": name, "color": "#FF0000", **more})
    return created


def names(person: Any, path: str, **params: Any) -> list[str]:
    return [label["name"] for label in person.get(path, **params).json()]


def test_a_label_is_shown_in_full(owner: Person, project: dict[str, Any]) -> None:
    created = make(owner, labels_of(project), "bug", description="It <breaks>", priority=3)

    assert created == {
        "id": created["id"], "name": "bug", "description": "It <breaks>", "description_html": "It &lt;breaks&gt;",
        "text_color": "#FFFFFF", "color": "#FF0000", "subscribed": False, "priority": 3, "is_project_label": True,
    }  # fmt: skip
    for key in (created["id"], "bug"):
        assert owner.client.ok("GET", f"{labels_of(project)}/{key}") == created
    assert make(owner, labels_of(project), "light", color="white")["text_color"] == "#1F1E24"


def test_changing_and_deleting(owner: Person, project: dict[str, Any]) -> None:
    path = labels_of(project)
    make(owner, path, "old", priority=1)

    changed = owner.client.ok("PUT", f"{path}/old", json={"new_name": "new", "color": "#00f", "description": "x"})

    assert (changed["name"], changed["color"], changed["description"]) == ("new", "#00f", "x")
    assert owner.client.ok("PUT", f"{path}/new", json={"priority": None})["priority"] is None
    assert owner.client.delete(f"{path}/new").status_code == 204
    gone = owner.client.get(f"{path}/new")
    assert (gone.status_code, gone.json()) == (404, {"message": "404 Label Not Found"})


def test_labels_named_in_the_body(owner: Person, group: dict[str, Any], project: dict[str, Any]) -> None:
    for path in (labels_of(project), labels_of(group, "groups")):
        created = make(owner, path, "first")
        assert owner.client.ok("PUT", path, json={"name": "first", "new_name": "second"})["name"] == "second"
        assert owner.client.ok("PUT", path, json={"label_id": created["id"], "color": "#000"})["color"] == "#000"
        refused = owner.client.put(path, json={"new_name": "x"})
        assert refused.json() == {"error": "label_id, name are missing, exactly one parameter must be provided"}
        assert owner.client.request("DELETE", path, params={"name": "nothing"}).status_code == 404
        assert owner.client.request("DELETE", path, params={"name": "second"}).status_code == 204


def test_lists_with_search_ancestors_and_counts(
    world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]
) -> None:
    make(owner, labels_of(group, "groups"), "above")
    make(owner, labels_of(project), "bug", description="wrong")
    opened, closed = (
        owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": title, "labels": "bug"})
        for title in "ab"
    )
    owner.client.ok("PUT", f"/projects/{project['id']}/issues/{closed['iid']}", json={"state_event": "close"})
    world.merge_request(project, owner, labels="bug")
    path = labels_of(project)

    assert names(owner.client, path) == ["above", "bug"]
    assert names(owner.client, path, include_ancestor_groups=False) == ["bug"]
    assert names(owner.client, path, search="WRON") == ["bug"]
    assert names(owner.client, path, per_page=1, page=2) == ["bug"]
    (counted,) = owner.client.get(path, search="bug", with_counts=True).json()
    assert (counted["open_issues_count"], counted["closed_issues_count"]) == (1, 1)
    assert counted["open_merge_requests_count"] == 1
    assert names(world.anonymous, path) == ["above", "bug"]
    assert opened["labels"] == ["bug"]


def test_labels_of_groups(world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]) -> None:
    below = world.group(owner, parent_id=group["id"], visibility="public")
    top, inner = labels_of(group, "groups"), labels_of(below, "groups")
    created = make(owner, top, "top")
    make(owner, inner, "inner")
    make(owner, labels_of(project), "own")

    assert "priority" not in created
    assert names(owner.client, top) == ["top"]
    assert names(owner.client, inner) == ["inner", "top"]
    assert names(owner.client, inner, include_ancestor_groups=False) == ["inner"]
    assert names(owner.client, top, include_descendant_groups=True) == ["inner", "top"]
    assert names(owner.client, top, only_group_labels=False) == ["own", "top"]
    assert owner.client.ok("PUT", f"{top}/top", json={"color": "#123456"})["color"] == "#123456"
    assert owner.client.ok("PUT", f"{labels_of(project)}/top", json={"priority": 2})["priority"] == 2
    assert owner.client.put(f"{labels_of(project)}/top", json={"color": "#654321"}).status_code == 404
    assert owner.client.delete(f"{top}/top").status_code == 204


def test_promoting_folds_labels_of_the_same_name(
    world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]
) -> None:
    other = world.project(owner, namespace_id=group["id"])
    for place in (project, other):
        make(owner, labels_of(place), "same")
        owner.client.ok("POST", f"/projects/{place['id']}/issues", json={"title": "a", "labels": "same"})

    promoted = owner.client.ok("PUT", f"{labels_of(project)}/same/promote")

    assert promoted["is_project_label"] is False
    for place in (project, other):
        assert names(owner.client, labels_of(place)) == ["same"]
        assert len(owner.client.get(f"/projects/{place['id']}/issues", labels="same").json()) == 1
    personal = world.project(owner)
    make(owner, labels_of(personal), "mine")
    assert owner.client.put(f"{labels_of(personal)}/mine/promote").status_code == 400


def test_subscriptions(world: World, owner: Person, project: dict[str, Any]) -> None:
    path = f"{labels_of(project)}/{make(owner, labels_of(project), 'bug')['id']}"

    assert owner.client.ok("POST", f"{path}/subscribe")["subscribed"] is True
    assert owner.client.post(f"{path}/subscribe").status_code == 304
    assert world.user().client.ok("GET", path)["subscribed"] is False
    assert owner.client.ok("POST", f"{path}/unsubscribe")["subscribed"] is False
    assert owner.client.post(f"{path}/unsubscribe").status_code == 304
    assert world.anonymous.post(f"{path}/subscribe").status_code == 401


def test_errors(owner: Person, project: dict[str, Any]) -> None:
    path = labels_of(project)
    make(owner, path, "taken")
    make(owner, path, "other")
    for call, status, body in (
        (owner.client.post(path, json={}), 400, {"error": "name is missing, color is missing"}),
        (owner.client.post(path, json={"name": "taken", "color": "red"}), 409, {"message": "Label already exists"}),
        (
            owner.client.post(path, json={"name": "x", "color": "reddish"}), 400,
            {"message": {"color": ["must be a valid color code"]}},
        ),
        (
            owner.client.post(path, json={"name": "a,b", "color": "red"}), 400,
            {"message": {"title": ["is invalid"]}},
        ),
        (
            owner.client.post(path, json={"name": "x", "color": "red", "priority": -1}), 400,
            {"message": {"priority": ["must be greater than or equal to 0"]}},
        ),
        (
            owner.client.put(f"{path}/other", json={}), 400,
            {"error": "new_name, color, description, priority are missing, at least one parameter must be provided"},
        ),
        (
            owner.client.put(f"{path}/other", json={"new_name": "taken"}), 400,
            {"message": {"title": ["has already been taken"]}},
        ),
        (owner.client.delete(f"{path}/nothing"), 404, {"message": "404 Label Not Found"}),
    ):  # fmt: skip
        assert (call.status_code, call.json()) == (status, body)


def test_roles(world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]) -> None:
    for role, status in (("guest", 403), ("planner", 201), ("reporter", 201), ("developer", 201), ("maintainer", 201)):
        person = world.user()
        world.member(project, person, role)
        body = {"name": f"by {role}", "color": "red"}
        assert person.client.post(labels_of(project), json=body).status_code == status, role
        member = world.user()
        world.member(group, member, role, kind="groups")
        assert member.client.post(labels_of(group, "groups"), json=body).status_code == status, role
    stranger = world.user()
    assert stranger.client.post(labels_of(project), json={"name": "x", "color": "red"}).status_code == 403
    assert world.anonymous.post(labels_of(project), json={"name": "x", "color": "red"}).status_code == 401
    hidden = world.project(owner)
    assert stranger.client.get(labels_of(hidden)).status_code == 404


def test_a_page_costs_the_same_whatever_its_size(owner: Person, project: dict[str, Any]) -> None:
    for number in range(5):
        make(owner, labels_of(project), f"l{number}")
    counts = {owner.client.queries(labels_of(project), per_page=size, with_counts=True) for size in (1, 5)}
    assert len(counts) == 1


def test_python_gitlab_manages_labels(world: World, owner: Person, project: dict[str, Any]) -> None:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        labels = client.projects.get(project["id"]).labels
        label = labels.create({"name": "py", "color": "#00ff00"})
        label.description = "changed"
        label.save()
        assert labels.get("py").description == "changed"
        label.promote()
        group = client.groups.get(project["namespace"]["id"])
        assert [one.name for one in group.labels.list(get_all=True)] == ["py"]
        shared = group.labels.list(get_all=True)[0]
        shared.color = "#0000ff"
        shared.save()
        shared.delete()
        assert group.labels.list(get_all=True) == []
