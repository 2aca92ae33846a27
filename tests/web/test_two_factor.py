"""Two-factor authentication in the browser: switching it on, signing in with codes, switching it off."""

import time
from datetime import timedelta

import pytest
from sqlalchemy import delete, update

from ingot.identity import second_factors
from ingot.identity.tables import sessions, users
from ingot.kit.clock import now
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

PASSWORD = "Right-Password-47"
PLACE = "/-/user_settings/two_factor_auth"


@pytest.fixture
def person(world: World) -> Person:
    return world.user(password=PASSWORD, force_random_password=False)


def code_now(secret: str, later: int = 0) -> str:
    """What an authenticator shows; `later` steps from now."""
    return second_factors.code_at(secret, int(time.time()) // second_factors.STEP + later)


def switch_on(world: World, person: Person) -> tuple[str, list[str]]:
    """Switch the second factor on; returns its secret and the recovery codes."""
    secret = second_factors.new_secret()
    with world.server.services.db.write() as tx:
        return secret, second_factors.enable(tx, world.server.services, person.id, secret, 0)


def shown_secret(page: Visit) -> str:
    """The key that the set-up page shows."""
    return next(line.text for line in page.tree.iter("p") if line.get("class") == "mono" and line.text)


def shown_codes(page: Visit) -> list[str]:
    """The recovery codes that a page shows."""
    return (page.tree.findtext(".//pre[@id='recovery-codes']") or "").split()


def enter_code(browser: Browser, page: Visit, code: str) -> Visit:
    return browser.send(page, "/users/sign_in", **{"user[otp_attempt]": code})


def is_signed_in(browser: Browser) -> bool:
    return browser.open("/-/user_settings/active_sessions").response.url.path.endswith("active_sessions")


def test_signing_in_asks_for_a_code(world: World, person: Person) -> None:
    secret, _ = switch_on(world, person)
    browser = Browser(world.server)

    page = browser.sign_in(person.username, PASSWORD, return_to="/dashboard/todos")

    assert "Authenticator code or recovery code" in page.text
    assert not is_signed_in(browser)
    wrong = enter_code(browser, page, "000000")
    assert (wrong.status, "Invalid two-factor code." in wrong.text) == (401, True)
    assert str(enter_code(browser, wrong, code_now(secret, 1)).response.url).endswith("/dashboard/todos")
    assert is_signed_in(browser)
    assert world.admin.ok("GET", f"/users/{person.id}")["two_factor_enabled"] is True
    assert person.client.ok("GET", "/user")["two_factor_enabled"] is True
    assert person.id in {row["id"] for row in world.admin.ok("GET", "/users?two_factor=enabled")}
    assert person.id not in {row["id"] for row in world.admin.ok("GET", "/users?two_factor=disabled")}


def test_a_sign_in_that_took_too_long_begins_again_with_every_way_in(world: World, person: Person) -> None:
    switch_on(world, person)
    browser = Browser(world.server)
    page = browser.sign_in(person.username, PASSWORD, return_to="/dashboard/todos")
    with world.server.services.db.write() as tx:
        tx.execute(delete(sessions).where(sessions.c.user_id == person.id))

    again = enter_code(browser, page, "000000")

    assert (again.status, "This sign-in expired" in again.text, "Remember me" in again.text) == (401, True, True)
    assert again.tree.xpath("//form//input[@name='return_to']/@value") == ["/dashboard/todos"]


def test_setting_it_up_shows_recovery_codes_that_work_once(world: World, person: Person) -> None:
    browser = Browser(world.server)
    browser.enter_by_link(person.username)
    page = browser.open(PLACE)
    code = code_now(shown_secret(page), 1)
    page = browser.send(page, PLACE, pin_code=f"{code[:3]} {code[3:]}", current_password=PASSWORD)  # as apps show it
    codes = shown_codes(page)
    assert len(set(codes)) == 10
    assert page.tree.xpath("//button/@data-copies-text") == ["\n".join(codes)]

    other = Browser(world.server)
    enter_code(other, other.enter_by_link(person.username), codes[0].upper())

    assert is_signed_in(other)
    again = Browser(world.server)
    assert enter_code(again, again.enter_by_link(person.username), codes[0]).status == 401
    new = shown_codes(browser.send(browser.open(PLACE), PLACE + "/codes", current_password=PASSWORD))
    assert len(set(new) - set(codes)) == 10
    assert enter_code(again, again.enter_by_link(person.username), codes[1]).status == 401
    enter_code(again, again.enter_by_link(person.username), new[1])
    assert is_signed_in(again)


def test_it_is_switched_off_with_the_password_or_by_an_administrator(world: World, person: Person) -> None:
    browser = Browser(world.server)
    browser.enter_by_link(person.username)
    switch_on(world, person)
    path = f"/users/{person.id}/disable_two_factor"

    assert browser.send(browser.open(PLACE), "/disable", current_password="wrong").status == 422
    assert "Turn on" in browser.send(browser.open(PLACE), "/disable", current_password=PASSWORD).text
    refused = world.admin.patch(path)
    assert (refused.status_code, refused.json()) == (
        400,
        {"message": "400 Bad request - Two-factor authentication is not enabled for this user"},
    )
    switch_on(world, person)
    assert person.client.patch(path).status_code == 403
    assert world.admin.patch(path).status_code == 204
    assert world.admin.patch("/users/1/disable_two_factor").status_code == 403
    assert world.admin.patch("/users/999999/disable_two_factor").status_code == 404
    other = Browser(world.server)
    other.enter_by_link(person.username)
    assert is_signed_in(other)


def start_grace(world: World, person: Person, hours_ago: int) -> None:
    """The person was told that long ago that they need a second factor."""
    with world.server.services.db.write() as tx:
        began = now() - timedelta(hours=hours_ago)
        tx.execute(update(users).where(users.c.id == person.id).values(otp_grace_period_started_at=began))


def test_a_group_requires_it_of_its_members_after_a_grace_period(world: World, person: Person) -> None:
    owner = world.user()
    group = world.group(owner)
    below = world.group(owner, parent_id=group["id"])
    world.member(group, person, "guest", kind="groups")
    browser = Browser(world.server)
    browser.enter_by_link(person.username)
    assert browser.open("/dashboard/todos").path == "/dashboard/todos"
    # A subgroup asks the members that it inherits, too.
    world.admin.ok(
        "PUT", f"/groups/{below['id']}", json={"require_two_factor_authentication": True, "two_factor_grace_period": 5}
    )

    page = browser.open("/dashboard/todos")
    assert page.path == PLACE
    assert f"{below['full_name']} requires two-factor authentication. You need to set it up before" in page.text
    assert browser.send(page, "/skip").path == "/"
    assert browser.open("/dashboard/todos").path == "/dashboard/todos"

    start_grace(world, person, 6)
    page = browser.open("/dashboard/todos")
    assert (page.path, "Set it up to continue." in page.text) == (PLACE, True)
    assert browser.open("/-/user_settings/personal_access_tokens").path == PLACE
    assert not [form for form in page.tree.iterfind(".//form") if form.get("action").endswith("/skip")]
    assert person.client.get("/user").status_code == 200  # tokens go on
    browser.send(page, PLACE, pin_code=code_now(shown_secret(page), 1), current_password=PASSWORD)
    assert browser.open("/dashboard/todos").path == "/dashboard/todos"


def test_the_instance_requires_it_of_everybody(world: World, person: Person) -> None:
    browser = Browser(world.server)
    browser.enter_by_link(person.username)
    change = {"require_two_factor_authentication": True, "two_factor_grace_period": 0}
    world.admin.ok("PUT", "/application/settings", json=change)
    try:
        page = browser.open("/")
        assert (page.path, "this server requires two-factor authentication" in page.text) == (PLACE, True)
        # Nothing is done by form either.
        token = page.tree.find(".//input[@name='authenticity_token']").get("value")
        sent = browser.http.post("/projects", data={"authenticity_token": token, "name": "late"})
        assert (sent.url.path, person.client.ok("GET", "/projects?owned=true")) == (PLACE, [])
        sent = browser.http.post("/users/root/follow", data={"authenticity_token": token})
        assert (sent.url.path, person.client.ok("GET", f"/users/{person.id}/following")) == (PLACE, [])
        switch_on(world, person)
        assert browser.open("/").path == "/"
    finally:
        world.admin.ok("PUT", "/application/settings", json={"require_two_factor_authentication": False})


def test_administrators_confirm_who_they_are_before_they_administer(world: World) -> None:
    boss = world.user(admin=True, password=PASSWORD, force_random_password=False)
    root = world.server.client(world.token(1, ["api", "admin_mode"]))
    browser = Browser(world.server)
    browser.enter_by_link(boss.username)
    root.ok("PUT", "/application/settings", json={"admin_mode": True})
    try:
        page = browser.open("/admin/users")
        assert (page.path, "Administration" in page.text) == ("/admin/session/new", False)
        assert browser.send(page, "/admin/session", **{"user[password]": "guess"}).status == 401
        assert browser.send(page, "/admin/session", **{"user[password]": PASSWORD}).path == "/admin/users"
        page = browser.open("/")
        assert "Leave admin mode" in page.text
        form = browser.open("/admin/application_settings/network")
        assert browser.send(page, "/admin/session/destroy").path == "/"
        late = browser.send(form, "/limits", rate_limiting_response_text="Kept.")
        assert (late.status, "Your form has not been submitted yet." in late.text) == (401, True)
        asked = browser.send(late, "/admin/session", **{"user[password]": PASSWORD})
        assert (asked.status, "Submit the form again?" in asked.text, "Kept." in asked.text) == (200, True, True)
        assert browser.send(browser.open("/"), "/admin/session/destroy").path == "/"
        secret, _ = switch_on(world, boss)
        page = browser.open("/admin")
        code = {"user[otp_attempt]": "000000"}
        assert browser.send(page, "/admin/session", **{"user[password]": PASSWORD, **code}).status == 401
        code = {"user[otp_attempt]": code_now(secret, 1)}
        assert browser.send(page, "/admin/session", **{"user[password]": PASSWORD, **code}).path == "/admin"
        other = Browser(world.server)
        other.enter_by_link(world.user().username)
        assert other.open("/admin/session/new").status == 404
    finally:
        root.ok("PUT", "/application/settings", json={"admin_mode": False})
