"""The list of projects: forms, paging and refusals."""

import pytest

from tests.support.world import World


@pytest.fixture(scope="module")
def few(world: World) -> dict[str, int]:
    ada = world.user("ada")
    return {
        name: world.project(ada, name=name, path=path, visibility=visibility, description=text)["id"]
        for name, path, visibility, text in [
            ("Öl und Licht", "oil", "public", "Painting with light"),
            ("engine", "engine", "internal", None),
            ("secret", "hidden", "private", "light"),
        ]
    }


def ids(result: list[dict[str, int]]) -> list[int]:
    return [project["id"] for project in result]


def test_anonymous_callers_get_public_projects_in_the_simple_form(world: World, few: dict[str, int]) -> None:
    result = world.anonymous.ok("GET", "/projects")

    assert ids(result) == [few["Öl und Licht"]]
    assert "visibility" not in result[0]
    assert result[0]["default_branch"] == "main"


def test_search_is_a_substring_of_any_length_without_regard_to_case(world: World, few: dict[str, int]) -> None:
    def search(text: str, **more: object) -> list[int]:
        return ids(world.admin.get("/projects", search=text, **more).json())

    assert search("LIGHT") == [few["secret"], few["Öl und Licht"]]
    assert search("öl") == [few["Öl und Licht"]]
    assert search("ÖL und") == [few["Öl und Licht"]]
    assert search("li ht") == [few["secret"], few["Öl und Licht"]]
    assert search("secret light") == [few["secret"]]
    assert search('"with light"') == [few["Öl und Licht"]]
    assert search("%") == []
    assert search("ada/eng") == []
    assert search("ada/eng", search_namespaces=True) == [few["engine"]]


def test_updated_bounds_need_their_order(world: World, few: dict[str, int]) -> None:
    answer = world.admin.get("/projects", updated_after="2020-01-01")

    assert answer.status_code == 400
    assert answer.json() == {"message": "400 Bad request - `updated_at` filter and `updated_at` sorting must be paired"}
    assert len(world.admin.get("/projects", updated_after="2020-01-01", order_by="updated_at").json()) == 3


def test_keyset_goes_by_id_alone(world: World, few: dict[str, int]) -> None:
    refused = world.admin.get("/projects", pagination="keyset")
    first = world.admin.get("/projects", pagination="keyset", order_by="id", per_page=2, sort="asc")

    assert (refused.status_code, refused.json()) == (
        405,
        {"error": "Keyset pagination is not yet available for this type of request"},
    )
    assert f"id_after={few['engine']}" in first.headers["Link"]
    assert "X-Total" not in first.headers


def test_offsets_end_at_fifty_thousand(world: World, few: dict[str, int]) -> None:
    answer = world.admin.get("/projects", page=501, per_page=100)

    assert answer.status_code == 405
    assert "Offset pagination has a maximum allowed offset of 50000" in answer.json()["error"]
