"""The bars of merge and review on phones: one row at the lower edge, and nothing that has the focus is behind them."""

from importlib.resources import files
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser as Plain
from tests.web.conftest import PATIENCE
from tests.web.test_browser import LOOKS, enter, press, violations

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"
SCHEMES = ("light", "dark")
# Whether nothing of the focused element is in sight: its corners and its middle belong to something else.
HIDDEN = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  if (one === document.body || !box.width || !box.height) return '';
  const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
  const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
  const across = [left + 1, (left + right) / 2, right - 1], down = [top + 1, (top + bottom) / 2, bottom - 1];
  for (const x of across) for (const y of down) {
    const seen = document.elementFromPoint(x, y);
    if (seen && (one.contains(seen) || seen.contains(one) && !seen.matches('body, main, html'))) return '';
  }
  return one.outerHTML.slice(0, 120);
}"""


@pytest.fixture(scope="module")
def place(smithy: RunningServer) -> str:
    """A request with changes of several screens, and a draft of Ben's."""
    client = smithy.client(ROOT_TOKEN)
    long = "".join(f"line {number}\n" for number in range(60))
    actions = [
        {"action": "create", "file_path": f"a/folder/with/a/name/that/is/rather/long/{name}.py", "content": long}
        for name in ("first", "second")
    ]
    body = {"branch": "wide", "start_branch": "main", "commit_message": "Add it", "actions": actions}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    fields = {"source_branch": "wide", "target_branch": "main", "title": "Wide", "description": "long\n\n" * 30}
    return f"/smithy/anvil/-/merge_requests/{client.ok('POST', f'{ANVIL}/merge_requests', json=fields)['iid']}"


def phone(smithy: RunningServer, chromium: Browser, scheme: str) -> Page:
    context = chromium.new_context(base_url=smithy.url, viewport={"width": 360, "height": 700}, has_touch=True)
    page = enter(smithy, context, "ben")
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    return page


def check_bar(page: Page, bar: str, path: str) -> None:
    """It stands at the lower edge in one row, from the top of the page to its end, which it does not cover."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    assert violations(page, path, {"type": "rule", "values": LOOKS}) == []
    for where in (0, 300, 10**6):
        page.evaluate("y => scrollTo(0, y)", where)
        boxes: list[dict[str, float]] = page.evaluate(
            "bar => [document.querySelector(bar), ...document.querySelectorAll(`${bar} > *`)]"
            ".map(one => one.getBoundingClientRect().toJSON())",
            bar,
        )
        whole, *parts = boxes
        assert whole["height"] <= 64
        assert whole["bottom"] <= 700
        if where < 10**6:
            assert whole["bottom"] == 700
        assert len({round((part["top"] + part["bottom"]) / 2) for part in parts}) == 1
        assert all(one["right"] <= two["left"] for one, two in pairwise(parts))
        assert whole["left"] <= parts[0]["left"]
        assert parts[-1]["right"] <= whole["right"]
    ends: Any = page.evaluate(
        "bar => [document.querySelector('footer').getBoundingClientRect().bottom,"
        " document.querySelector(bar).getBoundingClientRect().top,"
        " document.querySelector('footer').getBoundingClientRect().top,"
        " document.querySelector(bar).getBoundingClientRect().bottom]",
        bar,
    )
    assert ends[0] <= ends[1] or ends[3] <= ends[2]


def check_focus(page: Page, path: str) -> None:
    """By keyboard through the whole page and back: what has the focus can be seen."""
    page.goto(path)
    for key, times in (("Tab", 100), ("Shift+Tab", 100)):
        for _ in range(times):
            page.keyboard.press(key)
            assert page.evaluate(HIDDEN) == ""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_merge_bar_stands_below_and_merges(
    smithy: RunningServer, chromium: Browser, place: str, scheme: str
) -> None:
    page = phone(smithy, chromium, scheme)
    page.goto(place)
    bar = page.locator(".merge-bar")
    assert bar.locator("b").text_content() == "Ready to merge"
    check_bar(page, ".merge-bar", place)
    check_focus(page, place)
    page.set_viewport_size({"width": 600, "height": 700})
    assert not bar.is_visible()
    page.context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_review_bar_stands_below(smithy: RunningServer, chromium: Browser, place: str, scheme: str) -> None:
    ben = Plain(smithy)
    ben.enter_by_link("ben")
    page = phone(smithy, chromium, scheme)
    changes = ben.open(f"{place}/diffs")
    if not changes.tree.xpath("//section[@id='review']"):
        link = changes.tree.xpath("//tr[@class='add']/td/a/@href")[0].partition("#")[0]
        ben.send(ben.open(f"{place}/diffs{link}"), "/line", body="Why?", draft="1")
    page.goto(f"{place}/diffs")
    check_bar(page, ".review-bar", place)
    check_focus(page, f"{place}/diffs")
    page.click(".review-bar summary")
    page.locator("#summary").scroll_into_view_if_needed()
    box = page.locator(".review-bar").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 700
    page.click(".review-bar summary")
    press(page, ".review-bar > a")
    assert page.url.endswith("#live-box")
    page.context.close()


def test_the_button_in_the_bar_merges(smithy: RunningServer, chromium: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    action = {"action": "create", "file_path": "small.txt", "content": "x\n"}
    body = {"branch": "small", "start_branch": "main", "commit_message": "Add it", "actions": [action]}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    fields = {"source_branch": "small", "target_branch": "main", "title": "Small"}
    iid = client.ok("POST", f"{ANVIL}/merge_requests", json=fields)["iid"]
    context = chromium.new_context(
        base_url=smithy.url, viewport={"width": 360, "height": 700}, java_script_enabled=False
    )
    page = enter(smithy, context, "ben")
    page.set_default_timeout(PATIENCE)
    page.goto(f"/smithy/anvil/-/merge_requests/{iid}")
    press(page, ".merge-bar button")
    assert client.ok("GET", f"{ANVIL}/merge_requests/{iid}")["state"] == "merged"
    assert page.locator(".merge-bar").count() == 0
    context.close()


def test_paths_of_changed_files_have_room_and_words_stay_whole(
    smithy: RunningServer, chromium: Browser, place: str
) -> None:
    page = phone(smithy, chromium, "light")
    page.goto(f"{place}/diffs")

    path, note = page.locator(".diff summary h2").first, page.locator(".diff summary .muted").first

    assert note.inner_text() == "new"
    assert (note.bounding_box() or {"height": 0})["height"] == 20
    assert (path.bounding_box() or {"width": 0})["width"] > 160


def test_the_line_of_a_page_that_renews_itself_is_below_the_tabs(smithy: RunningServer, chromium: Browser) -> None:
    page = phone(smithy, chromium, "dark")
    page.goto("/smithy/anvil/-/pipelines/1")

    line, place = page.locator("main > .live").bounding_box(), page.locator(".place").bounding_box()

    assert line is not None
    assert place is not None
    assert line["y"] >= place["y"] + place["height"]
