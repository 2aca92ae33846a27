"""What people do most, in a real browser: narrow and wide, light and dark, with scripts and without."""

import itertools
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.support.server import RunningServer
from tests.web.conftest import PATIENCE
from tests.web.test_browser import enter, press

pytestmark = pytest.mark.costly

ANVIL = "/smithy/anvil"
Way = Callable[[Page], None]
WAYS: list[Way] = []
_numbers = itertools.count(1)


def fresh() -> int:
    """A number that no way had before."""
    return next(_numbers)


def way(walk: Way) -> Way:
    """One of the ways; each stands alone and can be gone twice."""
    WAYS.append(walk)
    return walk


def fill(page: Page, **fields: str) -> None:
    """Fill fields by their ids."""
    for name, value in fields.items():
        page.fill(f"#{name}", value)


def send(page: Page, words: str) -> None:
    """Press the button with these words."""
    press(page, f"main button:text-is('{words}')")


@way
def find_a_project(page: Page) -> None:
    page.goto("/")
    page.fill("#search", "anvil")
    with page.expect_navigation():
        page.press("#search", "Enter")
    press(page, "main a.title:has-text('Anvil')")
    assert page.url.endswith(ANVIL)


@way
def read_a_file_and_its_history(page: Page) -> None:
    page.goto(ANVIL)
    press(page, "main a:text-is('README.md')")
    press(page, "main a:text-is('Blame')")
    press(page, "main a:text-is('History')")
    assert "Light the fire" in page.text_content("main")


@way
def find_a_file(page: Page) -> None:
    page.goto(f"{ANVIL}/-/find_file/main")
    page.fill("#q", "shapes init")
    assert page.input_value("#q") == "shapes init"
    page.goto(f"{ANVIL}/-/find_file/main?q=anvil+shapes")
    press(page, "main a:text-is('src/anvil/shapes.py')")


@way
def compare_two_revisions(page: Page) -> None:
    page.goto(f"{ANVIL}/-/compare/main...round-things")
    assert page.locator(".diff").count() >= 1


@way
def edit_a_file(page: Page) -> None:
    page.goto(f"{ANVIL}/-/edit/main/README.md")
    title = f"Anvil {fresh()}"
    page.fill("#content", f"# {title}\n")
    send(page, "Save changes")
    assert title in page.text_content("main")


@way
def write_an_issue(page: Page) -> None:
    page.goto(f"{ANVIL}/-/issues/new")
    fill(page, title="The tongs bend", description="- [ ] once")
    send(page, "Create issue")
    page.fill("#body", "Seen too.")
    send(page, "Comment")
    assert "Seen too." in page.text_content("main")


@way
def find_an_issue(page: Page) -> None:
    page.goto(f"{ANVIL}/-/issues?search=hammer")
    press(page, "main a.title:has-text('A hammer')")


@way
def label_issues(page: Page) -> None:
    page.goto(f"{ANVIL}/-/labels/new")
    name = f"size {fresh()}"
    page.fill("#name", name)
    send(page, "Create label")
    assert name in page.text_content("main")


@way
def plan_a_milestone(page: Page) -> None:
    page.goto(f"{ANVIL}/-/milestones/new")
    title = f"Round {fresh()}"
    page.fill("#title", title)
    send(page, "Create milestone")
    assert title in page.text_content("main")


@way
def open_a_request(page: Page) -> None:
    branch = f"way-{fresh()}"
    page.goto(f"{ANVIL}/-/new/main")
    fill(page, file_path=f"{branch}.txt", content="x", branch=branch)
    send(page, "Create file")
    page.fill("#title", "A way")
    send(page, "Create merge request")
    assert page.locator(".merge-box").count() == 1


@way
def comment_on_a_line(page: Page) -> None:
    page.goto(f"{ANVIL}/-/merge_requests/2/diffs")
    page.click(".diff tr.add td a >> nth=0")  # with scripts the form comes into the page; filling waits for it
    page.fill("#line_body", "Why this?")
    press(page, "#line-form button.primary")
    assert "Why this?" in page.text_content("main")


@way
def review_with_a_draft(page: Page) -> None:
    page.goto(f"{ANVIL}/-/merge_requests/2/diffs")
    page.click(".diff tr.add td a >> nth=1")
    page.fill("#line_body", "A draft.")
    press(page, "#line-form button[name=draft]")
    page.click(".review-bar summary")
    press(page, ".review-bar button.primary")
    assert "A draft." in page.text_content("main")
    page.goto(f"{ANVIL}/-/merge_requests/2/diffs")
    for is_viewed in ("true", "false"):
        page.click(".viewed >> nth=0")
        page.wait_for_selector(f".viewed[aria-pressed={is_viewed}]")


@way
def reply_and_resolve(page: Page) -> None:
    page.goto(f"{ANVIL}/-/merge_requests/2")
    press(page, "section.thread button:text-is('Resolve') >> nth=0")
    assert "Reopen" in page.text_content("main")


@way
def open_a_job(page: Page) -> None:
    page.goto(f"{ANVIL}/-/pipelines/1")
    press(page, "a.job >> nth=0")
    assert page.text_content("h1").strip().startswith("build")


@way
def write_a_wiki_page(page: Page) -> None:
    page.goto(f"{ANVIL}/-/wikis/new")
    fill(page, title=f"Way {fresh()}", content="Hot *iron*.")
    send(page, "Create page")
    assert "Hot iron." in page.text_content("main")


@way
def keep_a_snippet(page: Page) -> None:
    page.goto(f"{ANVIL}/-/snippets/new")
    fill(page, title="Die", file_name="die.py", content="x = 1")
    send(page, "Create snippet")
    assert "x = 1" in page.text_content("main")


@way
def make_a_project(page: Page) -> None:
    page.goto("/projects/new")
    page.fill("#name", f"Way {fresh()}")
    send(page, "Create project")
    assert "README.md" in page.text_content("main")


@way
def make_an_access_token(page: Page) -> None:
    page.goto("/-/user_settings/personal_access_tokens")
    page.fill("#name", "laptop")
    page.check("[name=scope_read_api]")
    send(page, "Create token")
    assert page.input_value("#token")


@way
def change_the_project(page: Page) -> None:
    page.goto(f"{ANVIL}/edit")
    page.fill("#description", "Flat things.")
    press(page, "main form.card button.primary >> nth=0")
    assert "Settings saved." in page.text_content("main")


@way
def leave_typed_text_and_come_back(page: Page) -> None:
    page.goto(f"{ANVIL}/-/issues/new")
    fill(page, title="", description="Typed text")
    page.evaluate("document.querySelector('#title').required = false")
    send(page, "Create issue")
    expect(page.locator("#description")).to_have_value("Typed text", timeout=PATIENCE)


# Two that differ in everything; the others in the long form.
EVERY_TIME = [(1280, "light", True), (360, "dark", False)]
CASES = [
    pytest.param(*case, marks=() if case in EVERY_TIME else pytest.mark.scale)
    for case in itertools.product((1280, 360), ("light", "dark"), (True, False))
]


@pytest.mark.parametrize(("width", "scheme", "scripts"), CASES)
def test_twenty_ways(smithy: RunningServer, chromium: Browser, width: int, scheme: str, scripts: bool) -> None:
    context = chromium.new_context(
        base_url=smithy.url, viewport={"width": width, "height": 800}, java_script_enabled=scripts,
        color_scheme="dark" if scheme == "dark" else "light",
    )  # fmt: skip
    page = enter(smithy, context, "ben" if scripts else "ada")
    said: list[str] = []
    page.on("console", lambda message: said.append(f"{page.url}: {message.text}"))
    failed = []
    page.set_default_timeout(PATIENCE)
    for walk in WAYS:
        try:
            walk(page)
        except (PlaywrightError, AssertionError) as error:
            failed.append(f"{walk.__name__}: {str(error)[:400]} at {page.url}")
    context.close()
    assert len(WAYS) == 20
    assert not failed, "\n".join(failed)
    # A refused form answers 400; an address with a fragment has the focus there.
    assert [line for line in said if "400 (Bad Request)" not in line and "Autofocus" not in line] == []
