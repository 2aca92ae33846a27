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
