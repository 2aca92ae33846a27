"""The reference page tries what changes something: in a session, from its own form, once confirmed."""

import pytest

from ingot.features.instance.api_reference import list_operations
from tests.support.server import ROOT_TOKEN
from tests.support.world import World
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly
PAGE = "/-/reference/create_issue"
CONFIRMED = {"reference[confirmed]": "1"}


def titles(world: World, project: dict[str, object]) -> list[str]:
    return [one["title"] for one in world.admin.get(f"/projects/{project['id']}/issues").json()]


def signed_in(world: World, username: str) -> tuple[Browser, Visit]:
    browser = Browser(world.server)
    browser.enter_by_link(username)
    return browser, browser.open(PAGE)


def test_a_change_is_made_with_the_rights_of_the_session(world: World) -> None:
    owner, stranger = world.user(), world.user()
    project = world.project(owner, visibility="private")
    fields = {"id": str(project["id"]), "title": "The die cracks", "reference[more]": '{"labels": ["hot", "urgent"]}'}

    browser, page = signed_in(world, owner.username)
    done = browser.send(page, "#try", **fields, **CONFIRMED)
    other, page = signed_in(world, stranger.username)
    refused = other.send(page, "#try", **fields, **CONFIRMED)

    assert "Status 201" in done.text
    assert "Status 404" in refused.text
    (issue,) = world.admin.get(f"/projects/{project['id']}/issues").json()
    assert (issue["title"], issue["labels"]) == ("The die cracks", ["hot", "urgent"])
    assert issue["author"]["username"] == owner.username


def test_nothing_changes_without_a_confirmation_or_with_bad_json(world: World) -> None:
    owner = world.user()
    project = world.project(owner)
    browser, page = signed_in(world, owner.username)
    fields = {"id": str(project["id"]), "title": "x"}

    silent = browser.send(page, "#try", **fields)
    broken = browser.send(page, "#try", **fields, **CONFIRMED, **{"reference[more]": "[1]"})

    assert "Confirm that this request can change data." in silent.text
    assert "More parameters must be a JSON object" in broken.text
    assert titles(world, project) == []


def test_foreign_pages_tokens_and_strangers_change_nothing(world: World) -> None:
    owner = world.user()
    project = world.project(owner)
    fields = {"id": str(project["id"]), "title": "x", **CONFIRMED}
    browser, page = signed_in(world, owner.username)
    stranger = Browser(world.server)
    by_token = Browser(world.server, **{"PRIVATE-TOKEN": ROOT_TOKEN})
    token = page.tree.xpath("//form[contains(@class, 'api-try')]//input[@name='authenticity_token']/@value")[0]

    answers = [
        browser.http.post(PAGE, data=fields),
        browser.http.post(PAGE, data={**fields, "authenticity_token": token}, headers={"Sec-Fetch-Site": "cross-site"}),
        stranger.http.post(PAGE, data={**fields, "authenticity_token": token}),
        by_token.http.post(PAGE, data={**fields, "authenticity_token": token}),
    ]

    assert [one.status_code for one in answers] == [403, 403, 403, 403]
    assert stranger.open(PAGE).tree.xpath("//form[contains(@class, 'api-try')]") == []
    assert titles(world, project) == []


def test_no_change_that_can_be_tried_breaks(world: World) -> None:
    project = [world.project() for _ in range(3)][-1]
    browser, page = signed_in(world, "root")
    token = page.tree.xpath("//input[@name='authenticity_token']/@value")[0]
    operations = [one for family in list_operations(world.server.services).values() for one in family]
    tried = [one for one in operations if one.can_be_tried and one.changes]
    broken = []
    for one in sorted(tried, key=lambda one: one.method == "DELETE"):
        places = [row.name for row, _ in one.arguments if row.place == "path" or row.required]
        values = {name: str(project["id"]) if name == "id" else "1" for name in places}
        visit = Visit(
            browser.http.post(f"/-/reference/{one.name}", data={**values, **CONFIRMED, "authenticity_token": token})
        )
        if visit.status != 200 or "Status 5" in visit.text:
            broken.append(f"{one.name}: {visit.status}")

    assert len(tried) > 300
    assert broken == []
