"""Filters of lists offer names: those that the API tells the visitor, found on the server as one types."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World
from tests.web.browsing import Browser
from tests.web.test_browser import RULES, enter, press, violations

pytestmark = pytest.mark.costly

ANVIL, PROJECT = "/smithy/anvil/-", "/projects/smithy%2Fanvil"
LISTS = (f"{ANVIL}/issues", f"{ANVIL}/merge_requests", "/groups/smithy/-/issues", "/dashboard/merge_requests")


def offered(browser: Browser, kind: str, search: str = "", place: str = ANVIL, **more: str) -> list[str]:
    answer = browser.http.get(f"{place}/filter_names", params={"kind": kind, "search": search, **more})
    assert answer.status_code == 200, answer.text
    return [name for name, _ in answer.json()["names"]]


def told(browser: Browser, path: str, field: str) -> list[str]:
    """What the API tells the same visitor, or nothing."""
    answer = browser.http.get(f"/api/v4{path}{'&' if '?' in path else '?'}per_page=50")
    return [row[field] for row in answer.json()] if answer.status_code == 200 else []


@pytest.fixture(scope="module")
def stranger(smithy: RunningServer) -> Browser:
    return Browser(smithy)


@pytest.mark.parametrize("place", [ANVIL, "/groups/smithy/-"])
def test_a_visitor_is_offered_what_the_api_tells(ben: Browser, stranger: Browser, place: str) -> None:
    base = PROJECT if place == ANVIL else "/groups/smithy"
    group = "" if place == ANVIL else "?only_group_labels=false&include_descendant_groups=true"

    for visitor in (ben, stranger):
        assert offered(visitor, "people", place=place) == told(visitor, f"{base}/members/all", "username")
        assert offered(visitor, "labels", place=place) == told(visitor, f"{base}/labels{group}", "name")
    assert {"ada", "ben"} <= set(offered(ben, "people", place=place))
    assert offered(ben, "labels", "ug", place=place) == ["bug"]
    assert offered(ben, "labels", "no such", place=place) == offered(ben, "moons", place=place) == []


def test_branches_milestones_and_environments_are_found(smithy: RunningServer, ben: Browser, stranger: Browser) -> None:
    root = smithy.client(ROOT_TOKEN)
    root.ok("POST", f"{PROJECT}/milestones", json={"title": "The anvil rings"})
    root.ok("POST", f"{PROJECT}/environments", json={"name": "forge"})

    assert offered(ben, "branches", "hammer") == ["add-the-hammer"]
    assert "main" in offered(stranger, "branches")
    assert "The anvil rings" in offered(ben, "milestones")
    root.ok("POST", "/groups/smithy/milestones", json={"title": "All is forged"})
    assert offered(ben, "milestones", "forged", place="/groups/smithy/-") == ["All is forged"]
    assert offered(ben, "environments", "forg") == ["forge"]
    assert "forge" in offered(ben, "environments", "fo")
    assert (
        offered(ben, "branches", place="/groups/smithy/-")
        == offered(ben, "environments", place="/groups/smithy/-")
        == []
    )


def test_what_is_private_offers_nothing(smithy: RunningServer, stranger: Browser, ben: Browser) -> None:
    hidden = World(smithy).project(visibility="private")
    path = hidden["path_with_namespace"]

    for visitor in (stranger, ben):
        assert visitor.http.get(f"/{path}/-/filter_names", params={"kind": "labels"}).status_code == 404
    assert stranger.open("/dashboard/filter_names?kind=people").path == "/users/sign_in"


def test_names_are_bounded_and_the_rest_is_found_by_typing(smithy: RunningServer, ada: Browser, ben: Browser) -> None:
    root = smithy.client(ROOT_TOKEN)
    project = ada.send(ada.open("/projects/new"), "/projects", name="Many labels", visibility="public")
    number = root.ok("GET", "/projects/ada%2Fmany-labels")["id"]
    for at in range(51):
        root.ok("POST", f"/projects/{number}/labels", json={"name": f"label-{at:02}", "color": "#112233"})

    answer = ben.http.get(f"{project.path}/-/filter_names?kind=labels").json()

    assert (len(answer["names"]), answer["more"]) == (50, True)
    assert offered(ben, "labels", "50", place=f"{project.path}/-") == ["label-50"]
    # Who writes without being a member is found by name.
    assert "ben" not in offered(ben, "people", place=f"{project.path}/-")
    assert "ben" in offered(ben, "people", "be", place=f"{project.path}/-")


def test_the_dashboard_offers_names_of_own_work(ben: Browser) -> None:
    place = "/dashboard"
    assert "ada" in offered(ben, "people", "ada", place=place)
    own = ben.http.get("/api/v4/merge_requests", params={"scope": "created_by_me"}).json()
    branches = {row["source_branch"] for row in own} | {row["target_branch"] for row in own}
    assert branches <= set(offered(ben, "branches", place=place, of="merge_requests"))
    assert offered(ben, "branches", "no such", place=place, of="merge_requests") == []
    assert offered(ben, "labels", place=place, of="projects") == offered(ben, "labels", place=place) == []


def test_nobody_and_anybody_can_be_asked_for(smithy: RunningServer, ben: Browser) -> None:
    root = smithy.client(ROOT_TOKEN)
    root.ok("POST", f"{PROJECT}/issues", json={"title": "Given to nobody", "weight": 3})
    user = root.ok("GET", "/users?username=ben")[0]["id"]
    root.ok("POST", f"{PROJECT}/issues", json={"title": "Given to ben", "assignee_ids": [user]})

    def titles(query: str) -> set[str]:
        page = ben.open(f"{ANVIL}/issues?{query}")
        return {"Given to nobody", "Given to ben"} & {link.text for link in page.tree.iterfind(".//a[@class='title']")}

    assert titles("assignee_username=None") == {"Given to nobody"}
    assert titles("assignee_username=Any") == {"Given to ben"}
    assert titles("weight=Any") == {"Given to nobody"}
    assert titles("labels=None") == {"Given to nobody", "Given to ben"}
    page = ben.open(f"{ANVIL}/issues")
    for name in ("labels", "milestone", "assignee_username", "weight", "my_reaction_emoji"):
        [field] = page.tree.xpath(f"//input[@name='{name}']")
        assert page.tree.xpath(f"//datalist[@id='{field.get('list')}']/option/@value") == ["None", "Any"]


@pytest.mark.parametrize("width", [1280, 360])
def test_an_author_and_a_label_are_picked(smithy: RunningServer, chromium: Chromium, width: int) -> None:
    root = smithy.client(ROOT_TOKEN)
    root.ok("POST", f"{PROJECT}/labels", json={"name": f"hot {width}", "color": "#aa2200"})
    ada = root.ok("GET", "/users?username=ada")[0]["id"]
    for title, sudo in ((f"Hers {width}", {"SUDO": str(ada)}), (f"Not hers {width}", {})):
        root.ok("POST", f"{PROJECT}/issues", json={"title": title, "labels": f"hot {width},bug"}, headers=sudo)
    context = chromium.new_context(base_url=smithy.url, viewport={"width": width, "height": 800})
    page = enter(smithy, context, "ben")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{ANVIL}/issues")
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if "names" in url] == []

    page.click("summary:has-text('Filters')")
    pick(page, "Author", "ad", "ada")
    pick(page, "Labels", "b", "bug")
    page.get_by_label("Labels", exact=True).press_sequentially(", hot")
    expect(options(page, "Labels", f"bug, hot {width}")).to_have_count(1)
    expect(options(page, "Labels", "bug, bug")).to_have_count(0)
    page.get_by_label("Labels", exact=True).fill(f"bug, hot {width}")
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    assert violations(page, "issues", RULES) == []
    press(page, "text=Apply filters")

    assert page.locator(".rows .title").all_inner_texts() == [f"Hers {width}"]
    assert page.locator(".chip", has_text=f"Labels: bug, hot {width}").count() == 1
    context.close()


def pick(page: Page, label: str, words: str, value: str) -> None:
    """Type the beginning, and take the name from the list; the window of the list itself is the browser's own."""
    field = page.get_by_label(label, exact=True)
    field.press_sequentially(words)
    expect(options(page, label, value)).to_have_count(1)
    field.fill(value)


def options(page: Page, label: str, value: str) -> Any:
    field = page.get_by_label(label, exact=True)
    return page.locator(f"#{field.get_attribute('list')} option[value='{value}']")


def test_without_a_script_names_are_typed(smithy: RunningServer, chromium: Chromium) -> None:
    context = chromium.new_context(base_url=smithy.url, java_script_enabled=False)
    page = enter(smithy, context, "ben")
    page.goto(f"{ANVIL}/merge_requests?state=all")
    page.click("summary:has-text('Filters')")
    page.get_by_label("Author", exact=True).fill("ben")
    press(page, "text=Apply filters")
    assert page.locator(".rows .title").count() > 0
    assert page.url.count("author_username=ben") == 1
    context.close()


def test_more_names_than_fit_are_searched_on_the_server(smithy: RunningServer, chromium: Chromium) -> None:
    root = smithy.client(ROOT_TOKEN)
    for at in range(51):
        root.ok("POST", f"{PROJECT}/labels", json={"name": f"zone {at:02}", "color": "#112233"})
    context = chromium.new_context(base_url=smithy.url)
    page = enter(smithy, context, "ben")
    page.goto(f"{ANVIL}/merge_requests")
    page.click("summary:has-text('Filters')")
    field = page.get_by_label("Labels", exact=True)

    field.focus()
    expect(page.locator(f"#{field.get_attribute('list')} option")).to_have_count(52)
    field.press_sequentially("zone 50")

    expect(options(page, "Labels", "zone 50")).to_have_count(1)
    context.close()


def test_every_list_has_its_names(ben: Browser) -> None:
    for path in LISTS:
        [form] = ben.open(path).tree.xpath("//form[@data-names]")
        assert form.get("data-names").endswith("/names.js")
        assert ben.http.get(f"{form.get('data-names-at')}&kind=people").status_code == 200
        assert all(form.xpath(f".//datalist[@id='{name}']") for name in form.xpath(".//input/@list"))
