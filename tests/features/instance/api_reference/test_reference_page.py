"""The reference page: small, searchable, with an example for every operation, and tried with the visitor's rights."""

import json
import os
import re
import subprocess
from html import unescape

import pytest

from ingot.features.instance.api_reference import Operation, list_operations
from ingot.features.instance.api_reference.recorded import FILE
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
    project = world.project()

    assert visit.tree.xpath("//td/code[text()='title']")
    command = visit.tree.xpath("//pre/code")[0].text
    assert command.splitlines()[0].strip() == "curl --request POST \\"
    command = re.sub(r"/projects/[^/]+/issues", f"/projects/{project['id']}/issues", command)
    environment = {**os.environ, "TOKEN": ROOT_TOKEN}
    answer = subprocess.run(
        ["sh", "-c", f"{command} --fail --silent"], env=environment, capture_output=True, timeout=120, check=True
    )
    assert json.loads(answer.stdout)["project_id"] == project["id"]
    assert Browser(world.server).open("/-/reference/no_such_operation").status == 404


def test_every_operation_has_a_command_without_gaps(world: World) -> None:
    operations = [one for family in list_operations(world.server.services).values() for one in family]

    assert [one.name for one in operations if "{" in one.curl("https://git.example.com").splitlines()[-1]] == []


def test_examples_were_recorded_and_fit_the_description(world: World) -> None:
    operations = [one for family in list_operations(world.server.services).values() for one in family]
    recorded = [one for one in operations if one.recorded is not None]
    unknown = [f"{one.name}: {fields}" for one in recorded if (fields := undescribed(one))]
    issue = next(one for one in operations if one.name == "get_issue").example

    assert len(recorded) > len(operations) * 0.98, "`make examples` records them anew"
    assert unknown == [], "`make examples` records them anew"
    assert isinstance(issue, dict)
    assert issue["web_url"].startswith("https://git.example.com/")


def undescribed(operation: Operation) -> list[str]:
    """Fields of the recorded answer that the description does not have."""
    answer, schema = operation.example, operation.answer_schema
    schema = schema.get("items", schema)
    record = answer[0] if isinstance(answer, list) and answer else answer
    schema = operation.document["components"]["schemas"].get(schema.get("$ref", "").rsplit("/", 1)[-1], {})
    if not isinstance(record, dict) or "properties" not in schema:
        return []
    return sorted(record.keys() - schema["properties"].keys())


def test_examples_hold_nothing_of_the_run_that_recorded_them() -> None:
    text = FILE.read_text()

    assert re.findall(r"127\.0\.0\.1|/tmp/|/home/|gl[a-z]{1,6}-(?!example)[\w-]{8,}", text) == []
    assert len(text) < 1_000_000


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


def test_an_address_alone_changes_nothing(world: World) -> None:
    project = world.project()
    browser = Browser(world.server, **{"PRIVATE-TOKEN": ROOT_TOKEN})

    refused = browser.open(f"/-/reference/delete_project?try=1&id={project['id']}")

    assert refused.status == 404
    assert world.admin.get(f"/projects/{project['id']}").status_code == 200


def test_no_operation_that_can_be_tried_breaks(world: World) -> None:
    project = world.project()
    browser = Browser(world.server, **{"PRIVATE-TOKEN": ROOT_TOKEN})
    operations = [one for family in list_operations(world.server.services).values() for one in family]
    tried = [one for one in operations if one.can_be_tried and not one.changes]
    broken = []
    for one in tried:
        places = [row.name for row, _ in one.arguments if row.place == "path" or row.required]
        query = "&".join(f"{name}={project['id'] if name == 'id' else 1}" for name in places)
        if browser.open(f"/-/reference/{one.name}?try=1&{query}").status != 200:
            broken.append(one.name)

    assert len(tried) > 200
    assert broken == []
