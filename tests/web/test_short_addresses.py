"""Addresses without `/-/`: of groups, of what is named like a page, of former pages, and of git."""

from typing import Any

import pytest

from tests.support.world import Person, World
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user("nora")


@pytest.fixture(scope="module")
def tools(world: World, owner: Person) -> dict[str, Any]:
    """A group in a group, with projects that are named like pages."""
    top = world.group(owner, path="harbour", visibility="public")
    inner = world.group(owner, path="tools", parent_id=top["id"], visibility="public")
    deep = world.group(owner, path="boards", parent_id=inner["id"], visibility="public")
    for place, names in ((inner, ("labels", "activity", "crane")), (deep, ("issues",))):
        for name in names:
            body = {"namespace_id": place["id"], "visibility": "public", "initialize_with_readme": True}
            world.project(owner, path=name, **body)
    world.project(owner, path="milestones", namespace_id=inner["id"], visibility="private")
    return inner


@pytest.fixture
def stranger(world: World, tools: dict[str, Any]) -> Browser:
    assert tools["full_path"] == "harbour/tools"
    return Browser(world.server)


def answer(browser: Browser, path: str) -> tuple[int, str | None]:
    """Status and target of one request."""
    response = browser.http.get(path, follow_redirects=False)
    return response.status_code, response.headers.get("location")


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/harbour/tools/labels", "labels"),
        ("/harbour/tools/activity", "activity"),
        ("/harbour/tools/boards/issues", "issues"),
        ("/harbour/tools/activity/activity", "Activity"),
    ],
)
def test_a_project_named_like_a_page_is_found(stranger: Browser, path: str, heading: str) -> None:
    page = stranger.open(path)
    assert (page.status, page.path) == (200, path)
    assert page.tree.find(".//h1").text == heading


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/harbour/tools?sort=name", "/groups/harbour/tools?sort=name"),
        ("/harbour/tools/boards", "/groups/harbour/tools/boards"),
        ("/HARBOUR/Tools", "/groups/harbour/tools"),
    ],
)
def test_a_group_in_a_group_answers_at_its_path(stranger: Browser, path: str, target: str) -> None:
    assert answer(stranger, path) == (302, target)
    assert stranger.open(path).status == 200


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/harbour/tools/crane/issues?state=all&a=%26", "/harbour/tools/crane/-/issues?state=all&a=%26"),
        ("/harbour/tools/crane/builds/7", "/harbour/tools/crane/-/jobs/7"),
        ("/harbour/tools/crane/blob/a%2Fb%23/c%3Fd%20e", "/harbour/tools/crane/-/blob/a%2Fb%23/c%3Fd%20e"),
        ("/harbour/tools/crane/labels/9/edit", "/harbour/tools/crane/-/labels/9/edit"),
        ("/harbour/tools/labels/labels", "/harbour/tools/labels/-/labels"),
        ("/harbour/tools/boards/issues/boards", "/harbour/tools/boards/issues/-/boards"),
        ("/harbour/tools/crane.git", "/harbour/tools/crane"),
    ],
)
def test_a_former_address_leads_to_the_page_of_the_project_that_is_there(
    stranger: Browser, path: str, target: str
) -> None:
    assert answer(stranger, path) == (301, target)


def test_what_has_moved_is_found_by_its_former_addresses(world: World, owner: Person, stranger: Browser) -> None:
    group = world.group(owner, path="quay", visibility="public")
    inner = world.group(owner, path="west", parent_id=group["id"], visibility="public")
    project = world.project(owner, path="boat", namespace_id=inner["id"], visibility="public")
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"path": "ship"})
    assert stranger.open("/quay/west/boat").path == "/quay/west/ship"
    assert stranger.open("/quay/west/boat/issues").path == "/quay/west/ship/-/issues"

    owner.client.ok("PUT", f"/groups/{inner['id']}", json={"path": "east"})
    assert stranger.open("/quay/west").path == "/groups/quay/east"
    assert stranger.open("/quay/west/ship/issues").path == "/quay/east/ship/-/issues"


@pytest.mark.parametrize("rest", ["", "/issues", "/activity", ".git", "/blob/main/README.md"])
def test_hidden_and_missing_answer_alike(stranger: Browser, rest: str) -> None:
    hidden = answer(stranger, f"/harbour/tools/milestones{rest}")
    missing = answer(stranger, f"/harbour/tools/snippets{rest}")
    assert hidden == (missing[0], missing[1] and missing[1].replace("snippets", "milestones"))
    assert stranger.open(f"/harbour/tools/milestones{rest}").status == 404


@pytest.mark.parametrize(("word", "most"), [("issues", 80), ("blob", 20)])
def test_long_addresses_cost_a_few_statements(stranger: Browser, word: str, most: int) -> None:
    response = stranger.http.get(f"/a/b{f'/{word}' * 500}", follow_redirects=False)

    assert int(response.headers["x-query-count"]) <= most
