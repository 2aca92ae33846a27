"""Attacks on mailed links: other purposes, old addresses, guesses, floods of mails, addresses that nobody proved."""

from collections.abc import Iterator

import pytest

from ingot.identity.authentication import user_by_name_or_id
from ingot.identity.mail_tokens import CONFIRM, INVITE, RESET, issue_token, reset_proof
from tests.support.databases import Databases
from tests.support.mailbox import Mailbox, mailing_world
from tests.support.world import Person, World
from tests.web.browsing import Browser
from tests.web.test_registration import PASSWORD, open_registration, register

pytestmark = pytest.mark.costly


@pytest.fixture(scope="module")
def mailing(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, Mailbox]]:
    with mailing_world(databases, tmp_path_factory.mktemp("links")) as pair:
        yield pair


def reset_token(world: World, person: Person) -> str:
    with world.server.services.db.read() as conn:
        user = user_by_name_or_id(conn, person.username)
    assert user is not None
    return issue_token(world.server.services, RESET, user.id, reset_proof(user))


def ask_for_reset(world: World, address: str) -> str:
    browser = Browser(world.server)
    page = browser.send(browser.open("/users/password/new"), "/users/password", **{"user[email]": address})
    assert page.status == 200
    return page.text


def test_a_link_serves_its_own_purpose_only(mailing: tuple[World, Mailbox]) -> None:
    world, _ = mailing
    person, services, browser = world.user(), mailing[0].server.services, Browser(mailing[0].server)
    good = reset_token(world, person)
    confirm = issue_token(services, CONFIRM, person.id, f"{person.username}@example.com")

    assert browser.open(f"/users/password/edit?reset_password_token={good}").status == 200
    for bad in (confirm, good[:-1], good[:-6] + "AAAA==", "", "x", "x" * 5000):
        assert browser.open(f"/users/password/edit?reset_password_token={bad}").status == 404
    for bad in (good, confirm):  # of another purpose; of an address that is confirmed already
        assert browser.open(f"/users/confirmation?confirmation_token={bad}").status == 404
    world.admin.ok("PUT", "/application/settings", json={"signup_enabled": False})
    forged = issue_token(services, INVITE, 999_999, "nobody@example.com")
    assert browser.open(f"/users/sign_up?invite={forged}").status == 404


def test_a_link_dies_with_the_address_the_password_and_the_account(mailing: tuple[World, Mailbox]) -> None:
    world, _ = mailing
    changes: list[dict[str, object]] = [
        {"email": f"{world.name('moved')}@example.com", "skip_reconfirmation": True},
        {"password": "Another-Phrase-99"},
    ]
    browser = Browser(world.server)

    for change in changes:
        person = world.user()
        link = f"/users/password/edit?reset_password_token={reset_token(world, person)}"
        assert browser.open(link).status == 200
        world.admin.ok("PUT", f"/users/{person.id}", json=change)
        assert browser.open(link).status == 404
    blocked = world.user()
    link = f"/users/password/edit?reset_password_token={reset_token(world, blocked)}"
    world.admin.ok("POST", f"/users/{blocked.id}/block")
    assert browser.open(link).status == 404


def test_asking_tells_nobody_who_has_an_account_and_floods_nobody(mailing: tuple[World, Mailbox]) -> None:
    world, box = mailing
    person, unproved = world.user(), world.user(skip_confirmation=False)
    address = f"{person.username}@example.com"

    answers = {
        ask_for_reset(world, text)
        for text in (address, "nobody@example.com", f"{unproved.username}@example.com", "a@b\r\nBcc: c@d")
    }
    for _ in range(9):
        ask_for_reset(world, address)
    world.run_jobs()

    assert len(answers) == 1
    assert 1 <= box.addresses().count(address) <= 6  # three an hour; the hour may turn in between
    assert f"{unproved.username}@example.com" not in box.addresses()


def test_registering_grants_nothing_by_hidden_fields_or_unproved_addresses(mailing: tuple[World, Mailbox]) -> None:
    world, _ = mailing
    open_registration(world, approval=False)
    group, username = world.group(), world.name("sly")
    address = f"{username}@example.com"
    world.admin.ok("POST", f"/groups/{group['id']}/invitations", json={"email": address, "access_level": 30})

    register(Browser(world.server), username, admin="true", is_admin="1", state="active", confirmed_at="2020-01-01")

    row = world.admin.ok("GET", f"/users?username={username}")[0]
    assert (row["is_admin"], row["confirmed_at"]) == (False, None)
    members = world.admin.ok("GET", f"/groups/{group['id']}/members")
    assert username not in {member["username"] for member in members}


def test_people_of_a_directory_get_no_password_here(mailing: tuple[World, Mailbox]) -> None:
    """It would open the account after the directory has closed it."""
    world, box = mailing
    person = world.user(password=PASSWORD, force_random_password=False)
    project = world.project(person, initialize_with_readme=True)
    link = f"/users/password/edit?reset_password_token={reset_token(world, person)}"
    entry = {"provider": "ldapmain", "extern_uid": f"uid={person.username},dc=corp"}
    world.admin.ok("PUT", f"/users/{person.id}", json=entry)

    ask_for_reset(world, f"{person.username}@example.com")
    world.run_jobs()
    browser = Browser(world.server)
    git = f"/{project['path_with_namespace']}.git/info/refs?service=git-upload-pack"

    assert f"{person.username}@example.com" not in box.addresses()
    assert browser.open(link).status == 404
    assert browser.sign_in(person.username, PASSWORD).status == 401
    assert browser.http.get(git, auth=(person.username, PASSWORD)).status_code == 401
    form = browser.enter_by_link(person.username)
    assert "managed by the directory" in form.text
    token = browser.open("/-/user_settings/ssh_keys").tree.find(".//input[@name='authenticity_token']")
    assert token is not None
    sent = {"password": "Another-Phrase-99", "password_confirmation": "Another-Phrase-99"}
    sent["authenticity_token"] = token.get("value") or ""
    assert browser.http.post("/-/user_settings/password", data=sent).status_code == 403
    assert world.admin.delete(f"/users/{person.id}/identities/ldapmain").status_code == 204
    assert Browser(world.server).sign_in(person.username, PASSWORD).path == "/"


def test_a_reset_needs_the_token_of_its_form(mailing: tuple[World, Mailbox]) -> None:
    world, _ = mailing
    person = world.user(password="Former-Words-12", force_random_password=False)
    fields = {
        "reset_password_token": reset_token(world, person), "password": PASSWORD, "password_confirmation": PASSWORD,
    }  # fmt: skip

    forged = Browser(world.server).http.post("/users/password/edit", data=fields)

    assert forged.status_code in (403, 422)
    assert Browser(world.server).sign_in(person.username, PASSWORD).status == 401
