"""Signing in by a directory, against a real slapd: new and known people, wrong passwords, and injected filters."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from ingot.features.people.ldap.directory import DirectoryUnavailable, authenticate, has_directory_password
from ingot.identity import second_factors
from ingot.kit.clock import now
from ingot.kit.rate_windows import rate_windows
from ingot.settings import Settings
from tests.features.people.ldap.directory import BASE, Directory, running_directory, write_certificates
from tests.support.databases import Databases
from tests.support.faults import no_listener_fails
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World
from tests.web.browsing import Browser, Visit

CALLBACK = "/users/auth/ldapmain/callback"
CONFIRM = "/-/user_settings/confirm_access"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Directory]:
    with running_directory(tmp_path_factory.mktemp("directory")) as running:
        yield running


@pytest.fixture(scope="module")
def server(
    databases: Databases, directory: Directory, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    """A server that asks a directory, encrypted by StartTLS."""
    data = tmp_path_factory.mktemp("data")
    options = {
        "ldap_url": directory.url, "ldap_ca_file": directory.authority,
        "ldap_base": BASE, "ldap_bind_dn": f"cn=admin,{BASE}",
        "ldap_bind_password": "admin-password", "ldap_filter": "(employeeType=staff)", "ldap_label": "Corp",
    }  # fmt: skip
    with no_listener_fails(), RunningServer(databases.fresh(data), data, **options) as running:
        World(running).admin.ok(
            "PUT", "/application/settings", json={"require_admin_approval_after_user_signup": False}
        )
        yield running


def sign_in(browser: Browser, name: str, password: str, return_to: str = "/dashboard/todos") -> Visit:
    page = browser.open(f"/users/sign_in?return_to={return_to}")
    return browser.send(page, CALLBACK, username=name, password=password)


def is_signed_in(browser: Browser) -> bool:
    return browser.open("/-/user_settings/active_sessions").path.endswith("active_sessions")


def test_people_of_the_directory_get_an_account_and_come_back_to_it(world: World) -> None:
    page = sign_in(Browser(world.server), "ada", "ada-password")

    assert page.path == "/dashboard/todos"
    row = world.admin.ok("GET", "/users?username=ada")[0]
    detail = world.admin.ok("GET", f"/users/{row['id']}")
    assert (detail["name"], detail["email"]) == ("Ada", "ada@corp.example")
    identity = detail["identities"][0]
    assert (identity["provider"], identity["extern_uid"]) == ("ldapmain", f"uid=ada,ou=people,{BASE}")
    again = Browser(world.server)
    sign_in(again, "ADA", "ada-password")
    assert is_signed_in(again)
    assert len(world.admin.ok("GET", "/users?search=ada@corp.example")) == 1
    world.admin.ok("POST", f"/users/{row['id']}/block")
    refused = sign_in(Browser(world.server), "ada", "ada-password")
    assert (refused.status, "blocked" in refused.text) == (403, True)


def test_the_password_of_the_directory_proves_who_somebody_is(world: World) -> None:
    browser = Browser(world.server)
    sign_in(browser, "finn", "finn-password")
    browser.set_proof(now() - timedelta(minutes=11))
    tokens = "/-/user_settings/personal_access_tokens"

    asked = browser.send(browser.open(tokens), tokens, name="laptop", scope_read_api="1")

    assert (asked.status, "Confirm access" in asked.text, "Corp password" in asked.text) == (401, True, True)
    for wrong in ("", "wrong", "ben-password"):
        assert browser.send(asked, CONFIRM, **{"user[password]": wrong}).status == 401
    again = browser.send(asked, CONFIRM, **{"user[password]": "finn-password"})
    assert (again.status, "Submit the form again?" in again.text) == (200, True)
    issued = browser.send(again, tokens)
    assert (issued.status, issued.tree.xpath("//input[@id='token']/@value")[0][:6]) == (200, "glpat-")


def test_an_administrator_of_the_directory_enters_admin_mode_with_its_password(world: World) -> None:
    browser = Browser(world.server)
    sign_in(browser, "greta", "greta-password")
    root = world.server.client(world.token(1, ["api", "admin_mode"]))
    number = root.ok("GET", "/users?username=greta")[0]["id"]
    root.ok("PUT", f"/users/{number}", json={"admin": True})
    root.ok("PUT", "/application/settings", json={"admin_mode": True})
    try:
        page = browser.open("/admin/users")
        assert (page.path, "Corp password" in page.text) == ("/admin/session/new", True)
        refused = browser.send(page, "/admin/session", **{"user[password]": "wrong"})
        assert (refused.status, "Invalid login or password." in refused.text) == (401, True)
        assert browser.send(page, "/admin/session", **{"user[password]": "greta-password"}).path == "/admin/users"
        # The second factor is asked for besides.
        browser.send(browser.open("/"), "/admin/session/destroy")
        with world.server.services.db.write() as tx:
            secret = second_factors.new_secret()
            codes = second_factors.enable(tx, world.server.services, number, secret, 0)
        page = browser.open("/admin")
        both = {"user[password]": "greta-password", "user[otp_attempt]": "000000"}
        assert browser.send(page, "/admin/session", **both).status == 401
        both["user[otp_attempt]"] = codes[0]
        assert browser.send(page, "/admin/session", **both).path == "/admin"
    finally:
        root.ok("PUT", "/application/settings", json={"admin_mode": False})


def test_only_who_may_still_come_in_proves_anything_with_the_password(world: World) -> None:
    own, ben = world.server.services.settings, f"uid=ben,ou=people,{BASE}"

    def proves(subject: str, password: str = "ben-password", settings: Settings = own) -> bool:
        return has_directory_password(settings, subject, password, lambda _: False)

    assert [proves(ben), proves(ben.upper())] == [True, True]
    assert [proves(ben, "wrong"), proves(ben, ""), proves(f"uid=ada,ou=people,{BASE}")] == [False] * 3
    assert [proves("ben"), proves(""), proves(f"uid=nobody,ou=people,{BASE}"), proves(BASE)] == [False] * 4
    assert not proves(ben, settings=replace(own, ldap_filter="(employeeType=visitor)"))
    assert not proves(ben, settings=replace(own, ldap_base=f"ou=elsewhere,{BASE}"))
    with pytest.raises(DirectoryUnavailable):
        proves(ben, settings=replace(own, ldap_bind_password="wrong"))


def test_wrong_names_and_passwords_are_refused_alike(world: World) -> None:
    for name, password in (("ben", "wrong"), ("nobody", "x"), ("guest", "guest-password")):
        page = sign_in(Browser(world.server), name, password)
        assert (page.status, "Invalid login or password." in page.text) == (401, True), name


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("*", "ben-password"), ("b*", "ben-password"), ("ben)(uid=*", "ben-password"), ("*)(|(uid=*", "ben-password"),
        ("ben\\2a", "ben-password"), ("ben,ou=people", "ben-password"), ("guest)(employeeType=*", "guest-password"),
        ("*))%00", "ben-password"), ("ben\x00", "ben-password"), ("ben", "ben-password\x00"),
    ],
)  # fmt: skip
def test_what_people_type_is_never_a_filter(world: World, name: str, password: str) -> None:
    browser = Browser(world.server)

    page = sign_in(browser, name, password)

    assert page.status in (400, 401)
    assert not is_signed_in(browser)


def test_other_spellings_of_a_name_are_attempts_at_the_same_entry(world: World) -> None:
    """The directory takes letters of full width for plain ones."""
    spellings = [f"{first}{second}{third}a" for first in "d\uff44" for second in "o\uff4f" for third in "r\uff52"]

    answers = [sign_in(Browser(world.server), name, "wrong").status for name in spellings]

    assert set(answers) <= {401, 429}
    assert attempts(world, "dora") == len(spellings)
    # A slow machine may see a minute end before; guessing is refused sooner or later.
    again = itertools.cycle(spellings)
    assert until(lambda: sign_in(Browser(world.server), next(again), "wrong").status == 429)


def attempts(world: World, name: str) -> int:
    """How often the password of an entry was tried, in windows that have ended too."""
    key = f"password:ldap entry:uid={name},ou=people,{BASE}"
    tried = select(func.sum(rate_windows.c.observed)).where(rate_windows.c.key == key)
    with world.server.services.db.read() as conn:
        return int(conn.execute(tried).scalar_one() or 0)


def test_an_empty_password_is_no_password(world: World) -> None:
    """Many directories take a name without a password for a connection of nobody, and say yes."""
    browser = Browser(world.server)

    assert sign_in(browser, "ben", "").status == 401
    assert not is_signed_in(browser)


def test_an_address_is_not_enough_to_get_into_an_account(world: World) -> None:
    world.user("cleopatra", email="cleo@corp.example")

    page = sign_in(Browser(world.server), "cleo", "cleo-password")

    assert (page.status, "An account with your email address already exists." in page.text) == (403, True)


def test_nobody_is_sent_elsewhere_and_forms_are_checked(world: World) -> None:
    browser = Browser(world.server)

    assert sign_in(browser, "ben", "ben-password", "https://evil.example/").path == "/"
    stranger = Browser(world.server)
    assert stranger.http.post(CALLBACK, data={"username": "ben", "password": "ben-password"}).status_code == 403


def test_the_directory_is_asked_by_ldaps_and_must_prove_its_name(
    world: World, directory: Directory, tmp_path: Path
) -> None:
    own = world.server.services.settings
    foreign = str(write_certificates(tmp_path))

    secure = replace(own, ldap_url=directory.secure_url)
    assert authenticate(secure, "ben", "ben-password") is not None
    assert authenticate(secure, "ben", "wrong") is None
    for url in (directory.url, directory.secure_url):
        for settings in (
            replace(own, ldap_url=url, ldap_ca_file=foreign),  # somebody else signed it
            replace(own, ldap_url=url, ldap_ca_file=""),  # nobody whom the system knows
            replace(own, ldap_url=url.replace("localhost", "127.0.0.1")),  # it is for another name
        ):
            with pytest.raises(DirectoryUnavailable):
                authenticate(settings, "ben", "ben-password")
