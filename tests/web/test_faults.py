"""Fault pages as people meet them: what happened, what to do next, the number to tell, and ways on."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium
from sqlalchemy import text

from ingot.kit.rate_windows import rate_windows
from tests.support.databases import Databases
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World
from tests.web.browsing import Browser, Visit
from tests.web.test_browser import RULES, enter, violations

pytestmark = pytest.mark.costly

ISSUES = "/smithy/anvil/-/issues"


@contextmanager
def without_notes(server: RunningServer) -> Iterator[None]:
    """What needs the table of comments is a bug."""
    with server.services.db.write() as tx:
        tx.execute(text("ALTER TABLE notes RENAME TO notes_elsewhere"))
    try:
        yield
    finally:
        with server.services.db.write() as tx:
            tx.execute(text("ALTER TABLE notes_elsewhere RENAME TO notes"))


def ways(visit: Visit) -> dict[str, str]:
    """The buttons below the words."""
    return {link.text: link.get("href") for link in visit.tree.xpath("//div[@class='fault']/p[@class='actions']/a")}


def test_a_bug_tells_its_number_and_does_not_offer_to_sign_in_again(smithy: RunningServer, ben: Browser) -> None:
    with without_notes(smithy):
        fault = ben.open(f"{ISSUES}/1")

    number = fault.response.headers["x-request-id"]
    assert (fault.status, f"Request ID: {number}" in fault.text) == (500, True)
    assert "give the request ID below to an administrator" in fault.text
    assert ways(fault)["Try again"] == ""
    assert "/users/sign_in" not in fault.response.text
    assert "notes" not in fault.text
    assert ben.open(f"{ISSUES}/1").status == 200


def test_a_form_that_met_a_bug_gives_the_text_back_and_the_way_to_it(smithy: RunningServer, ben: Browser) -> None:
    page = ben.open(f"{ISSUES}/1")
    with without_notes(smithy):
        fault = ben.send(page, "/comment", body="What I thought about for long")

    assert fault.status == 500
    assert fault.tree.xpath("//textarea")[0].text.strip() == "What I thought about for long"
    assert ("to return to the form" in fault.text, "Try again" in ways(fault)) == (True, False)


def test_an_address_that_no_page_has_knows_who_signed_in(smithy: RunningServer, ben: Browser) -> None:
    for browser, offers in ((ben, False), (Browser(smithy), True)):
        for path in ("/smithy/anvil/-/nothing", "/nobody/nothing"):
            fault = browser.open(path)
            assert (fault.status, "Sign in" in ways(fault)) == (404, offers), path
            assert "or use search" in fault.text
            assert ways(fault)["Search"] == "/search"
            assert bool(fault.tree.xpath("//nav[@aria-label='You']//a[@href='/ben']")) is not offers
    assert ways(ben.open("/smithy/anvil/-/nothing"))["smithy/anvil"] == "/smithy/anvil"
    assert ways(ben.open("/groups/smithy/-/nothing"))["smithy"] == "/groups/smithy"
    assert "ada/notebook" not in ways(ben.open("/ada/notebook/-/nothing"))
    assert int(Browser(smithy).open("/smithy/anvil/-/nothing").response.headers.get("x-query-count", 0)) == 0


def test_what_the_state_does_not_allow_leads_back_to_the_form(smithy: RunningServer, ben: Browser) -> None:
    client = smithy.client(ROOT_TOKEN)
    place = "/projects/smithy%2Fanvil/merge_requests"
    merged = client.ok("GET", f"{place}?state=merged")[0]["iid"]
    page, here = ben.open(f"/smithy/anvil/-/merge_requests/{merged}"), f"/smithy/anvil/-/merge_requests/{merged}"
    token = page.tree.xpath("//input[@name='authenticity_token']/@value")[0]
    fault = Visit(ben.http.post(f"{here}/cancel_auto_merge", data={"authenticity_token": token}))

    assert fault.status in (405, 406, 409, 422), fault.text
    assert fault.tree.find(".//h1").text == "Not possible right now"
    assert "Use your browser's Back button to return to the form." in fault.text


def test_what_a_role_does_not_allow_names_those_who_can_help(smithy: RunningServer, ben: Browser) -> None:
    world = World(smithy)
    owner, developer = world.user("olga"), world.user("dora")
    group = world.group(owner, path="foundry", visibility="public")
    world.member(group, developer, 30, "groups")
    browser = Browser(smithy)
    browser.enter_by_link("dora")
    fault = browser.open("/groups/foundry/-/edit")
    assert (fault.status, "This requires the Owner role in foundry. Your role is Developer." in fault.text) == (
        403,
        True,
    )
    assert ways(fault)["foundry"] == "/groups/foundry"

    # The API answers 401 where somebody may not merge.
    here = "/smithy/anvil/-/merge_requests/2"
    token = browser.open(here).tree.xpath("//input[@name='authenticity_token']/@value")[0]
    refused = Visit(browser.http.post(f"{here}/merge", data={"authenticity_token": token}))
    assert (refused.status, refused.tree.find(".//h1").text) == (401, "You do not have permission")
    assert ways(refused)["smithy/anvil"] == "/smithy/anvil"


def test_what_is_missing_in_a_project_leads_back_to_it_and_tells_of_no_hidden_one(
    smithy: RunningServer, ben: Browser
) -> None:
    stranger = Browser(smithy)
    for browser in (ben, stranger):
        fault = browser.open(f"{ISSUES}/999")
        assert (fault.status, ways(fault)["smithy/anvil"]) == (404, "/smithy/anvil")
    hidden = stranger.open("/ada/notebook/-/issues/999")
    assert (hidden.status, "ada/notebook" in ways(hidden)) == (404, False)


@pytest.mark.parametrize(
    ("path", "words", "way"),
    [
        ("/users/sign_in_link/used", "An administrator can create another one", None),
        ("/users/confirmation?confirmation_token=old", "may already be confirmed", None),
        ("/-/invites/old", "Ask for a new one", None),
        ("/-/sent_notifications/old/unsubscribe", "manage emails", "/-/profile/notifications"),
    ],
)
def test_a_link_that_was_used_says_so_and_what_to_do(
    smithy: RunningServer, path: str, words: str, way: str | None
) -> None:
    fault = Browser(smithy).open(path)

    assert (fault.status, fault.tree.find(".//h1").text) == (404, "This link no longer works")
    assert words in fault.text
    # Signing in does not lead back to a link that has ended.
    assert ways(fault)["Sign in"] == "/users/sign_in"
    assert way is None or way in ways(fault).values()


def test_who_asks_too_often_reads_when_to_return(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, rate_limits=True, worker=False) as server:
        project = World(server).project(visibility="public", initialize_with_readme=True)
        stranger, history = Browser(server), f"/{project['path_with_namespace']}/-/commits/main"
        assert stranger.open(history).status == 200
        with server.services.db.write() as tx:
            counted = rate_windows.c.key.contains("history_pages:")
            tx.execute(rate_windows.update().where(counted).values(observed=10**6))
        fault = stranger.open(history.replace("commits", "network"))

    assert (fault.status, ways(fault)["Try again"]) == (429, "")
    assert f"Wait {fault.response.headers['retry-after']} seconds, then reload the page." in fault.text
    assert "endpoint" not in fault.text


def test_fault_pages_fit_a_phone_in_both_themes(smithy: RunningServer, chromium: Chromium) -> None:
    context = chromium.new_context(base_url=smithy.url, viewport={"width": 360, "height": 700})
    page = enter(smithy, context, "dai")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    with without_notes(smithy):
        for path in (f"{ISSUES}/1", "/smithy/anvil/-/nothing", "/admin", f"{ISSUES}/1?x={'long' * 40}"):
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                answer = page.goto(path)
                assert answer is not None
                assert answer.status in (403, 404, 500)
                page.evaluate(axe)
                assert violations(page, f"{path}, {scheme}", RULES) == []
    context.close()
