"""A session alone is not enough for what opens an account: forms behind `Proved` ask again after ten minutes."""

import base64
import re
import zlib
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from ingot.features.people.user_pages import SESSION_COOKIE
from ingot.identity import second_factors, sessions
from ingot.identity.proofs import PROVED_AT
from ingot.identity.tables import sessions as table
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.endpoint import Endpoint
from ingot.web.guards import Proved
from ingot.web.registry import all_pages
from tests.support.waiting import until
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

PASSWORD = "Right-Password-47"
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgBAAAAwACS/Xd6gAAAABJRU5ErkJggg==")
TOKENS = "/-/user_settings/personal_access_tokens"
CONFIRM = "/-/user_settings/confirm_access"
ASKED = (401, True)
# Addresses of what opens accounts and repositories, and of administration.
SENSITIVE = re.compile(
    r"token|keys\b|two_factor|password|applications|user_settings/emails|sign_in_services|confirm_access|triggers"
    r"|saml\b|scim|^admin/|impersonat|^oauth/|login|credential"
)
# Forms at such addresses that do not ask.
FREE = {
    "users/password": "for people who are not signed in, with a mailed link",
    "users/password/edit": "as above",
    "-/user_settings/two_factor_auth/skip": "changes nothing of the second factor",
    "-/user_settings/confirm_access": "asks",
    "-/user_settings/confirm_access/go_on": "shows a form, which asks",
    "admin/session": "asks",
    "admin/session/openid_connect": "leads to the sign-in service, which asks",
    "admin/session/destroy": "gives powers back",
    "admin/impersonation": "gives powers back",
    "-/invites/{token}/accept": "the token is the link's, in a mail",
    "-/invites/{token}/decline": "as above",
    "-/sent_notifications/{token}/unsubscribe": "as above",
    "settings/ci_cd/job_tokens": "whose job tokens are let in is a right, no token",
    "settings/ci_cd/job_tokens/{verb}": "as above",
    "settings/ci_cd/job_token_projects": "as above",
    "settings/ci_cd/job_token_projects/{verb}": "as above",
    "settings/ci_cd/job_token_groups": "as above",
    "settings/ci_cd/job_token_groups/{verb}": "as above",
}
FORMS = [page for page in all_pages() if page.method == "POST"]


@pytest.fixture
def person(world: World) -> Person:
    return world.user(password=PASSWORD, force_random_password=False)


def signed_in(world: World, person: Person) -> Browser:
    browser = Browser(world.server)
    browser.sign_in(person.username, PASSWORD)
    return browser


def grow_old(browser: Browser, minutes: int = 11) -> None:
    """Let the last proof of the session be some minutes old."""
    browser.set_proof(now() - timedelta(minutes=minutes))


def is_asked(visit: Visit) -> tuple[int, bool]:
    return visit.status, "Confirm access" in visit.text


def new_token(browser: Browser, name: str = "laptop") -> Visit:
    return browser.send(browser.open(TOKENS), TOKENS, name=name, scope_read_api="1")


def shows_token(visit: Visit) -> bool:
    """The page shows a new token."""
    return visit.status == 200 and bool(visit.tree.xpath("//input[@id='token']/@value"))


def names_of_tokens(browser: Browser) -> list[str]:
    """Of those that were made on the page."""
    names = browser.open(TOKENS).tree.xpath("//section//span[contains(@class, 'title')]/text()")
    return [name for name in names if name != "test"]


def confirm(browser: Browser, asked: Visit, password: str = PASSWORD) -> Visit:
    return browser.send(asked, CONFIRM, **{"user[password]": password})


def address_of(page: Endpoint, project: str, group: str) -> str:
    path = re.sub(r"\{\w+:int\}", "1", page.path).replace("{verb}", "remove")
    path = re.sub(r"\{\w+\}", "root", path)
    return {"site": f"/{path}", "project": f"/{project}/-/{path}", "group": f"/groups/{group}/-/{path}"}[page.tag]


def test_every_form_at_a_sensitive_address_is_declared_to_ask() -> None:
    open_ones = {page.path for page in FORMS if SENSITIVE.search(page.path) and not isinstance(page.guard, Proved)}

    assert open_ones == set(FREE)


def test_every_declared_form_asks_whose_proof_is_old_and_does_nothing(world: World) -> None:
    boss = world.user(admin=True, password=PASSWORD, force_random_password=False)
    project, group = world.project(boss)["path_with_namespace"], world.group(boss)["full_path"]
    browser = signed_in(world, boss)
    token = browser.open("/").tree.xpath("//input[@name='authenticity_token']/@value")[0]
    grow_old(browser)

    def send(page: Endpoint) -> Visit:
        return Visit(browser.http.post(address_of(page, project, group), data={"authenticity_token": token}))

    declared = [page for page in FORMS if isinstance(page.guard, Proved)]
    asked = {page.path: is_asked(send(page)) for page in declared if not page.guard.in_form}
    assert len(asked) > 60
    assert {path: answer for path, answer in asked.items() if answer != ASKED} == {}
    # These ask in the form itself, and nobody gets through with nothing.
    in_form = {page.path: send(page).status for page in declared if page.guard.in_form}
    assert {path: status for path, status in in_form.items() if status not in (422, 429)} == {}
    with world.server.services.db.write() as tx:
        tx.execute(update(users).where(users.c.id == boss.id).values(password_hash=None))
    assert {page.path: is_asked(send(page)) for page in declared if page.guard.in_form} == dict.fromkeys(in_form, ASKED)


def test_the_form_comes_back_after_the_password_and_is_sent_with_one_click(world: World, person: Person) -> None:
    browser = signed_in(world, person)
    browser.set_proof(now())
    assert shows_token(new_token(browser, "fresh"))
    grow_old(browser)
    asked = new_token(browser)
    assert is_asked(asked) == ASKED
    wrong = confirm(browser, asked, "guess")
    assert (is_asked(wrong), "Invalid login or password." in wrong.text) == (ASKED, True)
    again = confirm(browser, wrong)
    assert (again.status, "Submit the form again?" in again.text, names_of_tokens(browser)) == (200, True, ["fresh"])
    assert shows_token(browser.send(again, TOKENS))
    assert names_of_tokens(browser) == ["laptop", "fresh"]
    # For ten minutes nobody is asked again.
    revoked = browser.send(browser.open(TOKENS), "/revoke")
    assert (revoked.path, names_of_tokens(browser)) == (TOKENS, ["fresh"])
    # Taking away is asked for, too; and the page can be opened alone.
    grow_old(browser)
    assert is_asked(browser.send(browser.open(TOKENS), "/revoke")) == ASKED
    page = browser.open(f"{CONFIRM}?return_to=//elsewhere.example")
    assert confirm(browser, page).path == "/"
    assert browser.send(browser.open(TOKENS), "/revoke").path == TOKENS


def test_neither_another_session_nor_a_field_nor_a_cookie_is_a_proof(world: World, person: Person) -> None:
    browser, other = signed_in(world, person), signed_in(world, person)
    stranger = signed_in(world, world.user(password=PASSWORD, force_random_password=False))
    grow_old(browser)
    for fresh in (other, stranger):
        fresh.set_proof(now())
        assert shows_token(new_token(fresh))
    assert is_asked(new_token(browser)) == ASKED
    future = str(int(now().timestamp()) + 3600)
    page = browser.open(TOKENS)
    browser.http.cookies.set(PROVED_AT, future)
    forged = {PROVED_AT: future, f"details[{PROVED_AT}]": future, "created_at": future, "is_confirmed": "1"}
    asked = browser.send(page, TOKENS, name="forged", scope_read_api="1", **forged)
    assert is_asked(asked) == ASKED
    refused = browser.send(asked, CONFIRM, **forged)
    assert is_asked(refused) == ASKED
    assert is_asked(new_token(browser)) == ASKED
    # Of a form that was carried along nothing counts but what is sent in the end.
    kept = asked.tree.xpath("//input[@name='kept']/@value")[0]
    assert is_asked(browser.send(page, TOKENS, kept=kept, name="x", scope_read_api="1")) == ASKED
    # Using a session does not prove anything.
    for path in ("/", TOKENS, "/dashboard/todos"):
        browser.open(path)
    assert is_asked(new_token(browser)) == ASKED
    # Another person's password neither.
    assert confirm(browser, asked, "Wrong-Password-48").status == 401
    assert names_of_tokens(browser) == ["laptop"]


def test_guessing_is_limited_as_at_the_sign_in(world: World, person: Person) -> None:
    browser = signed_in(world, person)
    grow_old(browser)
    asked = new_token(browser)

    answers: list[Visit] = []

    def is_refused() -> bool:
        """Sooner or later; a slow machine may see a minute end before."""
        answers.append(confirm(browser, asked, "guess"))
        return answers[-1].status == 429

    assert until(is_refused)
    assert "Too many attempts." in answers[-1].text
    assert answers[-1].tree.xpath("//input[@name='kept']")


def test_passwords_are_not_carried_along(world: World) -> None:
    boss = world.user(admin=True, password=PASSWORD, force_random_password=False)
    browser = signed_in(world, boss)
    page = browser.open("/admin/users")
    grow_old(browser)
    name = world.name("new")
    wanted = {"name": name, "username": name, "email": f"{name}@example.com", "password": "Chosen-Password-49"}
    asked = browser.send(page, "/admin/users/users", **wanted)
    assert is_asked(asked) == ASKED
    again = confirm(browser, asked)
    values = again.tree.xpath("//form[contains(@action, '/admin/users/users')]//input/@value")
    assert (name in values, "Chosen-Password-49" in values) == (True, False)


def test_who_acts_as_somebody_else_proves_who_they_are_themselves(world: World, person: Person) -> None:
    boss = world.user(admin=True, password="Other-Password-48", force_random_password=False)
    browser = Browser(world.server)
    browser.sign_in(boss.username, "Other-Password-48")
    browser.set_proof(now() - timedelta(minutes=5))
    browser.send(browser.open(f"/admin/users/{person.username}"), "/impersonate")
    # The proof came along with its age.
    lent = table.c.digest == sessions.digest(browser.http.cookies[SESSION_COOKIE])
    with world.server.services.db.read() as conn:
        details = conn.execute(select(table.c.details).where(lent)).scalar_one()
    assert int(now().timestamp()) - details[PROVED_AT] >= 300
    grow_old(browser)
    asked = new_token(browser)
    assert (is_asked(asked), "You are impersonating" in asked.text) == (ASKED, True)
    assert confirm(browser, asked, PASSWORD).status == 401
    again = confirm(browser, asked, "Other-Password-48")
    assert shows_token(browser.send(again, TOKENS))


@pytest.fixture
def guest_of_a_link(world: World) -> tuple[Person, Browser]:
    """Somebody without a password, who came by a link some time ago."""
    person, browser = world.user(), Browser(world.server)
    with world.server.services.db.write() as tx:
        tx.execute(update(users).where(users.c.id == person.id).values(password_hash=None))
    browser.enter_by_link(person.username)
    grow_old(browser)
    return person, browser


def test_who_has_no_password_sets_one_or_brings_a_code(world: World, guest_of_a_link: tuple[Person, Browser]) -> None:
    person, browser = guest_of_a_link
    asked = new_token(browser)
    assert (is_asked(asked), "/-/user_settings/password/edit" in asked.links()) == (ASKED, True)
    assert not asked.tree.xpath("//input[@type='password']")
    secret = second_factors.new_secret()
    with world.server.services.db.write() as tx:
        codes = second_factors.enable(tx, world.server.services, person.id, secret, 0)
    asked = new_token(browser)
    assert browser.send(asked, CONFIRM, **{"user[otp_attempt]": "000000"}).status == 401
    again = browser.send(asked, CONFIRM, **{"user[otp_attempt]": codes[0]})
    assert shows_token(browser.send(again, TOKENS))
    # A link is made for choosing a password; the new one is a proof.
    grow_old(browser)
    form = browser.open("/-/user_settings/password/edit")
    browser.send(form, "/password", password=PASSWORD, password_confirmation=PASSWORD)
    assert shows_token(new_token(browser))


def test_a_link_changes_a_password_that_exists_for_ten_minutes(world: World, person: Person) -> None:
    browser = Browser(world.server)
    browser.enter_by_link(person.username)
    form = browser.open("/-/user_settings/password/edit")
    new = {"password": "Other-Password-48", "password_confirmation": "Other-Password-48"}
    grow_old(browser)
    refused = browser.send(form, "/password", **new)
    assert (refused.status, "The current password is incorrect." in refused.text) == (422, True)
    browser.set_proof(now())
    assert browser.send(form, "/password", **new).path == "/"


def test_the_api_takes_nothing_of_the_kind_from_a_session_whose_proof_is_old(world: World) -> None:
    boss = world.user(admin=True, password=PASSWORD, force_random_password=False)
    browser = signed_in(world, boss)
    csrf = browser.open("/-/user_settings/profile").tree.xpath("//meta[@name='csrf-token']/@content")[0]

    def send(method: str, path: str, **body: object) -> int:
        return browser.http.request(method, f"/api/v4{path}", json=body, headers={"X-CSRF-Token": csrf}).status_code

    def open_doors() -> list[int]:
        address = world.name("also")
        return [
            send("POST", "/user/emails", email=f"{address}@example.com"),
            send("POST", f"/users/{boss.id}/personal_access_tokens", name="x", scopes=["api"]),
            send("PUT", "/application/settings", signup_enabled=True),
        ]

    assert open_doors() == [201, 201, 200]
    grow_old(browser)
    assert open_doors() == [401, 401, 401]
    assert send("PUT", "/user/status", message="here") == 200
    browser.set_proof(now())
    assert open_doors() == [201, 201, 200]


def test_a_password_in_a_form_that_had_to_wait_is_typed_again_and_not_forgotten(world: World, person: Person) -> None:
    boss = world.user(admin=True, password=PASSWORD, force_random_password=False)
    browser = signed_in(world, boss)
    page = browser.open(f"/admin/users/{person.username}")
    grow_old(browser)
    asked = browser.send(page, "/person", password="Another-Password-48")
    assert (is_asked(asked), "Another-Password-48" in asked.text) == (ASKED, False)

    again = confirm(browser, asked)

    field = again.tree.xpath("//form[contains(@action, '/person')]//input[@name='password']")[0]
    assert (field.get("type"), field.get("value"), "required" in field.attrib) == ("password", None, True)
    browser.send(again, "/person", password="Another-Password-48")
    Browser(world.server).sign_in(person.username, "Another-Password-48")


def carried(visit: Visit) -> str:
    """What a page brings along of a form that had to wait."""
    return zlib.decompress(base64.urlsafe_b64decode(visit.tree.xpath("//input[@name='kept']/@value")[0])).decode()


def test_a_file_is_chosen_again_and_the_other_fields_are_kept(world: World, person: Person) -> None:
    browser = signed_in(world, person)
    fields = form_values(browser.open(TOKENS).tree.xpath(f"//form[@action='{TOKENS}']")[0])
    grow_old(browser)
    sent = {**fields, "name": "with a file", "scope_read_api": "1"}
    asked = Visit(browser.http.post(TOKENS, data=sent, files={"picture": ("me.png", b"x")}))
    assert (is_asked(asked), "need to select me.png again" in asked.text) == (ASKED, True)
    again = confirm(browser, asked)
    assert again.tree.xpath("//input[@type='file']/@name") == ["picture"]
    assert "Picture: me.png, select the file again" in again.text
    assert shows_token(browser.send(again, TOKENS))
    assert names_of_tokens(browser) == ["with a file"]


def test_a_form_whose_session_ended_brings_neither_secrets_nor_files(world: World, person: Person) -> None:
    browser = Browser(world.server, **{"Sec-Fetch-Site": "same-origin"})
    browser.sign_in(person.username, PASSWORD)
    place = f"/{world.project(person)['path_with_namespace']}"
    hooks, edit = browser.open(f"{place}/-/hooks"), browser.open(f"{place}/edit")
    browser.http.cookies.clear()
    typed = {"url": "https://me:my-login@hooks.example/x", "token": "my-token", "name": "Mine"}
    ended = browser.send(hooks, "/-/hooks/hooks", **typed)
    assert (ended.status, "Your session has ended" in ended.text) == (401, True)
    assert [word in ended.response.text + carried(ended) for word in ("my-login", "my-token", "Mine")] == [
        False, False, True,
    ]  # fmt: skip
    # Somebody who has not signed in yet, in another tab or here, loses nothing.
    ended = browser.send(ended, "/go_on")
    assert (ended.status, "Mine" in carried(ended)) == (401, True)
    again = browser.send(ended, "/users/sign_in", **{"user[login]": person.username, "user[password]": PASSWORD})
    asked = again.tree.xpath("//form[contains(@action, '/hooks')]//input[@type='password'][@required]/@name")
    assert sorted(asked) == ["token", "url"]
    browser.send(again, "/-/hooks/hooks", **typed)
    hook = person.client.ok("GET", f"/projects/{place[1:].replace('/', '%2F')}/hooks")[0]
    assert hook["name"] == "Mine"

    browser.http.cookies.clear()
    avatar = edit.tree.xpath("//form[@id='picture']")[0]
    picture = {"avatar": ("me.png", PNG, "image/png")}
    ended = Visit(browser.http.post(avatar.get("action"), data=form_values(avatar), files=picture))
    assert (ended.status, "need to select me.png again" in ended.text) == (401, True)
    again = browser.send(ended, "/users/sign_in", **{"user[login]": person.username, "user[password]": PASSWORD})
    form = again.tree.xpath("//form[.//input[@type='file']]")[0]
    saved = Visit(browser.http.post(form.get("action"), data=form_values(form), files=picture))
    assert (saved.status, saved.path) == (200, f"{place}/-/edit")
    assert saved.tree.xpath("//form[@id='picture']//img")


def test_what_counts_as_a_secret(world: World, person: Person) -> None:
    login, comment = "https://me:s3cret@a.example/x.git", "https://me:s3cret@a.example is gone"
    cases: list[tuple[dict[str, str], bool]] = [
        ({"api_key": "s3cret"}, False), ({"deploy_token": "s3cret"}, False), ({"user[private_key]": "s3cret"}, False),
        ({"key": "ssh-ed25519 AAAA"}, True), ({"key_name": "laptop"}, True), ({"import_url": "https://a.b"}, True),
        ({"import_url": login}, False), ({"import_url": "https://a.example:8/x@y"}, True), ({"body": comment}, True),
        ({"value": "s3cret"}, True), ({"value": "s3cret", "masked": "true"}, False),
    ]  # fmt: skip
    browser = signed_in(world, person)
    page = browser.open(TOKENS)
    grow_old(browser)

    for fields, is_kept in cases:
        name, value = next(iter(fields.items()))
        brought = carried(browser.send(page, TOKENS, **fields))
        assert (name, name in brought, value in brought) == (name, True, is_kept)
