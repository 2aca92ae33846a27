"""The licence: the tier of the server, told to administrators; no key changes it."""

import gitlab

from tests.support.world import World


def test_the_licence_tells_the_tier_and_how_many_people_there_are(world: World) -> None:
    answer = world.admin.ok("GET", "/license")

    statistics = world.admin.ok("GET", "/application/statistics")
    people = int(statistics["active_users"].replace(",", ""))
    first = world.admin.ok("GET", "/users/1")["created_at"]
    assert answer == {
        "id": 1, "plan": "ultimate", "created_at": first, "starts_at": first[:10], "expires_at": None,
        "historical_max": people, "maximum_user_count": people, "expired": False, "overage": 0, "user_limit": 0,
        "active_users": people, "licensee": {"Name": "", "Company": "", "Email": ""}, "add_ons": {},
    }  # fmt: skip
    assert world.admin.ok("GET", "/licenses") == [answer]
    assert gitlab.Gitlab(world.server.url, private_token=world.admin.token).get_license() == answer


def test_no_key_changes_the_tier(world: World) -> None:
    refused = world.admin.post("/license", json={"license": "key"})
    assert (refused.status_code, refused.json()) == (400, {"message": "The license key is invalid."})
    assert world.admin.post("/license", json={}).json() == {"error": "license is missing"}
    assert world.admin.delete("/license/1").status_code == 403
    assert world.admin.delete("/license/2").json() == {"message": "404 Not found"}


def test_only_administrators_see_the_licence(world: World) -> None:
    for path in ("/license", "/licenses"):
        assert world.user().client.get(path).status_code == 403
        assert world.anonymous.get(path).status_code == 401
