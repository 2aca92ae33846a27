"""New secrets are shown once, after a redirect: loading the page again neither shows them nor makes others."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from ingot.features.people.user_pages import SESSION_COOKIE
from ingot.identity import second_factors
from ingot.identity.sessions import digest
from ingot.identity.shown_once import MOST, SECONDS, WAITING
from ingot.identity.tables import sessions
from ingot.kit.clock import now
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import Person, World
from tests.web.browsing import FAR, Browser, Visit, form_values

pytestmark = pytest.mark.costly

PASSWORD = "Right-Password-47"
TOKENS = "/-/user_settings/personal_access_tokens"
APPLICATIONS = "/-/user_settings/applications"
TWO_FACTOR = "/-/user_settings/two_factor_auth"
CONFIRM = "/-/user_settings/confirm_access"
APPLICATION = {"name": "Mine", "redirect_uri": "https://app.example/back", "scopes[]": "read_user"}


@pytest.fixture
def person(world: World) -> Person:
    return world.user(password=PASSWORD, force_random_password=False)


@pytest.fixture
def browser(world: World, person: Person) -> Browser:
    return signed_in(world, person)


def signed_in(world: World, person: Person) -> Browser:
    browser = Browser(world.server)
    browser.enter_by_link(person.username)
    return browser


def post_only(browser: Browser, visit: Visit, action: str, **fields: Any) -> httpx.Response:
    """Send a form of the page without following where the answer leads."""
    forms = [form for form in visit.tree.iterfind(".//form") if (form.get("action") or "").endswith(action)]
    return browser.http.post(forms[0].get("action"), data={**form_values(forms[0]), **fields}, follow_redirects=False)


def make_token(browser: Browser, name: str = "laptop") -> httpx.Response:
    answer = post_only(browser, browser.open(TOKENS), TOKENS, name=name, scope_read_api="1")
    assert (answer.status_code, answer.headers["location"]) == (303, TOKENS)
    return answer


def secret_on(visit: Visit) -> str:
    """The new secret that a page shows, of whatever kind; empty if it shows none."""
    fields = visit.tree.xpath("//div[@role='status']//input[@readonly][not(@id='uid')]/@value")
    codes = visit.tree.xpath("//pre[@id='recovery-codes']/text()")
    return str(next(iter([*fields, *codes]), ""))


def names_of_tokens(person: Person) -> list[str]:
    rows = person.client.ok("GET", f"/personal_access_tokens?user_id={person.id}")
    return sorted(row["name"] for row in rows if row["name"] != "test")


def details_of(browser: Browser, **changed: object) -> dict[str, Any]:
    """What the row of the session has, with some of it changed before."""
    mine = sessions.c.digest == digest(browser.http.cookies[SESSION_COOKIE])
    with browser.server.services.db.write() as tx:
        details: dict[str, Any] = {**tx.execute(select(sessions.c.details).where(mine)).scalar_one(), **changed}
        tx.execute(update(sessions).where(mine).values(details=details))
    return details


def let_expire(browser: Browser) -> None:
    """The five minutes of all secrets that wait are over."""
    waiting = [{**entry, "until": int(now().timestamp())} for entry in details_of(browser)[WAITING]]
    details_of(browser, **{WAITING: waiting})


def test_loading_the_page_again_shows_no_secret_and_makes_no_other(browser: Browser, person: Person) -> None:
    answer = make_token(browser)
    assert (answer.content, "set-cookie" in answer.headers) == (b"", False)

    shown, again = browser.open(TOKENS), browser.open(TOKENS)

    secret = secret_on(shown)
    assert browser.server.client(secret).ok("GET", "/user")["id"] == person.id
    assert "Your new token “laptop”." in shown.text
    assert shown.response.headers["cache-control"] == "no-store"
    assert (secret_on(again), secret in again.response.text) == ("", False)
    assert names_of_tokens(person) == ["laptop"]
    assert WAITING not in details_of(browser)


def test_what_waits_is_sealed_in_the_database(browser: Browser) -> None:
    make_token(browser)

    waiting = details_of(browser)[WAITING]
    secret = secret_on(browser.open(TOKENS))

    assert len(waiting) == 1
    assert secret.startswith("glpat-")
    assert not any(word in json.dumps(waiting) for word in (secret, secret.removeprefix("glpat-"), "user_settings"))
    assert waiting[0]["until"] <= int(now().timestamp()) + SECONDS


def test_only_the_page_and_the_session_that_it_is_for_show_it(world: World, browser: Browser, person: Person) -> None:
    other, stranger = signed_in(world, person), signed_in(world, world.user())
    make_token(browser)

    elsewhere = [
        browser.open(APPLICATIONS), browser.open(TWO_FACTOR), browser.open("/"), other.open(TOKENS),
        stranger.open(TOKENS), Browser(world.server, **{"Private-Token": person.token}).open(TOKENS),
    ]  # fmt: skip
    assert browser.http.head(TOKENS).status_code == 200  # which shows nothing to anybody

    assert [secret_on(visit) for visit in elsewhere] == [""] * len(elsewhere)
    assert secret_on(browser.open(TOKENS)).startswith("glpat-")


def test_a_row_of_somebody_else_cannot_show_it(world: World, browser: Browser) -> None:
    stranger = signed_in(world, world.user())
    make_token(browser)

    details_of(stranger, **{WAITING: details_of(browser)[WAITING]})

    assert secret_on(stranger.open(TOKENS)) == ""


def test_after_five_minutes_it_is_not_shown_and_forgotten(browser: Browser) -> None:
    make_token(browser)
    let_expire(browser)

    assert secret_on(browser.open(TOKENS)) == ""
    assert WAITING not in details_of(browser)

    make_token(browser)
    let_expire(browser)
    browser.open("/-/user_settings/profile")  # whichever page comes next
    assert WAITING not in details_of(browser)


def test_a_session_that_ends_takes_it_along(world: World, browser: Browser, person: Person) -> None:
    make_token(browser)
    signed_out = browser.send(Visit(browser.http.get("/-/user_settings/profile")), "/users/sign_out")
    assert signed_out.status == 200
    browser.enter_by_link(person.username)
    assert secret_on(browser.open(TOKENS)) == ""

    other = signed_in(world, person)
    make_token(browser)
    other.send(other.open("/-/user_settings/active_sessions"), "/end_others")
    assert browser.http.get(TOKENS, follow_redirects=False).status_code == 302
    browser.enter_by_link(person.username)
    assert secret_on(browser.open(TOKENS)) == ""


def test_one_of_several_visits_at_the_same_time_shows_it(browser: Browser) -> None:
    make_token(browser)

    with ThreadPoolExecutor(4) as pool:
        visits = list(pool.map(browser.open, [TOKENS] * 4))

    assert [visit.status for visit in visits] == [200] * 4
    assert sorted(bool(secret_on(visit)) for visit in visits) == [False, False, False, True]


def test_several_secrets_wait_for_their_pages(browser: Browser) -> None:
    form = browser.open(TOKENS)
    for name in ("first", "second"):
        post_only(browser, form, TOKENS, name=name, scope_read_api="1")
    post_only(browser, browser.open(APPLICATIONS), APPLICATIONS, **APPLICATION)

    visits = [browser.open(TOKENS) for _ in range(3)]
    application = browser.open(APPLICATIONS)

    shown = [[name for name in ("first", "second") if f"token “{name}”" in visit.text] for visit in visits]
    assert shown == [["second"], ["first"], []]
    assert len({secret_on(visit) for visit in visits}) == 3  # the last has none
    assert secret_on(application).startswith("gloas-")
    assert application.response.headers["cache-control"] == "no-store"


def test_no_more_than_a_few_wait_in_a_session(browser: Browser) -> None:
    form = browser.open(TOKENS)
    for number in range(MOST + 2):
        post_only(browser, form, TOKENS, name=f"token {number}", scope_read_api="1")

    assert len(details_of(browser)[WAITING]) == MOST


def test_confirming_access_and_signing_in_again_lose_nothing(world: World, browser: Browser, person: Person) -> None:
    make_token(browser)
    browser.set_proof(now() - timedelta(minutes=11))
    browser.send(browser.open(CONFIRM), CONFIRM, **{"user[password]": PASSWORD})
    assert secret_on(browser.open(TOKENS)).startswith("glpat-")

    browser.set_proof(FAR)
    make_token(browser)
    former = browser.http.cookies[SESSION_COOKIE]
    browser.enter_by_link(person.username)
    assert browser.http.cookies[SESSION_COOKIE] != former
    assert secret_on(browser.open(TOKENS)).startswith("glpat-")
    assert secret_on(browser.open(TOKENS)) == ""

    # Whoever signs in as somebody else brings nothing along.
    make_token(browser)
    browser.enter_by_link(world.user().username)
    assert WAITING not in details_of(browser)
    assert secret_on(browser.open(TOKENS)) == ""


def test_a_second_factor_that_is_switched_on_meanwhile_loses_nothing(browser: Browser, person: Person) -> None:
    make_token(browser)
    page = browser.open(TWO_FACTOR)
    secret = next(line.text for line in page.tree.iter("p") if line.get("class") == "mono" and line.text)
    code = second_factors.code_at(secret, int(time.time()) // second_factors.STEP + 1)

    answer = post_only(browser, page, TWO_FACTOR, pin_code=code, current_password=PASSWORD)
    assert (answer.status_code, answer.headers["location"]) == (303, TWO_FACTOR)
    assert secret_on(browser.open(TOKENS)).startswith("glpat-")
    codes = browser.open(TWO_FACTOR)
    assert len(secret_on(codes).split()) == second_factors.CODES
    assert codes.response.headers["cache-control"] == "no-store"

    again = browser.open(TWO_FACTOR)
    assert secret_on(again) == ""
    renewed = browser.send(again, "/codes", current_password=PASSWORD)
    assert not set(secret_on(renewed).split()) & set(secret_on(codes).split())
    assert person.client.ok("GET", "/user")["two_factor_enabled"] is True


def test_acting_as_somebody_else_shows_nothing_of_ones_own(world: World, person: Person) -> None:
    boss = world.user(admin=True, password=PASSWORD, force_random_password=False)
    browser = signed_in(world, boss)
    page = browser.open(f"/admin/users/{person.username}")
    make_token(browser, "of the boss")
    acting = browser.send(page, "/impersonate")

    assert "you are impersonating" in acting.text
    assert secret_on(browser.open(TOKENS)) == ""
    browser.set_proof(FAR)
    make_token(browser, "of the person")
    stopped = browser.send(browser.open("/"), "/admin/impersonation")

    assert stopped.path == f"/admin/users/{person.username}"
    shown = browser.open(TOKENS)
    assert "of the boss" in shown.text
    assert browser.server.client(secret_on(shown)).ok("GET", "/user")["id"] == boss.id
    assert secret_on(signed_in(world, person).open(TOKENS)) == ""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    """An administrator who owns a group with a project."""
    return world.user(admin=True, password=PASSWORD, force_random_password=False)


@pytest.fixture(scope="module")
def places(world: World, owner: Person) -> dict[str, str]:
    group = world.group(owner)
    project = world.project(owner, namespace_id=group["id"])
    robot = world.admin.ok("POST", f"/groups/{group['id']}/service_accounts")["id"]
    return {
        "project": f"/{project['path_with_namespace']}/-", "group": f"/groups/{group['full_path']}/-",
        "person": f"/admin/users/{world.user().username}",
        "robot": f"/groups/{group['full_path']}/-/service_accounts/{robot}",
    }  # fmt: skip


TOKEN = {"name": "nightly", "scopes[]": "read_api"}
DEPLOY_TOKEN = {"name": "nightly", "scopes[]": "read_repository"}
RUNNER = {"description": "nightly", "run_untagged": "true"}


@pytest.mark.parametrize(
    ("place", "page", "form", "fields"),
    [
        ("project", "/settings/access_tokens", "/tokens", {**TOKEN, "access_level": "30"}),
        ("project", "/settings/repository", "/deploy_tokens", DEPLOY_TOKEN),
        ("project", "/settings/ci_cd", "/triggers", {"description": "nightly"}),
        ("project", "/settings/ci_cd", "/runners", RUNNER),
        ("group", "/settings/access_tokens", "/tokens", {**TOKEN, "access_level": "30"}),
        ("group", "/settings/repository", "/deploy_tokens", DEPLOY_TOKEN),
        ("group", "/runners", "/runners", RUNNER),
        ("robot", "", "/tokens", TOKEN),
        ("person", "", "/tokens", TOKEN),
        ("person", "", "/impersonation", {"name": "nightly", "scopes[]": "api"}),
    ],
)
def test_every_section_shows_its_secret_after_a_redirect(
    world: World, owner: Person, places: dict[str, str], place: str, page: str, form: str, fields: dict[str, str]
) -> None:
    browser, path = signed_in(world, owner), places[place] + page

    answer = post_only(browser, browser.open(path), form, **fields)
    shown = browser.open(path)

    assert (answer.status_code, answer.headers["location"], answer.content) == (303, f"{path}#{form[1:]}", b"")
    assert secret_on(shown)
    assert "The token of “nightly”." in shown.text
    assert shown.response.headers["cache-control"] == "no-store"
    again = browser.open(path)
    assert (secret_on(again), again.response.headers["cache-control"]) == ("", "private, no-cache")


def test_a_token_that_gets_another_value_shows_it_after_a_redirect(
    world: World, owner: Person, places: dict[str, str]
) -> None:
    browser, path = signed_in(world, owner), f"{places['project']}/settings/access_tokens"
    first = secret_on(browser.send(browser.open(path), "/tokens", **TOKEN, access_level="30"))

    answer = post_only(browser, browser.open(path), "/tokens/rotate")
    second = secret_on(browser.open(path))

    assert answer.status_code == 303
    assert second not in ("", first)
    assert secret_on(browser.open(path)) == ""
    runner = browser.send(browser.open("/admin/runners"), "/runners", **RUNNER)
    own = next(link for link in runner.links() if link.startswith("/admin/runners/"))
    renewed = browser.send(browser.open(own), "/runner/token")
    assert renewed.path == own
    assert secret_on(renewed) not in ("", secret_on(runner))


@pytest.fixture
def nodes(databases: Databases, tmp_path: Path) -> Iterator[tuple[RunningServer, RunningServer]]:
    url = databases.fresh(tmp_path)
    with RunningServer(url, tmp_path) as one, RunningServer(url, tmp_path) as two:
        yield one, two


def test_another_node_shows_it(nodes: tuple[RunningServer, RunningServer]) -> None:
    one, two = nodes
    browser, on_other_node = Browser(one), Browser(two)
    browser.enter_by_link("root")
    on_other_node.http.cookies.set(SESSION_COOKIE, browser.http.cookies[SESSION_COOKIE], domain="127.0.0.1")
    make_token(browser)

    assert secret_on(on_other_node.open(TOKENS)).startswith("glpat-")
    assert secret_on(browser.open(TOKENS)) == ""
