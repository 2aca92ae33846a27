"""Applications: the API for administrators, and the pages of people, groups and administrators."""

import pytest

from tests.features.people.oauth.flows import CALLBACK, Application, bearer, signed_in
from tests.support.world import Person, World
from tests.web.browsing import Visit

OWN = "/-/user_settings/applications"


@pytest.fixture(scope="module")
def person(world: World) -> Person:
    return world.user()


def shown_value(page: Visit, name: str) -> str:
    """What a read-only field of the page shows."""
    return str(page.tree.find(f".//input[@id='{name}']").get("value"))


def test_administrators_create_list_renew_and_delete_applications(world: World) -> None:
    body = {"name": "Grafana", "redirect_uri": f"{CALLBACK}\nvscode://ext/auth", "scopes": "api read_user"}

    created = world.admin.ok("POST", "/applications", json=body)

    assert created["secret"].startswith("gloas-")
    assert len(created["application_id"]) == 64
    listed = [row for row in world.admin.ok("GET", "/applications") if row["id"] == created["id"]]
    assert listed == [
        {
            "id": created["id"], "application_id": created["application_id"], "application_name": "Grafana",
            "callback_url": f"{CALLBACK}\nvscode://ext/auth", "confidential": True,
        }
    ]  # fmt: skip
    renewed = world.admin.ok("POST", f"/applications/{created['id']}/renew-secret")
    assert renewed["secret"] != created["secret"]
    world.admin.ok("DELETE", f"/applications/{created['id']}")
    for method, path in (("DELETE", ""), ("POST", "/renew-secret")):
        gone = world.admin.request(method, f"/applications/{created['id']}{path}")
        assert (gone.status_code, gone.json()) == (404, {"message": "404 Application Not Found"})


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"scopes": ""}, {"error": "scopes is empty"}),
        ({"scopes": "api root"}, {"message": {"scopes": ["doesn't match configured on the server."]}}),
        ({"redirect_uri": "/local"}, {"message": {"redirect_uri": ["must be an absolute URI."]}}),
        ({"redirect_uri": "https://a.example/#top"}, {"message": {"redirect_uri": ["cannot contain a fragment."]}}),
        ({"redirect_uri": "javascript:alert(1)"}, {"message": {"redirect_uri": ["is forbidden by the server."]}}),
        ({"redirect_uri": "https://[::1"}, {"message": {"redirect_uri": ["must be an absolute URI."]}}),
    ],
)
def test_wrong_applications_are_refused(world: World, change: dict[str, str], expected: object) -> None:
    body = {"name": "Wrong", "redirect_uri": CALLBACK, "scopes": "api", **change}

    answer = world.admin.request("POST", "/applications", json=body)

    assert (answer.status_code, answer.json()) == (400, expected)


def test_others_may_not_use_the_endpoints(world: World, person: Person) -> None:
    assert person.client.request("GET", "/applications").status_code == 403
    assert person.client.request("DELETE", "/applications/1").status_code == 403
    assert world.anonymous.request("GET", "/applications").status_code == 401


def test_people_register_applications_of_their_own(world: World, person: Person) -> None:
    browser = signed_in(world, person)
    page = browser.open(OWN)

    created = browser.send(page, OWN, name="Mine", redirect_uri=CALLBACK, **{"scopes[]": "read_user"})

    assert shown_value(created, "secret").startswith("gloas-")
    assert "Mine" in browser.open(OWN).text
    stranger = signed_in(world, world.user())
    assert "Mine" not in stranger.open(OWN).text
    number = next(row["id"] for row in world.admin.ok("GET", "/applications") if row["application_name"] == "Mine")
    assert stranger.send(stranger.open(OWN), OWN, name="x").status == 400
    token = stranger.open(OWN).tree.find(".//input[@name='authenticity_token']").get("value")
    assert stranger.http.post(f"{OWN}/{number}/remove", data={"authenticity_token": token}).status_code == 404
    renewed = browser.send(browser.open(OWN), "/renew")
    assert shown_value(renewed, "secret") != shown_value(created, "secret")
    assert "Mine" not in browser.send(browser.open(OWN), "/remove").text


def test_groups_and_the_instance_have_pages_of_their_own(world: World, person: Person) -> None:
    group = world.group(person)
    browser, place = signed_in(world, person), f"/groups/{group['full_path']}/-/settings/applications"

    created = browser.send(browser.open(place), place, name="Ours", redirect_uri=CALLBACK, **{"scopes[]": "api"})

    assert shown_value(created, "secret").startswith("gloas-")
    assert "Ours" in browser.open(place).text
    assert "Ours" not in browser.open(OWN).text
    assert browser.open("/admin/applications").status == 403
    root = signed_in(world, world.user(admin=True))
    added = root.send(root.open("/admin/applications"), "/admin/applications", name="All", redirect_uri=CALLBACK,
                     trusted="true", **{"scopes[]": "openid"})  # fmt: skip
    assert shown_value(added, "secret").startswith("gloas-")
    page = root.open("/admin/applications").text
    assert ("All" in page, "Trusted" in page, "Ours" in page) == (True, True, False)


def test_people_take_back_what_they_allowed(world: World, person: Person) -> None:
    app, browser = Application(world), signed_in(world, person)
    tokens = app.tokens(browser)
    assert bearer(world, tokens["access_token"], "/user").status_code == 200
    assert app.row["application_name"] in browser.open(OWN).text

    page = browser.send(browser.open(OWN), "/revoke")

    assert app.row["application_name"] not in page.text
    refused = bearer(world, tokens["access_token"], "/user")
    assert (refused.status_code, refused.json()["error"]) == (401, "invalid_token")
    assert app.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
