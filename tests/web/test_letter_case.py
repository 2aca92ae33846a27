"""Addresses that somebody typed with other letters lead to those of the place."""

from typing import Any

import pytest

from tests.support import plain_http
from tests.support.world import Person, World
from tests.web.browsing import Browser


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user("mia")


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    group = world.group(owner, path="Forge", visibility="public")
    body = {"namespace_id": group["id"], "visibility": "public", "initialize_with_readme": True}
    return world.project(owner, path="bell", **body)


@pytest.fixture
def browser(world: World, owner: Person, project: dict[str, Any]) -> Browser:
    assert project["path_with_namespace"] == "Forge/bell"
    result = Browser(world.server)
    result.enter_by_link(owner.username)
    return result


@pytest.mark.parametrize(
    ("typed", "own"),
    [
        ("/FORGE/Bell", "/Forge/bell"),
        ("/forge//bell/", "/Forge/bell"),
        ("/forge/bell/-/issues?state=closed&search=a%20%26b", "/Forge/bell/-/issues?state=closed&search=a%20%26b"),
        ("/forge/bell/-/blob/main/README.md?plain=1", "/Forge/bell/-/blob/main/README.md?plain=1"),
        ("/forge/bell/-/blob/a%2Fb%23/c%3Fd%20e", "/Forge/bell/-/blob/a%2Fb%23/c%3Fd%20e"),
        ("/forge/Bell/activity", "/Forge/bell/activity"),
        ("/forge/Bell/edit", "/Forge/bell/edit"),
        ("/groups/forge", "/groups/Forge"),
        ("/groups/FORGE/-/group_members?search=m", "/groups/Forge/-/group_members?search=m"),
        ("/MIA?page=2", "/mia?page=2"),
    ],
)
def test_other_letters_lead_to_the_address_of_the_place(browser: Browser, typed: str, own: str) -> None:
    answer = browser.http.get(typed, follow_redirects=False)
    assert (answer.status_code, answer.headers.get("location")) == (301, own)
    assert browser.http.get(own, follow_redirects=False).status_code != 301


def test_the_tab_is_marked_then_and_no_line_is_said(browser: Browser) -> None:
    for typed, name in (("/forge/Bell/-/issues", "Issues"), ("/groups/forge/-/issues", "Issues")):
        page = browser.open(typed)
        assert [tab.text.strip() for tab in page.tree.xpath("//nav//a[@aria-current='page']")][:1] == [name]
        assert not page.tree.xpath("//p[@class='flash']")
    page = browser.open("/forge/Bell/-/pipelines")
    assert "Pipelines" in [tab.text for tab in page.tree.xpath("//nav[contains(@class, 'sub')]/a[@aria-current]")]


def test_a_group_keeps_the_query_at_its_short_address(browser: Browser) -> None:
    page = browser.open("/forge?sort=name")
    assert (page.path, page.response.url.query) == ("/groups/Forge", b"sort=name")


def test_forms_the_api_and_git_take_any_letters(browser: Browser, owner: Person) -> None:
    form = browser.open("/Forge/bell").tree.xpath("//form[@action='/Forge/bell/-/star']")[0]
    form.set("action", "/FORGE/BELL/-/star")
    starred = browser.send_form(browser.open("/Forge/bell"), form)
    assert (starred.status, starred.path) == (200, "/Forge/bell")
    assert owner.client.get("/projects/FORGE%2FBELL").json()["star_count"] == 1
    with plain_http.client(base_url=browser.server.url) as http:
        answer = http.get("/FORGE/BELL.git/info/refs?service=git-upload-pack")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-git-upload-pack-advertisement")


def test_nothing_is_told_of_what_is_hidden(world: World, owner: Person, browser: Browser) -> None:
    world.project(owner, path="Vault", visibility="private")
    assert browser.http.get("/mia/vault", follow_redirects=False).status_code == 301
    assert Browser(world.server).http.get("/mia/vault", follow_redirects=False).status_code == 404
