"""The reference page: small, searchable, with an example for every operation, and tried with the visitor's rights."""

import json
from html import unescape

import pytest

from ingot.features.instance.api_reference import list_operations
from tests.support import plain_http
from tests.support.server import ROOT_TOKEN
from tests.support.world import World
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly
FIRST_VIEW = 200_000  # bytes


def test_the_first_view_is_small_and_leads_to_every_operation(world: World) -> None:
    page = plain_http.get(f"{world.server.url}/-/reference", headers={"Accept-Encoding": "identity"})
    operations = [one for family in list_operations(world.server.services).values() for one in family]

    assert len(page.content) < FIRST_VIEW
    assert "script-src 'self'; style-src 'self'" in page.headers["content-security-policy"]
    missing = [one.name for one in operations if f'href="/-/reference/{one.name}"' not in page.text]
    assert missing == []
    assert len(operations) > 700


def test_search_finds_by_path_method_and_word(world: World) -> None:
    browser = Browser(world.server)
    hits = browser.open("/-/reference?query=post+/projects/{id}/issues")
    nothing = browser.open("/-/reference?query=%3Cb%3E")

    assert "/-/reference/create_issue" in hits.links()
    assert "/-/reference/list_users" not in hits.links()
    assert "Nothing found for “<b>”" in nothing.text


def test_an_operation_shows_arguments_and_a_command_that_works(world: World) -> None:
    visit = Browser(world.server).open("/-/reference/create_issue")

    assert visit.tree.xpath("//td/code[text()='title']")
    command = visit.tree.xpath("//pre/code")[0].text
    assert command.splitlines()[0].strip() == "curl --request POST \\"
    assert '--data-urlencode "title=The die cracks"' in command
    assert command.splitlines()[-1].strip() == f'"{world.server.url}/api/v4/projects/smithy%2Fanvil/issues"'
    assert Browser(world.server).open("/-/reference/no_such_operation").status == 404


def test_every_operation_has_a_command_without_gaps_and_an_answer(world: World) -> None:
    operations = [one for family in list_operations(world.server.services).values() for one in family]
    incomplete = [one.name for one in operations if "{" in one.curl("https://git.example.com").splitlines()[-1]]
    issue = next(one for one in operations if one.name == "get_issue").example

    assert incomplete == []
    assert isinstance(issue, dict)
    assert (issue["title"], issue["author"]["username"]) == ("The die cracks", "ada")


def test_trying_answers_with_the_rights_of_the_visitor(world: World) -> None:
    project = world.project(visibility="private")
    path = f"/-/reference/get_project?try=1&id={project['id']}"
    owner = Browser(world.server, **{"PRIVATE-TOKEN": ROOT_TOKEN}).open(path)
    stranger = Browser(world.server).open(path)
    incomplete = Browser(world.server).open("/-/reference/get_project?try=1")

    shown = unescape(owner.tree.xpath("//pre[contains(@class, 'code')]/code")[0].text)
    assert json.loads(shown)["id"] == project["id"]
    assert "Status 404" in stranger.text
    assert project["name"] not in stranger.text
    assert "Fill in id." in incomplete.text


def test_only_reading_can_be_tried(world: World) -> None:
    project = world.project()
    browser = Browser(world.server, **{"PRIVATE-TOKEN": ROOT_TOKEN})

    refused = browser.open(f"/-/reference/delete_project?try=1&id={project['id']}")

    assert refused.status == 404
    assert world.admin.get(f"/projects/{project['id']}").status_code == 200


def test_no_operation_that_can_be_tried_breaks(world: World) -> None:
    project = world.project()
    browser = Browser(world.server, **{"PRIVATE-TOKEN": ROOT_TOKEN})
    operations = [one for family in list_operations(world.server.services).values() for one in family]
    tried = [one for one in operations if one.can_be_tried]
    broken = []
    for one in tried:
        places = [row.name for row, _ in one.arguments if row.place == "path" or row.required]
        query = "&".join(f"{name}={project['id'] if name == 'id' else 1}" for name in places)
        if browser.open(f"/-/reference/{one.name}?try=1&{query}").status != 200:
            broken.append(one.name)

    assert len(tried) > 200
    assert broken == []
