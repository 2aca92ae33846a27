"""The most important ways in a real browser: with and without scripts, narrow and wide, in light and dark."""

from collections.abc import Sequence
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from ingot.features.people.user_pages import SESSION_COOKIE
from ingot.identity.authentication import user_by_name_or_id
from ingot.identity.sign_in_links import create_sign_in_path
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web import browsing as plain_browsing
from tests.web.conftest import PATIENCE
from tests.web.test_crawler import walk

pytestmark = pytest.mark.costly  # a browser of its own, which meets the database through pages that others test

ANVIL = "/smithy/anvil"
# One page of each kind; those that look different in the dark come first.
KINDS = (
    "/", ANVIL, f"{ANVIL}/-/blob/main/src/anvil/shapes.py", f"{ANVIL}/-/merge_requests/3",
    f"{ANVIL}/-/merge_requests/3/diffs", f"{ANVIL}/-/pipelines/1", f"{ANVIL}/-/jobs/1", f"{ANVIL}/-/issues/1",
    f"{ANVIL}/-/labels", f"{ANVIL}/-/boards", "/-/components", f"{ANVIL}/-/blame/main/README.md",
    "/explore/projects", "/groups/smithy", "/ben", "/help/search?query=backup", "/-/reference/list_users?try=1",
    "/projects/new", f"{ANVIL}/edit", f"{ANVIL}/-/commits/main", f"{ANVIL}/-/branches", f"{ANVIL}/-/merge_requests",
    f"{ANVIL}/-/project_members", f"{ANVIL}/-/releases", f"{ANVIL}/-/settings/ci_cd",
    f"{ANVIL}/-/pipeline_schedules/new", f"{ANVIL}/-/wikis/home/history", "/no/such/page",
    "/-/user_settings/personal_access_tokens", "/-/user_settings/password/edit", "/-/user_settings/confirm_access",
)  # fmt: skip
IN_THE_DARK = 12
RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# What colours and sizes decide; all else is the same on a narrow and dark page.
LOOKS = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable", "aria-hidden-focus"]

CONTROLS = "button, .button, summary, select, textarea, input:not([type=hidden]), nav a"
LOW_CONTROLS = f"""height => [...document.querySelectorAll("{CONTROLS}")]
  .filter(one => one.checkVisibility({{ visibilityProperty: true }}))
  .filter(one => !one.closest(".hidden, .lines, .log, .graph, .text, .tick"))
  .map(one => [one, one.matches("[type=checkbox], [type=radio]") && one.closest("label") || one])
  .map(([one, target]) => [one, target.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && box.height < height - 1)
  .map(([one, box]) => `${{one.outerHTML.slice(0, 120)}} is ${{box.height}}`)"""


def enter(server: RunningServer, context: BrowserContext, username: str) -> Page:
    """A page of somebody who came in by a link."""
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    enter_again(server, page, username)
    return page


def enter_again(server: RunningServer, page: Page, username: str) -> None:
    """Come in by a link, at the address of the page's context."""
    with server.services.db.write() as tx:
        user = user_by_name_or_id(tx, username)
        assert user is not None
        path = create_sign_in_path(tx, user.id)
    page.goto(path)
    press(page, "main button")
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    plain_browsing.set_proof(server, cookies.get(SESSION_COOKIE, ""), plain_browsing.FAR)


def press(page: Page, button: str) -> None:
    """Click, and wait for the page that it leads to."""
    with page.expect_navigation(timeout=PATIENCE):
        page.click(button)


@pytest.mark.parametrize(("name", "width", "scripts"), [("ben", 1280, True), ("ada", 360, False)])
def test_from_the_door_to_a_merge(
    smithy: RunningServer, chromium: Browser, name: str, width: int, scripts: bool
) -> None:
    context = chromium.new_context(
        base_url=smithy.url, viewport={"width": width, "height": 800}, java_script_enabled=scripts
    )
    page = enter(smithy, context, name)
    page.fill("#new", "correct horse 9")
    page.fill("#again", "correct horse 9")
    press(page, "text=Save password")
    page.goto(f"{ANVIL}/-/issues/new")
    page.fill("#title", "The die cracks")
    page.fill("#description", "See !2.")
    press(page, "text=Create issue")
    assert page.locator("a.ref").get_attribute("href") == f"{ANVIL}/-/merge_requests/2"
    page.fill("#body", "Since when?")
    press(page, "button:text-is('Comment')")
    assert page.locator("article .text").inner_text() == "Since when?"
    page.fill("#body", "Fixed.")
    press(page, "text=Close issue")
    assert page.locator(".badge:text-is('Closed')").count() == 1
    number = 2 if scripts else 3
    page.goto(f"{ANVIL}/-/merge_requests/{number}")
    if number == 3:
        press(page, "text=Mark as ready")
    press(page, "button:text-is('Approve')")
    press(page, "button:text-is('Merge')")
    assert page.locator(".merge-box.merged").count() == 1
    if width < 700:
        page.goto("/")
    page.click("[aria-label='Your menu']")
    press(page, "text=Sign out")
    page.goto("/dashboard/todos")
    assert page.title() == "Sign in · Ingot"
    context.close()


def test_every_kind_of_page_is_accessible_and_fits(smithy: RunningServer, chromium: Browser) -> None:
    assert faults_of(smithy, chromium, "ada", KINDS) == []


@pytest.mark.scale
def test_all_pages_are_accessible_and_fit(smithy: RunningServer, chromium: Browser) -> None:
    """Whatever links lead an administrator and a stranger to, one of each kind."""
    findings = []
    for visitor in ("root", ""):
        walker = plain_browsing.Browser(smithy)
        if visitor:
            walker.enter_by_link(visitor)
        paths = [
            path
            for path, _, visit in walk(walker)
            if visit.response.headers["content-type"].startswith("text/html")
            # The reference has one template for its hundreds of pages, and the manual another.
            and not path.startswith(("/-/reference/", "/help/"))
        ]
        assert len(paths) > 50
        findings += faults_of(smithy, chromium, visitor, paths)
    assert findings == [], "\n".join(findings)


def faults_of(smithy: RunningServer, chromium: Browser, visitor: str, paths: Sequence[str]) -> list[str]:
    """First wide and light, by all rules; then the same page narrow and dark, by those that this can change."""
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    context = chromium.new_context(base_url=smithy.url)
    context.set_default_timeout(PATIENCE)
    page = enter(smithy, context, visitor) if visitor else context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(f"{page.url}: {message.text}"))
    findings = []
    for place, path in enumerate(paths):
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(path)
        page.evaluate(axe)
        findings += violations(page, path, RULES) + lower_than(page, path, 32)
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 360, "height": 800})
        if place < IN_THE_DARK or paths is not KINDS:
            findings += violations(page, f"{path}, dark", {"type": "rule", "values": LOOKS})
        else:
            findings += wider_than_the_screen(page, path)
        findings += lower_than(page, path, 44)
    context.close()
    # A field for a secret is not the password of a person, whose name browsers ask for.
    return findings + [line for line in said if "404" not in line and "username fields" not in line]


def violations(page: Page, path: str, rules: dict[str, object]) -> list[str]:
    """What axe finds on a page, and whether it is too wide."""
    # Numbers of lines of code are as low as their lines; each line has other ways to it.
    found = page.evaluate(
        "rules => axe.run({exclude: ['table.lines:not(.log *)']}, {runOnly: rules, resultTypes: ['violations']})"
        ".then(result => result.violations)",
        rules,
    )
    return wider_than_the_screen(page, path) + [
        f"{path}: {rule['id']}: {rule['nodes'][0]['html'][:200]} {rule['nodes'][0].get('any', [{}])[:1]}"[:500]
        for rule in found
    ]


def wider_than_the_screen(page: Page, path: str) -> list[str]:
    width = page.viewport_size["width"] if page.viewport_size else 0
    sideways = page.evaluate("document.documentElement.scrollWidth") > width
    outside = page.evaluate(
        "[...document.querySelectorAll('details.menu')].filter(menu => { menu.open = true;"
        " const { left, right } = menu.querySelector('.list').getBoundingClientRect(); menu.open = false;"
        " return left < 0 || right > innerWidth; }).map(menu => menu.textContent.trim().slice(0, 20))"
    )
    found = [f"{path} scrolls sideways"] if sideways else []
    return found + [f"{path}: the menu {menu!r} leaves the screen" for menu in outside]


def lower_than(page: Page, path: str, height: int) -> list[str]:
    """Controls that are hard to hit; links in a text, numbers of lines and folds of logs are as high as lines."""
    low = page.evaluate(LOW_CONTROLS, height)
    return [f"{path}: {line}" for line in low]


def test_paper_is_white_and_colours_of_the_system_tell_the_current_tab(
    smithy: RunningServer, chromium: Browser
) -> None:
    page = chromium.new_page(base_url=smithy.url, color_scheme="dark")
    page.set_default_timeout(PATIENCE)
    page.goto(ANVIL)
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen", forced_colors="active")
    lines = page.eval_on_selector_all(
        ".tabs a",
        "tabs => tabs.filter(tab => getComputedStyle(tab).borderBottomColor"
        " !== getComputedStyle(document.body).backgroundColor).map(tab => tab.textContent)",
    )
    assert lines == ["Code"]
    page.close()


def test_scripts_say_what_they_did(smithy: RunningServer, chromium: Browser) -> None:
    page = chromium.new_page(base_url=smithy.url)
    page.set_default_timeout(PATIENCE)
    page.goto("/-/components")
    page.click("text=Copy a word")
    page.wait_for_selector("[role=status]:text-is('Copied.')")
    page.wait_for_selector("[role=status]:text-is('Copied.')", state="detached")
    page.close()


def test_a_text_is_previewed_in_its_place_kept_and_given_a_file(smithy: RunningServer, chromium: Browser) -> None:
    context = chromium.new_context(base_url=smithy.url)
    page = enter(smithy, context, "ada")
    page.goto(f"{ANVIL}/-/issues/1")
    page.wait_for_load_state("networkidle")  # the script for texts comes after the page
    page.fill("#body", "Hot *iron*")
    page.click("#discussion form.box button.preview")
    page.wait_for_selector(".previewed em:text-is('iron')")
    page.click("#discussion form.box button.preview")
    page.reload()
    expect(page.locator("#body")).to_have_value("Hot *iron*", timeout=PATIENCE)
    page.click("summary:text-is('Attach a file')")
    page.set_input_files("[data-attaches]", files=[{"name": "a.txt", "mimeType": "text/plain", "buffer": b"x"}])
    page.wait_for_selector("[role=status]:text-is('File attached.')")
    assert page.input_value("#body").startswith("Hot *iron*[a.txt](/uploads/")
    context.close()


def test_the_finder_shows_only_paths_with_what_was_typed(smithy: RunningServer, chromium: Browser) -> None:
    page = enter(smithy, chromium.new_context(base_url=smithy.url), "ben")
    page.goto(f"{ANVIL}/-/find_file/main")
    assert page.locator("#paths li:visible").count() > 1

    page.fill("#q", "shapes src")

    expect(page.locator("#paths li:visible")).to_have_text(["src/anvil/shapes.py"], timeout=PATIENCE)


def test_phones_show_below_each_name_what_changed_it(smithy: RunningServer, chromium: Browser) -> None:
    action = {"action": "create", "file_path": "forge/plan.txt", "content": "x"}
    body = {"branch": "phones", "start_branch": "main", "commit_message": "Long " * 30, "actions": [action]}
    smithy.client(ROOT_TOKEN).ok("POST", "/projects/smithy%2Fanvil/repository/commits", json=body)
    context = chromium.new_context(base_url=smithy.url, viewport={"width": 360, "height": 800})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()

    for path in (f"{ANVIL}/-/tree/phones", f"{ANVIL}/-/tree/phones/forge"):
        page.goto(path)
        row = page.locator("#files tr", has_text="Long Long").first
        row.wait_for()
        name, subject = (row.locator(f"td:nth-child({place})").bounding_box() for place in (1, 2))
        assert name is not None
        assert subject is not None
        assert subject["y"] >= name["y"] + name["height"] - 8
        assert subject["height"] < 40  # one line, of which the end is cut
        assert wider_than_the_screen(page, path) == []
    context.close()


def test_side_facts_stand_beside_the_text_or_folded_below_it(smithy: RunningServer, chromium: Browser) -> None:
    context = chromium.new_context(base_url=smithy.url, java_script_enabled=False)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    for path in (f"{ANVIL}/-/merge_requests/2", f"{ANVIL}/-/issues/1"):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(path)
        milestone, fold = page.locator(".side dt", has_text="Milestone"), page.locator(".side-facts > summary")
        discussion = page.locator("#discussion")
        beside = milestone.bounding_box()
        assert beside is not None
        assert beside["x"] > 900
        assert not fold.is_visible()
        page.set_viewport_size({"width": 360, "height": 800})
        assert not milestone.is_visible()
        fold.click()
        assert milestone.is_visible()
        shown, below = milestone.bounding_box(), discussion.bounding_box()
        assert shown is not None
        assert below is not None
        assert shown["y"] < below["y"]
    context.close()


def test_a_security_key_signs_in(smithy: RunningServer, chromium: Browser) -> None:
    # Keys know names, not addresses.
    context = chromium.new_context(base_url=smithy.url.replace("127.0.0.1", "localhost"))
    page = enter(smithy, context, "root")
    tools = context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "usb", "isUserVerified": True, "automaticPresenceSimulation": True}
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})

    page.goto("/-/user_settings/two_factor_auth")
    page.fill("#key-name", "Stick")
    press(page, "text=Register a security key")
    assert page.text_content("#recovery-codes")
    context.clear_cookies()
    enter_again(smithy, page, "root")
    assert page.text_content("h1") == "Two-factor authentication"
    press(page, "text=Use a security key")

    page.goto("/-/user_settings/active_sessions")
    assert page.url.endswith("/active_sessions")
    context.close()
