"""Projects that start from the templates of a group or of the instance."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.support.waiting import until
from tests.support.world import Person, World


class Garden(NamedTuple):
    """A group that offers the templates of its subgroup."""

    owner: Person
    group: dict[str, Any]
    templates: dict[str, Any]
    template: dict[str, Any]


@pytest.fixture(scope="module")
def garden(world: World) -> Garden:
    owner = world.user()
    group = world.group(owner)
    templates = world.group(owner, parent_id=group["id"])
    template = world.project(owner, name="Raised Bed", namespace_id=templates["id"], initialize_with_readme=True)
    return Garden(owner, group, templates, template)


@pytest.fixture
def instance_templates(world: World, garden: Garden) -> Iterator[None]:
    settings = world.admin.ok(
        "PUT", "/application/settings", json={"custom_project_templates_group_id": garden.templates["id"]}
    )
    assert settings["custom_project_templates_group_id"] == garden.templates["id"]
    yield
    world.admin.ok("PUT", "/application/settings", json={"custom_project_templates_group_id": None})


def options(world: World, garden: Garden, **more: Any) -> dict[str, Any]:
    """A project in the group, from the group's templates."""
    return {
        "name": world.name("bed"),
        "namespace_id": garden.group["id"],
        "use_custom_template": True,
        "group_with_project_templates_id": garden.templates["id"],
        **more,
    }


@pytest.mark.parametrize("by", ["name", "id"])
def test_a_project_starts_from_a_template_of_its_group(world: World, garden: Garden, by: str) -> None:
    choice = {"template_name": "Raised Bed"} if by == "name" else {"template_project_id": garden.template["id"]}

    created = garden.owner.client.ok("POST", "/projects", json=options(world, garden, **choice))

    here = f"/projects/{created['id']}"
    until(lambda: garden.owner.client.ok("GET", here)["import_status"] == "finished")
    files = garden.owner.client.ok("GET", f"{here}/repository/tree")
    assert [file["name"] for file in files] == ["README.md"]
    assert created["import_type"] == "gitlab_custom_project_template"


def test_the_instance_offers_templates_everywhere(world: World, garden: Garden, instance_templates: None) -> None:
    choice = {"name": world.name("bed"), "use_custom_template": True, "template_name": "raised bed"}

    assert garden.owner.client.post("/projects", json=choice).status_code == 201
    stranger = world.user().client.post("/projects", json=choice)
    assert stranger.status_code == 400
    assert stranger.json() == {"message": {"template_name": ["'raised bed' is unknown or invalid"]}}


def test_templates_of_a_group_stay_below_it(world: World, garden: Garden) -> None:
    elsewhere = world.group(garden.owner)
    refusal = {"message": {"namespace": ["is not a descendant of the Group owning the template"]}}

    for namespace_id in (elsewhere["id"], None):
        sent = options(world, garden, template_name="Raised Bed", namespace_id=namespace_id)
        answer = garden.owner.client.post("/projects", json=sent)
        assert (answer.status_code, answer.json()) == (400, refusal)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"template_name": "Compost"}, {"template_name": ["'Compost' is unknown or invalid"]}),
        ({"template_project_id": 999999}, {"template_project_id": ["999999 is unknown or invalid"]}),
        (
            {"template_project_id": 999999, "use_custom_template": False},
            {"template_project_id": ["999999 is unknown or invalid"]},
        ),
        (
            {"template_name": "Raised Bed", "group_with_project_templates_id": None},
            {"template_name": ["'Raised Bed' is unknown or invalid"]},
        ),
        (
            {"template_name": "Raised Bed", "use_custom_template": False},
            {"template_name": ["'Raised Bed' is unknown or invalid"]},
        ),
    ],
)
def test_an_unknown_template_is_refused(
    world: World, garden: Garden, choice: dict[str, object], message: dict[str, list[str]]
) -> None:
    answer = garden.owner.client.post("/projects", json=options(world, garden, **choice))

    assert (answer.status_code, answer.json()) == (400, {"message": message})


def test_a_template_outside_the_group_of_templates_is_unknown(world: World, garden: Garden) -> None:
    other = world.project(garden.owner, namespace_id=garden.group["id"], initialize_with_readme=True)

    answer = garden.owner.client.post("/projects", json=options(world, garden, template_project_id=other["id"]))

    assert (answer.status_code, answer.json()) == (
        400,
        {"message": {"template_project_id": [f"{other['id']} is unknown or invalid"]}},
    )
