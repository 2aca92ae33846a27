"""Templates that a project takes from its own repository, from its groups and from the instance."""

from typing import Any, NamedTuple

import pytest

from tests.support.client import Client
from tests.support.world import Person, World

FILES = {
    "Dockerfile/Node.dockerfile": "FROM node\n",
    "gitignore/Soil.gitignore": "*.mud\n",
    "gitignore/README.md": "no template\n",
    "gitlab-ci/Dig.yml": "dig: {script: dig}\n",
    "LICENSE/Garden.txt": "Copyright [year] [fullname], [project]\n",
}


class Place(NamedTuple):
    """A project whose group has file templates, and the project that holds them."""

    owner: Person
    group: dict[str, Any]
    source: dict[str, Any]
    project: dict[str, Any]

    @property
    def path(self) -> str:
        """Where the templates are."""
        return f"/projects/{self.project['id']}/templates"


@pytest.fixture(scope="module")
def place(world: World) -> Place:
    owner = world.user()
    group = world.group(owner, visibility="public")
    source = world.project(owner, namespace_id=group["id"], visibility="private")
    world.commit(source, "main", FILES)
    below = world.group(owner, parent_id=group["id"], visibility="public")
    project = world.project(owner, namespace_id=below["id"], visibility="public")
    world.commit(project, "main", {".gitlab/issue_templates/Bug.md": "What grows wrong?\n"})
    changed = owner.client.ok("PUT", f"/groups/{group['id']}", json={"file_template_project_id": source["id"]})
    assert changed["file_template_project_id"] == source["id"]
    return Place(owner, group, source, project)


def keys(client: Client, path: str) -> list[str]:
    """The keys of a list of templates."""
    return [template["key"] for template in client.ok("GET", path, params={"per_page": 100})]


@pytest.mark.parametrize(
    ("kind", "name", "content"),
    [
        ("dockerfiles", "Node", "FROM node\n"),
        ("gitignores", "Soil", "*.mud\n"),
        ("gitlab_ci_ymls", "Dig", "dig: {script: dig}\n"),
        ("issues", "Bug", "What grows wrong?\n"),
    ],
)
def test_templates_are_listed_and_read(place: Place, kind: str, name: str, content: str) -> None:
    client = place.owner.client

    assert client.ok("GET", f"{place.path}/{kind}")[0] == {"key": name, "name": name}  # before those of the server
    assert client.ok("GET", f"{place.path}/{kind}/{name}") == {"name": name, "content": content}


def test_a_licence_is_filled_in(place: Place) -> None:
    licence = place.owner.client.ok(
        "GET", f"{place.path}/licenses/Garden", params={"fullname": "Ada L.", "project": "Beds"}
    )

    assert licence["key"] == "Garden"
    assert licence["content"].endswith(" Ada L., Beds\n")
    assert "[year]" not in licence["content"]


def test_whoever_cannot_read_the_source_finds_no_template(world: World, place: Place) -> None:
    stranger = world.user().client

    assert "Soil" not in keys(stranger, f"{place.path}/gitignores")
    answer = stranger.get(f"{place.path}/gitignores/Soil")
    assert (answer.status_code, answer.json()) == (404, {"message": "404 Template Not Found"})
    assert world.anonymous.ok("GET", f"{place.path}/issues") == [{"key": "Bug", "name": "Bug"}]


def test_the_source_can_be_chosen(place: Place) -> None:
    path = f"{place.path}/gitignores/Soil"

    assert place.owner.client.get(path, source_template_project_id=place.source["id"]).status_code == 200
    assert place.owner.client.get(path, source_template_project_id=place.project["id"]).status_code == 404


def test_the_instance_has_templates_for_all(world: World, place: Place) -> None:
    lonely = world.project(place.owner)
    path = f"/projects/{lonely['id']}/templates/gitignores"
    assert "Soil" not in keys(place.owner.client, path)

    world.admin.ok("PUT", "/application/settings", json={"file_template_project_id": place.source["id"]})
    try:
        assert "Soil" in keys(place.owner.client, path)
    finally:
        world.admin.ok("PUT", "/application/settings", json={"file_template_project_id": None})


def test_a_project_that_left_the_group_has_no_templates_for_it(world: World, place: Place) -> None:
    owner, group = place.owner, world.group(place.owner)
    source = world.project(owner, namespace_id=group["id"])
    world.commit(source, "main", FILES)
    user = world.project(owner, namespace_id=group["id"])
    owner.client.ok("PUT", f"/groups/{group['id']}", json={"file_template_project_id": source["id"]})
    path = f"/projects/{user['id']}/templates/gitignores"
    assert "Soil" in keys(owner.client, path)

    owner.client.ok("PUT", f"/projects/{source['id']}/transfer", json={"namespace": owner.username})

    assert "Soil" not in keys(owner.client, path)


def test_a_foreign_project_is_refused(world: World, place: Place) -> None:
    foreign = world.project(world.user(), visibility="public")

    for number in (foreign["id"], 999999):
        answer = place.owner.client.put(f"/groups/{place.group['id']}", json={"file_template_project_id": number})
        assert (answer.status_code, answer.json()) == (
            400,
            {"message": {"file_template_project_id": ["is invalid"]}},
        )


def test_an_unknown_type_is_refused(place: Place) -> None:
    answer = place.owner.client.get(f"{place.path}/haiku")

    assert (answer.status_code, answer.json()) == (400, {"error": "type does not have a valid value"})
