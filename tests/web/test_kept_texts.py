"""What people type stays theirs: over reloads, failures on the way, and parts of pages that renew themselves."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser
from tests.web.conftest import PATIENCE
from tests.web.test_browser import enter, press

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"


@pytest.fixture(scope="module")
def request_path(smithy: RunningServer) -> str:
    """A request with a file of three lines, and a thread."""
    client = smithy.client(ROOT_TOKEN)
    action = {"action": "create", "file_path": "keep.py", "content": "one = 1\ntwo = 2\nthree = 3\n"}
    body = {"branch": "keep", "start_branch": "main", "commit_message": "Keep", "actions": [action]}
    client.ok("POST", f"{ANVIL}/repository/commits", json=body)
    fields = {"source_branch": "keep", "target_branch": "main", "title": "Keep", "description": "As it was."}
    iid = client.ok("POST", f"{ANVIL}/merge_requests", json=fields)["iid"]
    client.ok("POST", f"{ANVIL}/merge_requests/{iid}/discussions", json={"body": "Why?"})
    return f"/smithy/anvil/-/merge_requests/{iid}"


@pytest.fixture
def page(smithy: RunningServer, chromium: Chromium) -> Iterator[Page]:
    context = chromium.new_context(base_url=smithy.url)
    yield enter(smithy, context, "ben")
    context.close()


def test_each_field_keeps_its_own_text(page: Page, request_path: str) -> None:
    page.goto(request_path)
    page.fill("#body", "A comment.")
    page.click(".answer summary")
    page.fill("textarea[id^=reply_]", "An answer.")
    page.reload()
    expect(page.locator("#body")).to_have_value("A comment.")
    expect(page.locator("textarea[id^=reply_]")).to_have_value("An answer.")
    expect(page.locator("textarea[id^=reply_]")).to_be_visible()

    press(page, ".answer button.primary")

    expect(page.locator("#body")).to_have_value("A comment.")
    expect(page.locator("textarea[id^=reply_]")).to_have_value("")


def test_a_text_that_is_edited_is_kept_beside_the_one_that_it_replaces(
    smithy: RunningServer, page: Page, request_path: str
) -> None:
    edit = f"{request_path}/edit"
    page.goto(edit)
    page.fill("#title", "Better")
    page.fill("#description", "As it will be.")
    page.reload()
    expect(page.locator("#title")).to_have_value("Better")
    expect(page.locator("#description")).to_have_value("As it will be.")

    press(page, "form.card a.button:has-text('Cancel')")
    page.goto(edit)
    expect(page.locator("#title")).to_have_value("Keep")
    page.fill("#description", "Typed over an older text.")
    client, iid = smithy.client(ROOT_TOKEN), request_path.rpartition("/")[2]
    client.ok("PUT", f"{ANVIL}/merge_requests/{iid}", json={"description": "Changed meanwhile."})
    page.reload()
    expect(page.locator("#description")).to_have_value("Changed meanwhile.")


def test_texts_for_lines_and_for_the_review_are_not_mixed(page: Page, request_path: str) -> None:
    def ask(line: int) -> None:
        page.click(f".diff tr.add td:nth-child(2) a:text-is('{line}')")
        expect(page.locator("#line_body")).to_be_visible()

    page.goto(f"{request_path}/diffs")
    ask(1)
    page.fill("#line_body", "About the first line.")
    page.reload()
    ask(2)
    expect(page.locator("#line_body")).to_have_value("")
    page.click("[data-closes]")
    ask(1)
    expect(page.locator("#line_body")).to_have_value("About the first line.")
    press(page, "#line-form button[name=draft]")
    page.click("#review summary")
    expect(page.locator("#summary")).to_have_value("")
    page.fill("#summary", "All of it.")
    page.reload()
    page.click("#review summary")
    expect(page.locator("#summary")).to_have_value("All of it.")


def test_a_text_that_did_not_arrive_is_there_on_the_way_back(page: Page, request_path: str) -> None:
    page.goto(request_path)
    page.fill("#body", "Sent into the void.")
    page.context.set_offline(True)
    with page.expect_event("requestfailed", timeout=PATIENCE):
        page.click("form[action$='/comment'] button.primary", no_wait_after=True)
    page.wait_for_url("chrome-error://**")
    page.context.set_offline(False)
    page.go_back()
    expect(page.locator("#body")).to_have_value("Sent into the void.")


def test_a_box_that_renews_itself_leaves_what_is_typed_and_ticked(
    smithy: RunningServer, page: Page, request_path: str
) -> None:
    page.goto(request_path)
    page.check("[name=squash]")
    page.click(".messages summary")
    page.fill("#merge_commit_message", "By hand")
    ada = Browser(smithy)
    ada.enter_by_link("ada")

    ada.send(ada.open(request_path), "/approve")
    page.locator("#merge_commit_message").press("End")  # it has the focus, so the box waits
    page.focus("#body")

    expect(page.locator("#live-box")).to_contain_text("Approved by Ada", timeout=PATIENCE)
    expect(page.locator("#merge_commit_message")).to_have_value("By hand")
    expect(page.locator("#merge_commit_message")).to_be_visible()
    expect(page.locator("[name=squash]")).to_be_checked()
