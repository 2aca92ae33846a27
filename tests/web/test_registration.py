"""Registration with confirmation, approval and invitations, and new passwords by mail."""

from collections.abc import Iterator
from datetime import timedelta

import httpx
import pytest
from sqlalchemy import delete, select, update

from ingot.identity.second_factors import disable, enable, new_secret
from ingot.identity.tables import sessions, users
from ingot.kit.clock import now
from ingot.kit.rate_windows import rate_windows
from tests.support.databases import Databases
from tests.support.mailbox import Mailbox, mailing_world
from tests.support.world import World
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

PASSWORD = "Quite-Long-Words-47"


@pytest.fixture(scope="module")
def mailing(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, Mailbox]]:
    with mailing_world(databases, tmp_path_factory.mktemp("registration")) as pair:
        yield pair


def register(browser: Browser, username: str, path: str = "/users/sign_up", **more: str) -> Visit:
    fields = {
        "name": "Nora New",
        "username": username,
        "email": f"{username}@example.com",
        "password": PASSWORD,
        **more,
    }
    page = browser.open(path)
    assert "At least 8 characters" in page.text
    return browser.send(page, "/users/sign_up", **{f"new_user[{name}]": value for name, value in fields.items()})


def open_registration(world: World, *, approval: bool) -> None:
    settings = {"signup_enabled": True, "require_admin_approval_after_user_signup": approval}
    world.admin.ok("PUT", "/application/settings", json=settings)


def test_a_new_person_confirms_the_address_and_signs_in(mailing: tuple[World, Mailbox]) -> None:
    world, box = mailing
    open_registration(world, approval=False)
    username, browser = world.name("new"), Browser(world.server)

    page = register(browser, username)
    world.run_jobs()

    assert "Open the link in the email we sent you" in page.text
    refused = browser.sign_in(username, PASSWORD)
    assert (refused.status, "confirm your email address" in refused.text) == (403, True)
    assert box.link(f"{username}@example.com")
    box.mails.clear()
    form = browser.open("/users/confirmation/new")
    again = browser.send(form, "/users/confirmation", **{"user[email]": f"{username}@example.com"})
    assert "we sent an email with a link" in again.text
    world.run_jobs()
    link = box.link(f"{username}@example.com")
    assert world.admin.ok("GET", f"/users?username={username}")[0]["confirmed_at"] is None  # looking changes nothing
    confirmed = browser.send(browser.open(link), "/users/confirmation")
    assert "Your address is confirmed" in confirmed.text
    assert browser.open(link).status == 404
    assert browser.sign_in(username, PASSWORD, return_to="/dashboard/todos").path == "/dashboard/todos"
    row = world.admin.ok("GET", f"/users?username={username}")[0]
    assert (row["state"], row["is_admin"], row["confirmed_at"] is None) == ("active", False, False)


def test_the_instance_may_let_people_in_before_they_confirm(mailing: tuple[World, Mailbox]) -> None:
    world, _ = mailing
    open_registration(world, approval=False)
    username, browser = world.name("soft"), Browser(world.server)
    register(browser, username)
    place = "/dashboard/todos"

    def enter(choice: str) -> bool:
        world.admin.ok("PUT", "/application/settings", json={"email_confirmation_setting": choice})
        try:
            return Browser(world.server).sign_in(username, PASSWORD, return_to=place).path == place
        finally:
            world.admin.ok("PUT", "/application/settings", json={"email_confirmation_setting": None})

    assert (enter("hard"), enter("soft")) == (False, True)
    with world.server.services.db.write() as tx:
        days = update(users).where(users.c.username_lower == username).values(created_at=now() - timedelta(days=4))
        tx.execute(days)
    assert (enter("soft"), enter("off")) == (False, True)


def test_a_registration_waits_for_approval(mailing: tuple[World, Mailbox]) -> None:
    world, box = mailing
    open_registration(world, approval=True)
    username, browser = world.name("waiting"), Browser(world.server)

    page = register(browser, username)
    world.run_jobs()
    browser.send(browser.open(box.link(f"{username}@example.com")), "/users/confirmation")

    assert "An administrator has to approve" in page.text
    refused = browser.sign_in(username, PASSWORD)
    assert (refused.status, "pending approval" in refused.text) == (403, True)
    user_id = world.admin.ok("GET", f"/users?username={username}")[0]["id"]
    world.admin.ok("POST", f"/users/{user_id}/approve")
    assert browser.sign_in(username, PASSWORD, return_to="/dashboard/todos").path == "/dashboard/todos"


def test_where_registration_is_closed_an_invitation_opens_it(mailing: tuple[World, Mailbox]) -> None:
    world, box = mailing
    settings = {"signup_enabled": False, "require_admin_approval_after_user_signup": False}
    world.admin.ok("PUT", "/application/settings", json=settings)
    group, username = world.group(), world.name("invited")
    address = f"{username}@elsewhere.example"
    browser = Browser(world.server)

    closed = browser.open("/users/sign_up")
    assert (closed.status, closed.tree.findtext(".//h1")) == (404, "Registration is closed")
    assert "Register" not in browser.open("/users/sign_in").text
    world.admin.ok("POST", f"/groups/{group['id']}/invitations", json={"email": address, "access_level": 30})
    world.run_jobs()
    # The address is the invited one, whatever the form says.
    page = register(browser, username, box.link(address), email="other@example.com")

    assert "Then sign in" in page.text
    assert browser.sign_in(username, PASSWORD, return_to="/dashboard/todos").path == "/dashboard/todos"
    members = world.admin.ok("GET", f"/groups/{group['id']}/members")
    assert [row["access_level"] for row in members if row["username"] == username] == [30]
    assert world.admin.ok("GET", f"/users?username={username}")[0]["email"] == address
    assert Browser(world.server).open(box.link(address)).status == 404  # the invitation is accepted


def test_an_invitation_is_accepted_or_declined_on_its_page(mailing: tuple[World, Mailbox]) -> None:
    world, box = mailing
    person, group = world.user(), world.group(visibility="private")
    address = f"{person.username}.second@elsewhere.example"

    def invite() -> str:
        world.admin.ok("POST", f"/groups/{group['id']}/invitations", json={"email": address, "access_level": 20})
        world.run_jobs()
        return "/-/invites/" + box.link(address).rpartition("invite=")[2]

    stranger, browser = Browser(world.server), Browser(world.server)
    first = invite()
    assert "as Reporter" in stranger.open(first).text
    assert stranger.send(stranger.open(first), "/decline").status == 200
    assert stranger.open(first).status == 404
    assert world.admin.ok("GET", f"/groups/{group['id']}/invitations") == []

    second = invite()
    browser.enter_by_link(person.username)
    page = browser.open(second)
    assert (f"@{person.username}" in page.text, "/accept" in page.response.text) == (True, False)
    token = form_values(page.tree.xpath("//main//form")[0])
    assert browser.http.post(f"{second}/accept", data=token).status_code == 403
    added = {"email": address, "skip_confirmation": True}
    world.admin.ok("POST", f"/users/{person.id}/emails", json=added)
    assert browser.send(browser.open(second), "/accept").path == f"/groups/{group['full_path']}"
    members = world.admin.ok("GET", f"/groups/{group['id']}/members")
    assert [row["access_level"] for row in members if row["id"] == person.id] == [20]
    assert browser.open(second).status == 404
    assert browser.open("/-/invites/forged").status == 404


def test_bad_values_are_shown_with_the_form(mailing: tuple[World, Mailbox]) -> None:
    world, _ = mailing
    open_registration(world, approval=False)
    browser = Browser(world.server)

    short = register(browser, world.name("short"), password="x")
    taken = register(browser, "root")

    assert (short.status, "Password is too short" in short.text) == (422, True)
    assert (taken.status, taken.text.count("This username is already taken by a user")) == (422, 2)
    assert [field.get("name") for field in taken.tree.xpath("//input[@aria-invalid]")] == ["new_user[username]"]
    strange = register(browser, "two words")
    assert strange.text.count("Username can only include non-accented letters") == 2  # on top, and at the field
    assert "Username can contain" not in strange.text


def test_a_forgotten_password_is_replaced_by_a_mailed_link(mailing: tuple[World, Mailbox]) -> None:
    world, box = mailing
    person = world.user(password="Former-Words-12", force_random_password=False)
    address = f"{person.username}@example.com"
    other = Browser(world.server)
    other.enter_by_link(person.username)
    browser = Browser(world.server)
    with world.server.services.db.write() as tx:  # as after many failed sign-ins
        locked = update(users).where(users.c.id == person.id).values(locked_until=now() + timedelta(hours=1))
        tx.execute(locked)

    page = browser.send(browser.open("/users/password/new"), "/users/password", **{"user[email]": address.upper()})
    world.run_jobs()
    link = box.link(address)
    fields = {"password": PASSWORD, "password_confirmation": PASSWORD}
    done = browser.send(browser.open(link), "/users/password/edit", **fields)

    assert "we sent an email with a link" in page.text
    assert "Your password was changed" in done.text
    assert browser.open(link).status == 404  # it works once
    assert other.open("/-/user_settings/active_sessions").path == "/users/sign_in"
    assert browser.sign_in(person.username, PASSWORD, return_to="/dashboard/todos").path == "/dashboard/todos"
    recorded = world.admin.ok("GET", f"/audit_events?entity_type=User&entity_id={person.id}")
    assert "user_password_updated" in [event["event_name"] for event in recorded]
    world.run_jobs()
    assert "Password changed" in [mail["Subject"] for mail in box.mails if mail["To"] == address]


def test_people_are_told_of_changes_to_their_account(mailing: tuple[World, Mailbox]) -> None:
    world, box = mailing
    person = world.user(password=PASSWORD, force_random_password=False)
    address = f"{person.username}@example.com"
    Browser(world.server).sign_in(person.username, PASSWORD)
    with world.server.services.db.write() as tx:  # as if everything before had come from elsewhere
        tx.execute(update(users).where(users.c.id == person.id).values(current_sign_in_ip="192.0.2.7"))
        tx.execute(delete(sessions).where(sessions.c.user_id == person.id))
        enable(tx, world.server.services, person.id, new_secret(), 0)
        disable(tx, person.id)
    box.mails.clear()

    Browser(world.server).sign_in(person.username, PASSWORD)
    options = {"email": f"new-{address}", "skip_reconfirmation": True}
    world.admin.ok("PUT", f"/users/{person.id}", json=options)
    world.run_jobs()

    mine = [mail for mail in box.mails if str(mail["To"]).endswith(address)]  # others were still to be told
    told = sorted((mail["Subject"], mail["To"]) for mail in mine)
    assert told == [
        ("Email changed", address),
        ("Sign-in from a new IP address", f"new-{address}"),
        ("Two-factor authentication disabled", f"new-{address}"),
    ]
    texts = "".join(mail.get_content() for mail in mine)
    assert f"changed to new-{address}." in texts
    assert "from the IP address 127.0.0." in texts


def test_failed_sign_ins_lock_the_account_until_a_mailed_link_unlocks_it(mailing: tuple[World, Mailbox]) -> None:
    world, box = mailing
    person = world.user(password=PASSWORD, force_random_password=False)
    address, place = f"{person.username}@example.com", f"/users/{person.id}"
    project = world.project(person, initialize_with_readme=True)
    git = f"{world.server.url}/{project['path_with_namespace']}.git/info/refs?service=git-upload-pack"
    settings = {"max_login_attempts": 2, "failed_login_attempts_unlock_period_in_minutes": 60}
    world.admin.ok("PUT", "/application/settings", json=settings)
    browser = Browser(world.server)

    def fail(times: int) -> list[int]:
        return [Browser(world.server).sign_in(person.username, "wrong").status for _ in range(times)]

    try:
        # A good sign-in forgets the failure before it.
        assert fail(1) == [401]
        assert browser.sign_in(person.username, PASSWORD).status == 200
        assert fail(1) == [401]
        assert world.admin.ok("GET", place)["locked"] is False
        assert fail(1) == [401]
    finally:
        usual = {"max_login_attempts": None, "failed_login_attempts_unlock_period_in_minutes": None}
        world.admin.ok("PUT", "/application/settings", json=usual)

    # The same words as for a wrong password; sessions and tokens go on.
    assert world.admin.ok("GET", place)["locked"] is True
    refused = Browser(world.server).sign_in(person.username, PASSWORD)
    assert (refused.status, "Invalid login or password." in refused.text) == (401, True)
    assert httpx.get(git, auth=(person.username, PASSWORD), timeout=120).status_code == 401
    assert browser.open("/dashboard/todos").path == "/dashboard/todos"
    assert person.client.ok("GET", "/user")["id"] == person.id
    world.run_jobs()
    first = box.link(address)
    asked = Browser(world.server).open("/users/unlock/new")
    sent = Browser.send(browser, asked, "/users/unlock", **{"user[email]": "nobody@example.com"})
    assert sent.status == 403  # a form of another browser
    other = Browser(world.server)
    for known in (address, "nobody@example.com"):
        page = other.send(other.open("/users/unlock/new"), "/users/unlock", **{"user[email]": known})
        assert "we sent an email with a link" in page.text
    world.run_jobs()
    assert (box.addresses().count(address), "nobody@example.com" in box.addresses()) == (2, False)
    assert "unlock_token" in first
    assert other.open(first.replace("unlock_token=gA", "unlock_token=gB")).status == 404
    assert world.admin.ok("GET", place)["locked"] is True  # looking changes nothing
    assert "Your account is unlocked" in other.send(other.open(first), "/users/unlock").text
    assert other.open(first).status == 404
    assert world.admin.ok("GET", place)["locked"] is False
    with world.server.services.db.write() as tx:
        tx.execute(delete(rate_windows))  # as after a minute
    assert Browser(world.server).sign_in(person.username, PASSWORD, return_to="/dashboard/todos").status == 200


def test_a_session_lasts_as_the_instance_says_or_two_weeks(mailing: tuple[World, Mailbox]) -> None:
    world, _ = mailing
    person = world.user(password=PASSWORD, force_random_password=False)

    def lifetime(**more: str) -> int:
        """Seconds that the cookie and the session in the database have, which agree."""
        browser = Browser(world.server)
        browser.http.follow_redirects = False
        page = browser.open("/users/sign_in")
        fields = {"user[login]": person.username, "user[password]": PASSWORD, **more}
        cookie = browser.send(page, "/users/sign_in", **fields).response.headers["set-cookie"]
        seconds = int(cookie.partition("Max-Age=")[2].partition(";")[0])
        with world.server.services.db.read() as conn:
            mine = select(sessions).where(sessions.c.user_id == person.id).order_by(sessions.c.created_at.desc())
            row = conn.execute(mine.limit(1)).one()
        assert row.expires_at - row.created_at <= timedelta(seconds=seconds + 1)
        assert row.expires_at - row.created_at > timedelta(seconds=seconds - 60)
        assert ("remembered" in row.details) is (seconds == 14 * 24 * 3600)
        return seconds

    try:
        assert lifetime() == 10080 * 60
        assert lifetime(**{"user[remember_me]": "1"}) == 14 * 24 * 3600
        world.admin.ok("PUT", "/application/settings", json={"session_expire_delay": 30, "remember_me_enabled": False})
        assert lifetime(**{"user[remember_me]": "1"}) == 30 * 60
        assert "Remember me" not in Browser(world.server).open("/users/sign_in").text
    finally:
        world.admin.ok("PUT", "/application/settings", json={"session_expire_delay": None, "remember_me_enabled": None})


def test_using_a_session_extends_it_and_its_cookie(mailing: tuple[World, Mailbox]) -> None:
    world, _ = mailing
    person = world.user(password=PASSWORD, force_random_password=False)
    browser = Browser(world.server)
    browser.sign_in(person.username, PASSWORD)
    mine = sessions.c.user_id == person.id

    def open_after(days: int, age: int) -> tuple[bool, timedelta]:
        """Whether the cookie is set again, and how long the session lasts, in days after its creation."""
        with world.server.services.db.write() as tx:
            old = {"created_at": now() - timedelta(days=age), "expires_at": now() + timedelta(days=days)}
            tx.execute(update(sessions).where(mine).values(old))
        response = browser.open("/dashboard/todos").response
        with world.server.services.db.read() as conn:
            until = conn.execute(select(sessions.c.expires_at).where(mine)).scalar_one()
        return "_ingot_session" in response.headers.get("set-cookie", ""), until - now()

    assert open_after(7, 0)[0] is False  # at most once an hour
    is_set, rest = open_after(3, 4)
    assert (is_set, rest > timedelta(days=6)) == (True, True)
    is_set, rest = open_after(3, 27)
    assert (is_set, rest < timedelta(days=4)) == (False, True)  # it ends after a month
    with world.server.services.db.write() as tx:
        details = tx.execute(select(sessions.c.details).where(mine)).scalar_one()
        tx.execute(update(sessions).where(mine).values(details={**details, "remembered": True}))
    assert open_after(3, 27)[0] is True
