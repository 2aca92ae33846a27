"""The buttons of a changed file stay in sight with its heading, as long as one of its lines does."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.test_browser import LOOKS, enter, violations

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"
LONG = "a/folder/with/a/name/that/is/rather/long/first.py"
# The buttons of a file that are not in sight, or that something else lies over.
OUT_OF_REACH = """file => [...file.querySelectorAll('.file-bar > *')].filter(one => {
  const box = one.getBoundingClientRect();
  const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  return box.top < 0 || box.left < 0 || box.right > innerWidth || !one.contains(top);
}).map(one => one.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def place(smithy: RunningServer) -> str:
    """A request with two long files."""
    client = smithy.client(ROOT_TOKEN)
    long = "".join(f"line {number}\n" for number in range(60))
    actions = [{"action": "create", "file_path": path, "content": long} for path in (LONG, "z.py")]
    body = {"branch": "tall", "start_branch": "main", "commit_message": "Add them", "actions": actions}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    fields = {"source_branch": "tall", "target_branch": "main", "title": "Tall"}
    return f"/smithy/anvil/-/merge_requests/{client.ok('POST', f'{ANVIL}/merge_requests', json=fields)['iid']}/diffs"


def scroll_into(page: Page, path: str, down: int) -> Any:
    """The file, so far scrolled that its first lines are above the window."""
    file = page.locator(f"section.diff[aria-label='{path}']")
    file.evaluate("(file, down) => scrollTo(0, scrollY + file.getBoundingClientRect().top + down)", down)
    return file


def click(page: Page, button: Any) -> None:
    """Press where the button is now; nothing scrolls to it."""
    box = button.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_buttons_of_a_file_stay_in_sight(
    smithy: RunningServer, chromium: Browser, place: str, width: int, scheme: str
) -> None:
    context = chromium.new_context(
        base_url=smithy.url, viewport={"width": width, "height": 700}, has_touch=width == 360
    )
    page = enter(smithy, context, "ben")
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(place)
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    assert violations(page, place, {"type": "rule", "values": LOOKS}) == []
    for path, down in ((LONG, 0), (LONG, 500), ("z.py", 700)):
        file = scroll_into(page, path, down)
        assert file.evaluate(OUT_OF_REACH) == []
    before = page.evaluate("scrollY")
    click(page, file.locator(".file-bar .menu summary"))
    assert file.locator(".file-bar .menu .list").is_visible()
    assert page.evaluate("scrollY") == before
    page.keyboard.press("Escape")
    click(page, file.locator(".viewed"))
    expect(file.locator(".viewed[aria-pressed=true]")).to_be_visible()
    expect(file.locator(".scroll")).to_be_hidden()
    assert file.evaluate(OUT_OF_REACH) == []  # of a folded file, too
    click(page, file.locator(".viewed"))
    expect(file.locator(".viewed[aria-pressed=false]")).to_be_visible()
    context.close()


def test_a_file_is_marked_from_its_middle_without_scripts(smithy: RunningServer, chromium: Browser, place: str) -> None:
    context = chromium.new_context(
        base_url=smithy.url, viewport={"width": 360, "height": 700}, java_script_enabled=False
    )
    page = enter(smithy, context, "ada")
    page.goto(place)
    page.mouse.wheel(0, 1500)
    viewed = page.locator(f"section.diff[aria-label='{LONG}'] .viewed")
    until(lambda: 0 <= (viewed.bounding_box() or {"y": -1})["y"] <= 44)

    with page.expect_navigation():
        click(page, viewed)

    assert page.locator(f"section.diff[aria-label='{LONG}'] .viewed").get_attribute("aria-pressed") == "true"
    context.close()
