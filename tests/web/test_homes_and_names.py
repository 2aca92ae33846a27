"""The home of a project whose code cannot be shown, READMEs of all kinds, and names that two things have."""

import pytest

from ingot.events import ZERO_SHA, Pushed, RefChange
from ingot.gitstore import refs
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.kit.events import announce
from tests.support.server import RunningServer
from tests.support.world import Person, World
from tests.web.browsing import Browser
from tests.web.test_code_pages import LINK, PLAIN, write

pytestmark = pytest.mark.costly
PLACE = "/hanna/homes"
CLOSED = {
    "disabled": "This project has no repository.",
    "private": "You can see this project, but not its files.",
}


@pytest.fixture(scope="module")
def hanna(world: World) -> Person:
    return world.user("hanna")


@pytest.fixture(scope="module")
def browser(server: RunningServer, hanna: Person) -> Browser:
    created = Browser(server)
    created.enter_by_link("hanna")
    return created


@pytest.fixture(scope="module")
def repository(world: World, hanna: Person) -> Repository:
    repository = world.repository(world.project(hanna, path="homes", initialize_with_readme=True))
    texts = {"book/README.adoc": (PLAIN, b"= The book\n"), "docs/guide.md": (PLAIN, b"[Map](map.md)\n")}
    write(repository, "main", texts, "Add texts")
    links = {"tour/README.md": (LINK, b"../docs/guide.md"), "odd/README.md": (LINK, b"../../outside.md")}
    write(repository, "main", links, "Add links")
    head = refs.find_branch(repository, "main")
    assert head is not None
    refs.update(repository, [RefUpdate("refs/tags/both", head)])
    refs.update(repository, [RefUpdate("refs/heads/both", head)])
    write(repository, "both", {"docs/guide.md": (PLAIN, b"Only on the branch\n")}, "Change the guide")
    return repository


@pytest.mark.parametrize("access", CLOSED)
def test_the_home_of_a_project_says_why_it_shows_no_code(
    server: RunningServer, world: World, hanna: Person, access: str
) -> None:
    switches = {"merge_requests_access_level": "disabled", "builds_access_level": "disabled"}
    project = world.project(
        hanna, path=f"closed-{access}", visibility="public", repository_access_level=access, **switches
    )
    world.member(project, guest := world.user(), "guest")
    visitor, stranger = Browser(server), Browser(server)
    visitor.enter_by_link(guest.username)

    homes = [person.open(f"/{project['path_with_namespace']}") for person in (visitor, stranger)]

    assert [(home.status, CLOSED[access] in home.text) for home in homes] == [(200, True)] * 2
    needed = "This requires the Reporter role or higher"
    assert [needed in home.text for home in homes] == [access == "private"] * 2
    assert all(any(link.endswith("/-/starrers") for link in home.links()) for home in homes)
    counts = [home.tree.xpath("//a[contains(@href, '/-/forks')]/text()") for home in homes]
    assert counts == [[], ["0"]]  # the API tells members only if they may read the code
    assert homes[0].tree.xpath("//form[contains(@action, '/-/star')]")


def test_an_empty_repository_can_be_starred(world: World, hanna: Person, browser: Browser) -> None:
    world.project(hanna, path="hollow")
    home = browser.open("/hanna/hollow")
    assert "This repository is empty" in home.text

    browser.send(home, "/-/star")

    assert browser.open("/hanna/hollow").tree.xpath("//form[contains(@action, '/-/unstar')]")


@pytest.mark.usefixtures("repository")
def test_a_readme_of_any_format_is_shown_also_behind_a_link(browser: Browser) -> None:
    assert "= The book" in browser.open(f"{PLACE}/-/tree/main/book").tree.xpath("string(//section)")
    tour = browser.open(f"{PLACE}/-/tree/main/tour")
    assert f"{PLACE}/-/blob/main/docs/map.md" in tour.links()  # from where the text lies
    odd = browser.open(f"{PLACE}/-/tree/main/odd")
    assert (odd.status, odd.tree.xpath("string(//section)").strip()) == (200, "README.md")


def test_tags_of_a_readme_lead_to_its_ref_as_its_markdown_does(world: World, hanna: Person, browser: Browser) -> None:
    project = world.project(hanna, path="shown", default_branch="main")
    text = (
        '<h1 align="center"><img src="art/logo.png" alt="Logo"> <a href="docs/a.md">Guide</a> <a href="#use">Use</a>'
        ' <a href="https://example.com/x">Away</a> <a href="//[x">Odd</a></h1>\n\n[Guide](docs/a.md)\n\n## Use\n'
    )
    world.commit(project, "main", {"README.md": text, "docs/a.md": "A", "art/logo.png": "P"}, user_id=hanna.id)
    readme = browser.open("/hanna/shown").tree.xpath("//h1[@align='center']")[0]
    place = "/hanna/shown/-"
    assert readme.xpath(".//img/@src") == [f"{place}/raw/main/art/logo.png"]
    links = {link.text: link.get("href") for link in readme.iterfind(".//a")}
    assert (links["Guide"], links["Use"]) == (f"{place}/blob/main/docs/a.md", "#md-use")
    assert links["Away"] == "https://example.com/x"


@pytest.mark.usefixtures("repository")
def test_a_branch_that_is_named_like_a_tag_can_be_opened_and_edited(browser: Browser) -> None:
    for kind in ("blob", "blame", "commits"):
        page = browser.open(f"{PLACE}/-/{kind}/both/docs/guide.md")
        assert "You are viewing the tag." in page.text, kind
        branch = f"{PLACE}/-/{kind}/refs/heads/both/docs/guide.md"
        assert branch in page.links()
        assert "You are viewing the tag." not in browser.open(branch).text
    shown = browser.open(f"{PLACE}/-/blob/refs/heads/both/docs/guide.md?plain=1")
    assert "Only on the branch" in shown.text
    assert f"{PLACE}/-/tree/refs/heads/both" in browser.open(f"{PLACE}/-/tree/both").links()

    assert f"{PLACE}/-/merge_requests/new" not in browser.open(f"{PLACE}/-/compare/both...main").text
    form = browser.open(f"{PLACE}/-/edit/both/docs/guide.md")
    assert form.tree.xpath("string(//textarea[@name='content'])").strip() == "Only on the branch"


def test_the_activity_counts_the_branches_of_one_push(world: World, hanna: Person, browser: Browser) -> None:
    project = world.project(hanna, path="many", initialize_with_readme=True)
    sha = world.commit(project, "side", {"a.txt": "1"}, user_id=hanna.id)
    for action, old, new in (("new", ZERO_SHA, sha), ("old", sha, ZERO_SHA)):
        changes = tuple(RefChange(f"refs/heads/{action}-{number}", old, new) for number in range(4))
        announce(world.server.services, Pushed(project["id"], hanna.id, changes))

    page = browser.open("/hanna/many/activity")

    assert "pushed 4 branches" in page.text
    assert "deleted 4 branches" in page.text
    assert "None" not in page.text


@pytest.mark.usefixtures("repository")
def test_a_form_of_a_folder_begins_inside_it(browser: Browser) -> None:
    def fields(verb: str) -> list[str]:
        form = browser.open(f"{PLACE}/-/{verb}/main/docs")
        message = form.tree.xpath("string(//textarea[@name='commit_message'])").strip()
        return [*form.tree.xpath("//input[@name='file_path']/@value"), message]

    assert fields("new") == ["docs/", "Add file"]
    assert fields("create_dir") == ["docs/", "Add folder"]


def test_a_tag_named_like_the_default_branch_hides_nothing_of_it(world: World, hanna: Person, browser: Browser) -> None:
    project = world.project(hanna, path="twin", default_branch="main")
    world.commit(project, "main", {"README.md": "Old words"}, user_id=hanna.id)
    tags = f"/projects/{project['id']}/repository/tags"
    hanna.client.ok("POST", tags, json={"tag_name": "main", "ref": "main"})
    world.commit(project, "main", {"README.md": "New words"}, user_id=hanna.id)
    assert "New words" in browser.open("/hanna/twin").text

    form = browser.open("/hanna/twin/-/edit/refs/heads/main/README.md")
    saved = browser.send(form, "/README.md", content="Newest words")
    assert ("Committed to" in saved.text, "Newest words" in saved.text) == (True, True)
