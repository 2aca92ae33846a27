"""What people change of their own profile, without a script."""

import pytest

from tests.support.server import RunningServer
from tests.support.world import World
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly


def test_people_change_their_own_profile(server: RunningServer, world: World) -> None:
    person, other = world.user(), world.user()
    browser = Browser(server)
    browser.enter_by_link(person.username)
    form = browser.open("/-/user_settings/profile")
    refused = browser.send(form, "/profile", public_email=f"{other.username}@example.com", bio="Coins")
    assert (refused.status, "Coins" in refused.response.text) == (400, True)
    saved = browser.send(form, "/profile", name="Pia Press", bio="Coins", job_title="Smith")
    assert "Profile saved." in saved.text
    browser.send(saved, "/profile/status", message="Striking", busy="on")
    shown = browser.open(f"/{person.username}")
    for words in ("Pia Press", "Coins", "Smith", "Striking", "Busy", "contributions in the last year"):
        assert words in shown.text, words
    followed = browser.send(browser.open(f"/{other.username}"), "/follow")
    assert "Unfollow" in followed.text
    assert "Follow" in browser.send(followed, "/unfollow").text
    assert browser.send(browser.open("/-/user_settings/emails"), "/emails", email="pia@example.org").status == 200
    renamed = browser.send(browser.open("/-/user_settings/account"), "/account", username="pia-press")
    assert "Username saved." in renamed.text
    assert browser.open("/pia-press").status == 200
    assert browser.open("/-/profile/account").path == "/-/user_settings/account"


def test_people_delete_their_own_account(server: RunningServer, world: World) -> None:
    person, other = world.user(), world.user()
    group = world.group(person)
    browser = Browser(server)
    browser.enter_by_link(person.username)
    hindered = browser.open("/-/user_settings/account")
    assert f"only owner of these groups. Add another owner or delete them: {group['full_path']}" in hindered.text
    other.client.ok("POST", "/projects", json={"path": "kept"})
    person.client.ok("POST", f"/groups/{group['id']}/members", json={"user_id": other.id, "access_level": 50})
    asked = browser.open("/-/user_settings/account")
    assert browser.send(asked, "/account/remove", confirm="somebody").status == 422
    gone = browser.send(asked, "/account/remove", confirm=person.username)
    assert (gone.status, "Your account was deleted." in gone.text, "Sign in" in gone.text) == (200, True, True)
    assert browser.open(f"/{person.username}").status == 404
    assert browser.open("/-/user_settings/account").path == "/users/sign_in"
    assert other.client.get(f"/groups/{group['id']}").status_code == 200
