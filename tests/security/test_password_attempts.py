"""Guessing passwords: every door counts the same attempts, and an identity provider's session sets no password."""

import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, update

from ingot.features.people.user_pages import SESSION_COOKIE
from ingot.identity import sessions
from ingot.identity.logins import find_by_login, has_password
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.networks import subscriber_of
from ingot.kit.rate_windows import rate_windows
from tests.support.waiting import until
from tests.support.world import Person, World
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly

PASSWORD = "Right-Password-47"


@pytest.fixture
def person(world: World) -> Person:
    return world.user(password=PASSWORD, force_random_password=False)


def attempts(world: World, person: Person) -> int:
    """How often the person's password was tried, in windows that have ended too."""
    tried = select(func.sum(rate_windows.c.observed)).where(rate_windows.c.key == f"password:{person.id}")
    with world.server.services.db.read() as conn:
        return int(conn.execute(tried).scalar_one() or 0)


def refused_in_time(guess: Callable[[], int]) -> bool:
    """Guessing is refused sooner or later; a slow machine may see a minute end before."""
    return until(lambda: guess() == 429)


def test_name_and_address_of_a_person_are_one_account(world: World, person: Person) -> None:
    for login in (person.username, f"{person.username}@example.com"):
        assert Browser(world.server).sign_in(login, "wrong").status == 401

    assert attempts(world, person) == 2
    assert refused_in_time(lambda: Browser(world.server).sign_in(person.username, "wrong").status)


def test_the_current_password_cannot_be_guessed(world: World, person: Person) -> None:
    browser = Browser(world.server)
    browser.sign_in(person.username, PASSWORD)
    form = browser.open("/-/user_settings/password/edit")
    new = {"password": "Other-Password-48", "password_confirmation": "Other-Password-48"}

    def guess() -> int:
        return browser.send(form, "/password", current_password="guess", **new).status

    assert guess() == 422
    assert attempts(world, person) == 2  # signing in was the first
    assert refused_in_time(guess)


def test_the_password_of_an_approval_cannot_be_guessed(world: World, person: Person) -> None:
    project: dict[str, Any] = world.project(initialize_with_readme=True)
    world.member(project, person, "developer")
    place = f"/projects/{project['id']}"
    world.admin.ok("POST", f"{place}/approvals", json={"require_password_to_approve": True})
    path = f"{place}/merge_requests/{world.merge_request(project)['iid']}/approve"

    def guess() -> int:
        return person.client.post(path, json={"approval_password": "guess"}).status_code

    assert guess() == 401
    assert attempts(world, person) == 1
    assert refused_in_time(guess)


@pytest.mark.parametrize("is_of_provider", [True, False])
def test_a_session_of_an_identity_provider_sets_no_first_password(world: World, is_of_provider: bool) -> None:
    person = world.user()
    details = {"saml_provider_id": 1} if is_of_provider else {}
    with world.server.services.db.write() as tx:
        clear = sessions.open_session(tx, person.id, now() + timedelta(days=1), details)
    browser = Browser(world.server)
    browser.http.cookies.set(SESSION_COOKIE, clear)
    form = browser.open("/-/user_settings/password/edit")

    sent = browser.send(form, "/password", password=PASSWORD, password_confirmation=PASSWORD)

    assert (sent.status, sent.path == "/-/user_settings/password") == ((422, True) if is_of_provider else (200, False))
    assert ("Ask an administrator for a sign-in link" in sent.text) is is_of_provider
    entered = Browser(world.server).sign_in(person.username, PASSWORD)
    assert entered.status == (401 if is_of_provider else 200)


def test_the_time_of_an_answer_does_not_tell_who_is_there(world: World, person: Person) -> None:
    without_password = world.user()
    with world.server.services.db.write() as tx:
        tx.execute(update(users).where(users.c.id == without_password.id).values(password_hash=None))
    hashes: list[object] = []

    def count(_frame: object, event: str, called: object) -> None:
        if event == "c_call" and getattr(called, "__name__", "") == "scrypt":
            hashes.append(called)

    def tries(login: str) -> tuple[bool, int]:
        """Whether it is the password, and how many hashes were made to know it."""
        with world.server.services.db.read() as conn:
            row = find_by_login(conn, login)
        hashes.clear()
        sys.setprofile(count)
        try:
            is_right = has_password(row, PASSWORD)
        finally:
            sys.setprofile(None)
        return is_right, len(hashes)

    tries("nobody-is-called-so")  # the first time, what nobody has is hashed as well
    assert tries(person.username) == (True, 1)
    assert tries("nobody-is-called-so") == (False, 1)
    assert tries(without_password.username) == (False, 1)


def test_addresses_of_one_ipv6_network_are_one_caller() -> None:
    assert subscriber_of("2001:db8:1:2::1") == subscriber_of("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert subscriber_of("2001:db8:1:3::1") != subscriber_of("2001:db8:1:2::1")
    assert subscriber_of("::ffff:192.0.2.1") == subscriber_of("192.0.2.1") == "192.0.2.1"
