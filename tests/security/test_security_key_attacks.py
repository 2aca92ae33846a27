"""Attacks on security keys: answers for another page or host, copied keys, replay, and keys of somebody else."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.security_key import SecurityKey
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit
from tests.web.test_two_factor import PASSWORD, PLACE, is_signed_in, person, shown_codes

pytestmark = pytest.mark.costly

__all__ = ["person"]


def asked(page: Visit, kind: str = "request") -> str:
    """What the page asks of a key."""
    return str(page.tree.find(f".//form[@data-key-{kind}]").get(f"data-key-{kind}"))


def register(browser: Browser, key: SecurityKey, origin: str = "") -> Visit:
    page = browser.open(PLACE)
    answer = key.create(asked(page, "creation"), origin or browser.server.url)
    return browser.send(page, "/keys", key_name="Stick", current_password=PASSWORD, device_response=answer)


def answer_with(browser: Browser, page: Visit, answer: str) -> Visit:
    return browser.send(page, "/users/sign_in", **{"user[device_response]": answer})


def test_a_key_counts_only_for_its_page_host_challenge_and_owner(world: World, person: Person) -> None:
    here, key = world.server.url, SecurityKey()
    browser = Browser(world.server)
    browser.enter_by_link(person.username)
    assert register(browser, key, "https://evil.example").status == 422
    assert len(shown_codes(register(browser, key))) == 10
    assert register(browser, key).status == 422  # nobody registers it again
    other = world.user(password=PASSWORD, force_random_password=False)
    thief = Browser(world.server)
    thief.enter_by_link(other.username)
    assert register(thief, key).status == 422

    visitor = Browser(world.server)
    page = visitor.enter_by_link(person.username)
    foreign = Browser(world.server).enter_by_link(person.username)
    for answer in (
        key.sign(asked(page), "https://evil.example"),
        key.sign(asked(page), here, host="evil.example"),
        key.sign(asked(foreign), here),
        SecurityKey().sign(asked(page), here),
    ):
        assert answer_with(visitor, page, answer).status == 401
    assert not is_signed_in(visitor)


def test_a_copied_key_and_a_replayed_answer_are_refused(world: World, person: Person) -> None:
    key = SecurityKey()
    browser = Browser(world.server)
    browser.enter_by_link(person.username)
    register(browser, key)
    page = browser.enter_by_link(person.username)
    answer = key.sign(asked(page), world.server.url)

    answer_with(browser, page, answer)

    assert is_signed_in(browser)
    again = Browser(world.server)
    page = again.enter_by_link(person.username)
    assert answer_with(again, page, answer).status == 401
    key.counter = 1  # the next answer repeats a counter, as a copy of the key would
    assert answer_with(again, page, key.sign(asked(page), world.server.url)).status == 401
    for rubbish in (
        "{}",
        '{"id":"AA","rawId":"é","type":"public-key","response":{}}',
        "[]",
        "[" * 15_000,
        "x" * 30_000,
    ):
        assert answer_with(again, page, rubbish).status in (401, 429)
    assert not is_signed_in(again)


def test_of_the_same_answer_sent_at_once_one_counts(world: World, person: Person) -> None:
    key = SecurityKey()
    owner = Browser(world.server)
    owner.enter_by_link(person.username)
    key.counter = 0
    register(owner, key)
    browsers = [Browser(world.server) for _ in range(4)]
    page = browsers[0].enter_by_link(person.username)
    key.counter = -1  # keys without a counter always say 0
    answer = key.sign(asked(page), world.server.url)
    for other in browsers[1:]:
        other.http.cookies.update(browsers[0].http.cookies)

    with ThreadPoolExecutor(len(browsers)) as pool:
        list(pool.map(lambda browser: answer_with(browser, page, answer), browsers))

    assert [is_signed_in(browser) for browser in browsers].count(True) == 1


def test_the_last_key_takes_the_recovery_codes_with_it(world: World, person: Person) -> None:
    browser, key = Browser(world.server), SecurityKey()
    browser.enter_by_link(person.username)
    codes = shown_codes(register(browser, key))

    page = browser.open(PLACE)
    assert browser.send(page, "/remove", current_password="guess").status == 422
    assert "Turn on" in browser.send(page, "/remove", current_password=PASSWORD).text

    assert len(codes) == 10
    assert world.admin.ok("GET", f"/users/{person.id}")["two_factor_enabled"] is False
    other = Browser(world.server)
    other.enter_by_link(person.username)
    assert is_signed_in(other)
