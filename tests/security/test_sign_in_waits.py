"""Whoever goes on with wrong passwords waits longer each time, whether the account exists or not; others do not."""

import pytest
from sqlalchemy import delete, insert, select

from ingot.kit.rate_windows import rate_windows
from tests.support.world import World
from tests.web.browsing import Browser, Visit

PASSWORD = "correct horse battery"


def let_time_pass(world: World, seconds: int) -> None:
    """Waits began so much earlier, and the minutes in which attempts were counted are over."""
    key = rate_windows.c.key
    with world.server.services.db.write() as tx:
        is_wait = key.startswith("sign_in_wait:", autoescape=True)
        waits = [dict(row) for row in tx.execute(select(rate_windows).where(is_wait)).mappings()]
        for counted in ("sign_in_wait:", "sign_in:", "password:"):
            tx.execute(delete(rate_windows).where(key.startswith(counted, autoescape=True)))
        # Not changed in place: one wait may come to where another of the same key still is.
        for wait in waits:
            tx.execute(insert(rate_windows).values({**wait, "starts_at": wait["starts_at"] - seconds}))


@pytest.fixture
def browser(world: World) -> Browser:
    """Of one address: waits are counted by it."""
    return Browser(world.server)


def tries(browser: Browser, login: str, number: int, password: str = "wrong") -> list[Visit]:
    visits = [browser.sign_in(login, password) for _ in range(number)]
    browser.http.cookies.clear()
    return visits


def begin_wait(world: World, browser: Browser, login: str) -> Visit:
    """Try until the first wait begins; a minute may end in between."""
    let_time_pass(world, 60)
    for _ in range(20):
        answer = tries(browser, login, 1)[0]
        if answer.status == 429:
            return answer
        assert answer.status == 401
    raise AssertionError("nobody had to wait")


@pytest.mark.parametrize("is_known", [True, False])
def test_each_failure_after_a_wait_begins_a_longer_one(world: World, browser: Browser, is_known: bool) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    login = person.username if is_known else f"no-{person.username}"

    refused = begin_wait(world, browser, login)
    for minutes, words in ((1, "a minute"), (2, "2 minutes"), (4, "4 minutes"), (8, "8 minutes"), (15, "15 minutes")):
        seconds = int(refused.response.headers["retry-after"])
        assert 60 * minutes - 60 < seconds <= 60 * minutes
        assert f"Too many attempts. Wait {words}, then try again." in refused.text
        # The right password is not looked at meanwhile.
        assert tries(browser, login, 1, PASSWORD)[0].status == 429
        let_time_pass(world, 60 * minutes)
        assert tries(browser, login, 1)[0].status == 401
        refused = tries(browser, login, 1)[0]
        assert refused.status == 429
    assert 840 < int(refused.response.headers["retry-after"]) <= 900


def test_the_right_password_after_a_wait_begins_anew(world: World, browser: Browser) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    begin_wait(world, browser, person.username)
    let_time_pass(world, 60)

    assert tries(browser, person.username, 1, PASSWORD)[0].status == 200

    let_time_pass(world, 60)
    assert [visit.status for visit in tries(browser, person.username, 2)] == [401, 401]


def test_an_hour_without_attempts_begins_anew(world: World, browser: Browser) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    begin_wait(world, browser, person.username)

    let_time_pass(world, 60 + 3600)

    assert [visit.status for visit in tries(browser, person.username, 2)] == [401, 401]


def test_wrong_passwords_from_elsewhere_do_not_keep_the_owner_out(world: World, browser: Browser) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    begin_wait(world, browser, person.username)
    for minutes in (1, 2):
        let_time_pass(world, 60 * minutes)
        tries(browser, person.username, 1)
    assert tries(browser, person.username, 1, PASSWORD)[0].status == 429

    assert Browser(world.server).sign_in(person.username, PASSWORD).status == 200
    # That the owner has come in ends no wait of the other address.
    assert tries(browser, person.username, 1)[0].status == 429


def test_a_minute_that_others_have_used_up_begins_no_wait(world: World, browser: Browser) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    begin_wait(world, browser, person.username)

    for _ in range(2):
        Browser(world.server).sign_in(person.username, PASSWORD)
    let_time_pass(world, 0)  # the minute is over, and the wait is not

    assert tries(browser, person.username, 1)[0].status == 429
    assert Browser(world.server).sign_in(person.username, PASSWORD).status == 200


def test_the_name_of_nobody_is_not_the_number_of_somebody(world: World, browser: Browser) -> None:
    person = world.user(password=PASSWORD, force_random_password=False)
    begin_wait(world, browser, str(person.id))

    assert tries(browser, person.username, 1)[0].status == 401
