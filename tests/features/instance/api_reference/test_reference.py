import re

from ingot.kit.reference import pages
from tests.support.world import World


def test_the_description_is_served_to_everybody(world: World) -> None:
    document = world.anonymous.get("/openapi.json").json()

    assert document["openapi"] == "3.1.0"
    assert document["paths"]["/users/{id}"]["get"]["operationId"] == "get_user"
    shapes = [re.sub(r"\{\w+\}", "{}", path) for path in document["paths"]]
    assert len(shapes) == len(set(shapes))
    names = [one["operationId"] for item in document["paths"].values() for one in item.values()]
    assert len(names) == len(set(names))


def test_every_endpoint_is_documented(world: World) -> None:
    document = world.anonymous.get("/openapi.json").json()

    for path, item in document["paths"].items():
        for method, operation in item.items():
            where = f"{method} {path}"
            assert operation["summary"], where
            assert {one["name"] for one in operation["parameters"] if one["in"] == "path"} == set(
                re.findall(r"\{(\w+)\}", path)
            ), where


def test_the_pages_for_the_repository_are_made_from_the_same(world: World) -> None:
    result = pages(world.anonymous.get("/openapi.json").json())

    assert "GET /users" in result["users.md"]
    assert "[Users](users.md)" in result["README.md"]
