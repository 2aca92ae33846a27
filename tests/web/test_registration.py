"""Registration with confirmation, approval and invitations, and new passwords by mail."""

from collections.abc import Iterator

import pytest

from tests.support.databases import Databases
from tests.support.mailbox import Mailbox, mailing_world
from tests.support.world import World
from tests.web.browsing import Browser, Visit

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

    assert "Open the link that was mailed to you" in page.text
    refused = browser.sign_in(username, PASSWORD)
    assert (refused.status, "confirm your email address" in refused.text) == (403, True)
    link = box.link(f"{username}@example.com")
    assert world.admin.ok("GET", f"/users?username={username}")[0]["confirmed_at"] is None  # looking changes nothing
    confirmed = browser.send(browser.open(link), "/users/confirmation")
    assert "Your address is confirmed" in confirmed.text
    assert browser.open(link).status == 404
    assert browser.sign_in(username, PASSWORD, return_to="/dashboard/todos").path == "/dashboard/todos"
    row = world.admin.ok("GET", f"/users?username={username}")[0]
    assert (row["state"], row["is_admin"], row["confirmed_at"] is None) == ("active", False, False)


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

    assert browser.open("/users/sign_up").status == 404
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


def test_bad_values_are_shown_with_the_form(mailing: tuple[World, Mailbox]) -> None:
    world, _ = mailing
    open_registration(world, approval=False)
    browser = Browser(world.server)

    short = register(browser, world.name("short"), password="x")
    taken = register(browser, "root")

    assert (short.status, "Password is too short" in short.text) == (422, True)
    assert (taken.status, "Username has already been taken." in taken.text) == (422, True)


def test_a_forgotten_password_is_replaced_by_a_mailed_link(mailing: tuple[World, Mailbox]) -> None:
    world, box = mailing
    person = world.user(password="Former-Words-12", force_random_password=False)
    address = f"{person.username}@example.com"
    other = Browser(world.server)
    other.enter_by_link(person.username)
    browser = Browser(world.server)

    page = browser.send(browser.open("/users/password/new"), "/users/password", **{"user[email]": address.upper()})
    world.run_jobs()
    link = box.link(address)
    fields = {"password": PASSWORD, "password_confirmation": PASSWORD}
    done = browser.send(browser.open(link), "/users/password/edit", **fields)

    assert "a mail with a link is on its way" in page.text
    assert "Your password is changed" in done.text
    assert browser.open(link).status == 404  # it works once
    assert other.open("/-/user_settings/active_sessions").path == "/users/sign_in"
    assert browser.sign_in(person.username, PASSWORD, return_to="/dashboard/todos").path == "/dashboard/todos"
    recorded = world.admin.ok("GET", f"/audit_events?entity_type=User&entity_id={person.id}")
    assert "user_password_updated" in [event["event_name"] for event in recorded]
