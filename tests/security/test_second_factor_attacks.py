"""Attacks on the second step of signing in: replay, guessing, skipping it, and forged set-up forms."""

import pytest

from ingot.features.people.user_pages import SESSION_COOKIE
from ingot.identity import second_factors, sessions
from tests.support.waiting import until
from tests.support.world import Person, World
from tests.web.browsing import Browser
from tests.web.test_two_factor import (
    PASSWORD,
    PLACE,
    code_now,
    enter_code,
    is_signed_in,
    person,
    shown_secret,
    switch_on,
)

pytestmark = pytest.mark.costly

__all__ = ["person"]


def test_a_code_that_was_used_is_refused(world: World, person: Person) -> None:
    secret, _ = switch_on(world, person)
    code = code_now(secret, 1)
    first, second = Browser(world.server), Browser(world.server)
    page = second.enter_by_link(person.username)

    enter_code(first, first.enter_by_link(person.username), code)

    assert is_signed_in(first)
    assert enter_code(second, page, code).status == 401
    assert enter_code(second, page, code_now(secret, -1)).status == 401  # older than the last one
    assert not is_signed_in(second)


def test_the_first_step_alone_opens_nothing(world: World, person: Person) -> None:
    switch_on(world, person)
    browser = Browser(world.server)
    page = browser.enter_by_link(person.username)
    pending = page.tree.find(".//input[@name='second_step']")
    assert pending is not None
    clear = pending.get("value") or ""

    browser.http.cookies.set(SESSION_COOKIE, clear)

    assert not is_signed_in(browser)
    with world.server.services.db.read() as conn:
        assert sessions.find_session(conn, clear) is None
        assert sessions.find_link(conn, clear) is None


def test_codes_cannot_be_guessed(world: World, person: Person) -> None:
    switch_on(world, person)
    browser = Browser(world.server)
    page = browser.enter_by_link(person.username)

    assert until(lambda: enter_code(browser, page, "123456").status == 429)
    assert not is_signed_in(browser)


def test_odd_codes_get_the_same_answer(world: World, person: Person) -> None:
    switch_on(world, person)
    browser = Browser(world.server)
    page = browser.enter_by_link(person.username)

    for code in ("\uff11\uff12\uff13\uff14\uff15\uff16", "x" * 100_000):
        assert enter_code(browser, page, code).status == 401
    stale = browser.send(page, "/users/sign_in", **{"user[otp_attempt]": "123456", "second_step": "guess"})
    assert stale.status == 401


def test_a_set_up_form_of_somebody_else_is_refused(world: World, person: Person) -> None:
    other = world.user(password=PASSWORD, force_random_password=False)
    attacker, victim = Browser(world.server), Browser(world.server)
    attacker.enter_by_link(other.username)
    victim.enter_by_link(person.username)
    foreign = attacker.open(PLACE)
    sealed = next(field.get("value") for field in foreign.tree.iter("input") if field.get("name") == "sealed") or ""
    secret = shown_secret(foreign)

    assert sealed
    for value in (sealed, "", "x"):
        reply = victim.send(
            victim.open(PLACE), PLACE, sealed=value, pin_code=code_now(secret), current_password=PASSWORD
        )
        assert reply.status == 422
    with world.server.services.db.read() as conn:
        assert not second_factors.has_second_factor(conn, person.id)


def test_switching_it_on_needs_the_password_and_ends_other_sessions(world: World, person: Person) -> None:
    thief = Browser(world.server)
    thief.enter_by_link(person.username)
    page = thief.open(PLACE)
    secret = shown_secret(page)

    assert thief.send(page, PLACE, pin_code=code_now(secret), current_password="guess").status == 422
    owner = Browser(world.server)
    owner.enter_by_link(person.username)
    page = owner.open(PLACE)
    owner.send(page, PLACE, pin_code=code_now(shown_secret(page), 1), current_password=PASSWORD)
    assert is_signed_in(owner)
    assert not is_signed_in(thief)
