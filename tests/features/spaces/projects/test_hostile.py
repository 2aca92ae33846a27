"""Input that nobody sane sends: refused or ignored, never a fault of the service."""

from typing import Any

import pytest

from tests.support.world import World

TEXTS = ["\x00", "\ud800", "a" * 5000, "%", "''\"", "\U0010ffff", "-- drop", "../..", "\u202e", " ", "NULL", "{}", "[]"]
NUMBERS = [-1, 0, 2**31, 2**63 - 1, 2**63, 10**30, 1.5, True, "", "x", [], {}, None]


@pytest.fixture(scope="module")
def target(world: World) -> dict[str, Any]:
    return world.project(world.user(), initialize_with_readme=True)


@pytest.mark.parametrize(
    "name", ["name", "path", "description", "default_branch", "topics", "ci_config_path", "import_url"]
)
def test_texts_of_new_and_changed_projects(world: World, target: dict[str, Any], name: str) -> None:
    for text in TEXTS:
        new = {"name": world.name("odd"), name: text}
        for answer in (
            world.admin.post("/projects", content=_json(new), headers={"Content-Type": "application/json"}),
            world.admin.put(
                f"/projects/{target['id']}", content=_json({name: text}), headers={"Content-Type": "application/json"}
            ),
        ):
            assert answer.status_code < 500, (name, text, answer.text)


@pytest.mark.parametrize(
    "name", ["namespace_id", "build_timeout", "ci_default_git_depth", "topics", "visibility", "archived"]
)
def test_numbers_of_new_and_changed_projects(world: World, target: dict[str, Any], name: str) -> None:
    for number in NUMBERS:
        assert world.admin.post("/projects", json={"name": world.name("odd"), name: number}).status_code < 500
        assert world.admin.put(f"/projects/{target['id']}", json={name: number}).status_code < 500


@pytest.mark.parametrize(
    "name", ["search", "topic", "with_programming_language", "id_after", "topic_id", "page", "custom_attributes[a]"]
)
def test_values_of_list_filters(world: World, target: dict[str, Any], name: str) -> None:
    for value in [*(text for text in TEXTS if text != "\ud800"), *NUMBERS]:
        for path in ("/projects", f"/users/{target['owner']['id']}/projects", f"/projects/{target['id']}/forks"):
            answer = world.admin.get(path, **{name: str(value), "search_namespaces": True})
            assert answer.status_code < 500, (name, value, answer.text)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/projects/{id}/transfer"),
        ("POST", "/projects/{id}/fork"),
        ("POST", "/projects/{id}/share"),
        ("POST", "/projects/{id}/fork/{odd}"),
        ("DELETE", "/projects/{id}/share/{odd}"),
        ("POST", "/projects/{id}/import_project_members/{odd}"),
        ("GET", "/users/{odd}/projects"),
        ("GET", "/projects/{odd}"),
        ("PUT", "/projects/{id}/custom_attributes/{odd}"),
    ],
)
def test_odd_targets(world: World, target: dict[str, Any], method: str, path: str) -> None:
    for odd in ("0", "-1", str(2**63), "x", "%2F", "a%2Fb", "%00", "%ff", "."):
        body = dict.fromkeys(("namespace", "group_id", "group_access", "namespace_path", "branches", "value"), odd)
        options = {} if method == "GET" else {"json": body}
        answer = world.admin.request(method, path.format(id=target["id"], odd=odd), **options)
        assert answer.status_code < 500, (path, odd, answer.text)


def _json(value: dict[str, Any]) -> bytes:
    import json

    return json.dumps(value).encode()


def test_filters_with_thousands_of_values_are_answered(world: World) -> None:
    many = [f"t{number}" for number in range(1500)]
    listed = ",".join(many)

    assert world.admin.ok("GET", f"/projects?topic={listed}") == []
    for path in (
        f"/merge_requests?labels={listed}",
        f"/merge_requests?not[labels]={listed}",
        f"/issues?labels={listed}",
        f"/groups?skip_groups={listed}",
        "/projects?search=" + "+".join(many),
        "/projects?" + "&".join(f"custom_attributes[{name}]=v" for name in many),
        "/merge_requests?scope=all&" + "&".join(f"approved_by_ids[]={number}" for number in range(2500)),
    ):
        reply = world.admin.get(path)
        assert reply.status_code in (200, 400), (path[:40], reply.text)


def test_more_topics_than_anybody_needs_are_refused(world: World) -> None:
    body = {"name": world.name("many"), "topics": [f"t{number}" for number in range(1001)]}

    reply = world.admin.post("/projects", json=body)

    assert (reply.status_code, reply.json()) == (400, {"message": {"topics": ["are too many (maximum is 1000)"]}})


def test_all_topics_of_the_filter_must_match(world: World) -> None:
    both, one = world.project(topics=["north", "south"]), world.project(topics=["north"])

    assert [entry["id"] for entry in world.admin.ok("GET", "/projects?topic=north,south,north")] == [both["id"]]
    assert [entry["id"] for entry in world.admin.ok("GET", "/projects?topic=north")] == [one["id"], both["id"]]
    assert world.admin.ok("GET", "/projects?topic=north,South") == []


def test_all_labels_of_a_long_filter_must_match(world: World) -> None:
    project = world.project(initialize_with_readme=True)
    names = ",".join(f"label-{number}" for number in range(7))
    issue = world.admin.ok("POST", f"/projects/{project['id']}/issues", json={"title": "all", "labels": names})
    request = world.merge_request(project, labels=names)

    for kind, created in (("issues", issue), ("merge_requests", request)):
        path = f"/projects/{project['id']}/{kind}"
        assert [entry["iid"] for entry in world.admin.ok("GET", f"{path}?labels={names},label-0")] == [created["iid"]]
        assert world.admin.ok("GET", f"{path}?labels={names},another") == []
        assert world.admin.ok("GET", f"{path}?not[labels]=another,{names}") == []
        assert [entry["iid"] for entry in world.admin.ok("GET", f"{path}?not[labels]=another")] == [created["iid"]]
