"""Signing in and out by forms, without a script."""

from urllib.parse import unquote

import pytest

from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

PASSWORD = "a long enough secret 1"


@pytest.fixture(scope="module")
def olga(world: World) -> Person:
    return world.user("olga", password=PASSWORD, force_random_password=False)


class TestSigningIn:
    def test_a_password_opens_a_session_that_ends_on_signing_out(self, server: RunningServer, olga: Person) -> None:
        browser = Browser(server)
        home = browser.sign_in("olga@example.com", PASSWORD, return_to="/dashboard/projects")
        assert home.path == "/dashboard/projects"
        stolen = dict(browser.http.cookies)
        assert "HttpOnly" in str(home.response.history[-1].headers["set-cookie"])
        left = browser.send(home, "/users/sign_out")
        assert "Sign in" in left.text
        assert left.response.history[-1].headers["clear-site-data"] == '"cache", "storage"'
        assert Browser(server, Cookie=f"_ingot_session={stolen['_ingot_session']}").open("/dashboard/todos").path == (
            "/users/sign_in"
        )

    @pytest.mark.parametrize("login", ["olga", "nobody-at-all", ""])
    def test_one_text_for_every_refusal(self, server: RunningServer, olga: Person, login: str) -> None:
        refused = Browser(server).sign_in(login, "wrong")
        assert refused.status in (401, 429)
        assert "Invalid login or password." in refused.text or "Too many attempts." in refused.text
        assert "_ingot_session" not in refused.response.headers.get("set-cookie", "")

    def test_blocked_people_and_robots_stay_outside(self, server: RunningServer, world: World) -> None:
        blocked = world.user(password=PASSWORD, force_random_password=False)
        world.admin.ok("POST", f"/users/{blocked.id}/block")
        refused = Browser(server).sign_in(blocked.username, PASSWORD)
        assert refused.status in (403, 429)

    def test_a_link_works_once_and_asks_for_a_password(self, server: RunningServer, world: World) -> None:
        person = world.user()
        browser = Browser(server)
        entered = browser.enter_by_link(person.username)
        assert entered.path == "/-/user_settings/password/edit"
        link = str(entered.response.history[0].url)
        assert Browser(server).open(link).status == 404
        short = browser.send(entered, "/password", password="short", password_confirmation="short")
        assert (short.status, "too short" in short.text) == (422, True)
        saved = browser.send(short, "/password", password=PASSWORD, password_confirmation=PASSWORD)
        assert saved.path == "/"

    def test_a_link_is_no_session(self, server: RunningServer, world: World) -> None:
        person = world.user()
        with server.services.db.write() as tx:
            from ingot.identity.sign_in_links import create_sign_in_path

            clear = create_sign_in_path(tx, person.id).rpartition("/")[2]
        assert Browser(server, Cookie=f"_ingot_session={clear}").open("/dashboard/todos").path == "/users/sign_in"

    @pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x"])
    def test_the_way_back_never_leads_elsewhere(self, server: RunningServer, target: str) -> None:
        page = Browser(server).http.get("/users/sign_in", params={"return_to": target})
        assert 'name="return_to" value="/"' in page.text

    def test_the_way_back_is_the_whole_address_but_for_keys_of_mails(self, server: RunningServer) -> None:
        def ways_back(address: str) -> list[str]:
            links = Browser(server).open(address).tree.xpath("//header//a/@href")
            return [unquote(link.partition("return_to=")[2]) for link in links if "return_to=" in link]

        for address in ("/explore/projects?search=50%25&order=name", "/explore/projects/topics/50%25"):
            assert ways_back(address) == [address]
        assert ways_back("/users/password/edit?reset_password_token=abc") == ["/users/password/edit"]

    def test_too_many_attempts_wait(self, server: RunningServer, world: World) -> None:
        person = world.user(password=PASSWORD, force_random_password=False)
        attempts: list[Visit] = []

        def is_refused() -> bool:
            attempts.append(Browser(server).sign_in(person.username, "wrong"))
            return attempts[-1].status == 429

        assert until(is_refused)
        assert 0 < int(attempts[-1].response.headers["retry-after"]) <= 60

    def test_pages_without_a_menu_have_the_chosen_colours(self, server: RunningServer) -> None:
        for theme, shown in (("dark", True), ("pink", False)):
            page = Browser(server, Cookie=f"_ingot_theme={theme}").http.get("/groups/no-such-group/-/saml/sso")
            assert (page.status_code, 'data-theme="' in page.text) == (404, shown)

    def test_the_sign_in_form_cannot_be_forged(self, server: RunningServer) -> None:
        fields = {"user[login]": "olga", "user[password]": PASSWORD}
        assert Browser(server).http.post("/users/sign_in", data=fields).status_code == 403
