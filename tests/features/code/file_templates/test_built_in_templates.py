"""Templates that come with the server."""

from typing import Any

import gitlab
import pytest

from tests.support.world import World

PLACES = ("[year]", "[fullname]", "[yyyy]", "<year>", "<name of author>")
KINDS = ("dockerfiles", "gitignores", "gitlab_ci_ymls")


@pytest.mark.parametrize("kind", KINDS)
def test_templates_are_listed_and_read_by_anybody(world: World, kind: str) -> None:
    listed = world.anonymous.ok("GET", f"/templates/{kind}", params={"per_page": 100})

    assert len(listed) > 5
    for entry in listed:
        assert entry.keys() == {"key", "name"}
        template = world.anonymous.ok("GET", f"/templates/{kind}/{entry['key'].replace('+', '%2B')}")
        assert template.keys() == {"name", "content"}
        assert (template["name"], len(template["content"]) > 10) == (entry["key"], True)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("dockerfiles", "dockerfile"), ("gitignores", "gitignore"), ("gitlab_ci_ymls", "gitlab_ci_yml"),
     ("licenses", "License")],
)  # fmt: skip
def test_an_unknown_template_is_not_found(world: World, kind: str, name: str) -> None:
    for key in ("nothing", "..%2Flicenses%2Fmit", "%2E%2E"):
        answer = world.anonymous.get(f"/templates/{kind}/{key}")
        assert (answer.status_code, answer.json()) == (404, {"message": f"404 {name} Not Found"}), key


def test_every_template_of_a_configuration_is_valid(world: World) -> None:
    project = world.project(initialize_with_readme=True)
    for entry in world.admin.ok("GET", "/templates/gitlab_ci_ymls", params={"per_page": 100}):
        content = f"include: {{template: '{entry['key']}.gitlab-ci.yml'}}"
        checked = world.admin.ok("POST", f"/projects/{project['id']}/ci/lint", json={"content": content})
        assert (checked["valid"], checked["errors"]) == (True, []), entry["key"]


def test_licences_say_what_they_allow_and_are_filled_in(world: World) -> None:
    listed = world.anonymous.ok("GET", "/templates/licenses")
    popular = world.anonymous.ok("GET", "/templates/licenses", params={"popular": True})
    person = world.user(name="Ada L.")

    assert [licence["key"] for licence in popular] == ["apache-2.0", "gpl-3.0", "mit"]
    assert len(listed) == 12
    for licence in listed:
        filled = world.anonymous.ok(
            "GET", f"/templates/licenses/{licence['key']}", params={"fullname": "Grace H.", "project": "Beds"}
        )
        left = [
            word
            for word in ("[year]", "[fullname]", "[yyyy]", "<year>", "<name of author>")
            if word in filled["content"]
        ]
        assert left == [], licence["key"]
        assert {**filled, "content": ""} == {**licence, "content": ""}
        assert all(licence[field] for field in ("description", "permissions", "limitations")), licence["key"]
    mine = person.client.ok("GET", "/templates/licenses/bsd-2-clause")
    assert ", Ada L.\n" in mine["content"]
    assert "[fullname]" in world.anonymous.ok("GET", "/templates/licenses/mit")["content"]


def test_projects_offer_them_too(world: World) -> None:
    place = f"/projects/{world.project(visibility='public')['id']}/templates"

    names: list[dict[str, Any]] = world.anonymous.ok("GET", f"{place}/licenses", params={"per_page": 100})
    assert {"key": "mit", "name": "MIT License"} in names
    assert world.anonymous.ok("GET", f"{place}/licenses/mit")["nickname"] is None
    assert "node_modules/" in world.anonymous.ok("GET", f"{place}/gitignores/Node")["content"]


def test_a_client_reads_them(world: World) -> None:
    client = gitlab.Gitlab(world.server.url, private_token=world.user().token)

    assert client.dockerfiles.get("Node").content.startswith("FROM")
    assert "node_modules" in client.gitignores.get("Node").content
    assert client.gitlabciymls.get("Nodejs").content
    assert len(client.gitlabciymls.list(get_all=True)) > 20
    licence = client.licenses.get("bsd-2-clause", project="test project", fullname="test fullname")
    assert "test fullname" in licence.content
