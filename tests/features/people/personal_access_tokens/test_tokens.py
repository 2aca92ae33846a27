from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.world import Person, World

KEYS = [
    "id", "name", "revoked", "created_at", "description", "scopes", "user_id", "last_used_at", "active", "expires_at",
]  # fmt: skip


def day(offset: int) -> str:
    return (datetime.now(UTC).date() + timedelta(days=offset)).isoformat()


def made(world: World, person: Person, **more: Any) -> dict[str, Any]:
    body = {"name": "robot", "scopes": ["api"], **more}
    token: dict[str, Any] = world.admin.ok("POST", f"/users/{person.id}/personal_access_tokens", json=body)
    return token


def test_a_token_shows_its_value_once(world: World) -> None:
    person = world.user()

    token = made(world, person, scopes=["read_api", "read_user"], description="for the robot")

    assert list(token) == [*KEYS, "token"]
    assert token["token"].startswith("glpat-")
    assert len(token["token"]) == 26
    assert token["expires_at"] == day(365)
    shown = world.admin.ok("GET", f"/personal_access_tokens/{token['id']}")
    assert list(shown) == KEYS
    assert shown["scopes"] == ["read_api", "read_user"]
    assert world.server.client(token["token"]).get("/user").status_code == 200


@pytest.mark.parametrize(
    ("options", "status", "body"),
    [
        ({"name": "x", "scopes": ["everything"]}, 400, {"error": "scopes does not have a valid value"}),
        (
            {},
            400,
            {"error": "name is missing, scopes is missing, scopes does not have a valid value"},
        ),
        ({"name": " ", "scopes": ["api"]}, 422, {"message": "Name can't be blank"}),
        ({"name": "x", "scopes": []}, 422, {"message": "Scopes can't be blank"}),
        ({"name": "x", "scopes": ["api"], "expires_at": "soon"}, 400, {"error": "expires_at is invalid"}),
    ],
)
def test_bad_wishes_are_refused(world: World, options: dict[str, Any], status: int, body: dict[str, Any]) -> None:
    person = world.user()

    reply = world.admin.post(f"/users/{person.id}/personal_access_tokens", json=options)

    assert (reply.status_code, reply.json()) == (status, body)


def test_a_token_lives_for_a_year_at_most(world: World) -> None:
    person = world.user()
    body = {"name": "x", "scopes": ["api"], "expires_at": day(366)}

    reply = world.admin.post(f"/users/{person.id}/personal_access_tokens", json=body)

    assert (reply.status_code, reply.json()) == (422, {"message": f"expires_at must be before {day(365)}"})


def test_scopes_come_as_comma_list_or_array(world: World) -> None:
    person = world.user()

    reply = world.admin.post(f"/users/{person.id}/personal_access_tokens", data={"name": "x", "scopes": "api, sudo"})

    assert reply.json()["scopes"] == ["api", "sudo"]


def test_people_give_themselves_only_small_tokens(world: World) -> None:
    person = world.user()

    token = person.client.ok("POST", "/user/personal_access_tokens", json={"name": "k", "scopes": ["k8s_proxy"]})
    refused = person.client.post("/user/personal_access_tokens", json={"name": "k", "scopes": ["api"]})

    assert token["expires_at"] == day(1)
    assert refused.json() == {"error": "scopes does not have a valid value"}
    other = person.client.post(f"/users/{person.id}/personal_access_tokens", json={"name": "k", "scopes": ["api"]})
    assert other.json() == {"message": "403 Forbidden"}


def test_people_list_their_own_tokens_only(world: World) -> None:
    person, other = world.user(), world.user()
    token = made(world, person, name="mine")
    world.admin.ok("POST", f"/users/{person.id}/impersonation_tokens", json={"name": "imp", "scopes": ["api"]})

    names = {entry["name"] for entry in person.client.ok("GET", "/personal_access_tokens")}
    foreign = person.client.get("/personal_access_tokens", user_id=other.id)
    everyone = world.admin.get("/personal_access_tokens", user_id=person.id, search="MIN").json()

    assert names == {"test", "mine"}
    assert (foreign.status_code, foreign.json()) == (401, {"message": "401 Unauthorized"})
    assert [entry["id"] for entry in everyone] == [token["id"]]
    assert world.anonymous.get("/personal_access_tokens").json() == {"message": "401 Unauthorized"}


def test_filters_of_the_list(world: World) -> None:
    person = world.user()
    dead = made(world, person, name="dead")
    old = made(world, person, name="old", expires_at=day(0))
    world.admin.delete(f"/personal_access_tokens/{dead['id']}")

    def names(**filters: Any) -> list[str]:
        result = world.admin.get("/personal_access_tokens", user_id=person.id, **filters).json()
        return [entry["name"] for entry in result]

    assert names(revoked=True) == ["dead"]
    assert names(revoked=False) == ["test", "old"]
    assert names(state="active") == ["test"]
    assert names(state="inactive") == ["dead", "old"]
    assert names(created_after="2999-01-01") == []
    assert names(created_before=old["created_at"]) == ["test", "dead", "old"]
    assert names(last_used_after="2001-01-01") == []
    person.client.get("/user")
    assert names(last_used_after="2001-01-01") == ["test"]
    assert names(last_used_before="2001-01-01") == []
    assert names(expires_before=day(1)) == ["old"]
    assert names(expires_after=day(1)) == ["test", "dead"]
    assert names(sort="name_desc") == ["test", "old", "dead"]
    assert names(sort="expires_asc")[0] == "old"


def test_foreign_tokens_are_unauthorized_or_missing(world: World) -> None:
    person, other = world.user(), world.user()
    token = made(world, other)

    for path in (f"/personal_access_tokens/{token['id']}", "/personal_access_tokens/999999"):
        assert person.client.get(path).json() == {"message": "401 Unauthorized"}
    assert world.admin.get("/personal_access_tokens/999999").json() == {"message": "404 Not Found"}
    assert person.client.delete("/personal_access_tokens/999999").json() == {"message": "404 Not found"}
    refused = person.client.delete(f"/personal_access_tokens/{token['id']}")
    assert (refused.status_code, refused.json()) == (400, {"message": "400 Bad request"})
    assert person.client.post(f"/personal_access_tokens/{token['id']}/rotate").status_code == 401


def test_revoking_takes_effect_at_once_and_twice(world: World) -> None:
    person = world.user()
    token = made(world, person)
    client = world.server.client(token["token"])
    assert client.get("/user").status_code == 200

    first = person.client.delete(f"/personal_access_tokens/{token['id']}")
    second = person.client.delete(f"/personal_access_tokens/{token['id']}")

    assert (first.status_code, second.status_code) == (204, 204)
    assert client.get("/user").json() == {
        "error": "invalid_token",
        "error_description": "Token was revoked. You have to re-authorize from the user.",
    }


def test_a_rotated_token_has_a_successor(world: World) -> None:
    person = world.user()
    token = made(world, person, scopes=["read_user", "api"])

    reply = person.client.post(f"/personal_access_tokens/{token['id']}/rotate")
    successor = reply.json()

    assert reply.status_code == 200
    assert (successor["name"], successor["scopes"], successor["expires_at"]) == (
        "robot", ["read_user", "api"], day(7),
    )  # fmt: skip
    assert successor["token"] != token["token"]
    assert world.server.client(token["token"]).get("/user").status_code == 401
    again = person.client.post(f"/personal_access_tokens/{token['id']}/rotate")
    assert again.json() == {"message": "400 Bad request - token already revoked"}


@pytest.mark.parametrize("offset", [-1, 0])
def test_a_day_that_has_begun_makes_a_token_that_has_ended_by_creation_and_by_rotation_alike(
    world: World, offset: int
) -> None:
    person = world.user()
    created = made(world, person, expires_at=day(offset))
    path = f"/personal_access_tokens/{made(world, person)['id']}/rotate"
    rotated = person.client.ok("POST", path, json={"expires_at": day(offset)})

    for token in (created, rotated):
        assert (token["expires_at"], token["active"], token["revoked"]) == (day(offset), False, False)
        assert world.server.client(token["token"]).get("/user").status_code == 401
    # Who holds another token can still replace it by one that works.
    again = person.client.ok("POST", f"/personal_access_tokens/{rotated['id']}/rotate")
    assert world.server.client(again["token"]).get("/user").status_code == 200


def test_reuse_of_a_rotated_token_revokes_its_family(world: World) -> None:
    person = world.user()
    first = made(world, person)
    second = world.server.client(first["token"]).ok(
        "POST", "/personal_access_tokens/self/rotate", json={"expires_at": day(30)}
    )
    assert second["expires_at"] == day(30)
    third = world.server.client(second["token"]).ok("POST", "/personal_access_tokens/self/rotate")
    assert world.server.client(third["token"]).get("/user").status_code == 200

    reuse = world.server.client(first["token"]).post("/personal_access_tokens/self/rotate")

    assert reuse.status_code == 401
    assert world.server.client(third["token"]).get("/user").json()["error"] == "invalid_token"
    assert person.client.get("/user").status_code == 200


@pytest.mark.parametrize("scope", ["read_repository", "write_registry", "read_user", "api"])
def test_any_scope_reads_and_ends_its_own_token(world: World, scope: str) -> None:
    person = world.user()
    client = world.server.client(world.token(person.id, [scope]))

    assert client.ok("GET", "/personal_access_tokens/self")["scopes"] == [scope]
    assert client.delete("/personal_access_tokens/self").status_code == 204
    assert client.get("/personal_access_tokens/self").status_code == 401


def test_self_rotation_has_a_scope_of_its_own(world: World) -> None:
    person = world.user()

    allowed = world.server.client(world.token(person.id, ["self_rotate"])).post("/personal_access_tokens/self/rotate")
    refused = world.server.client(world.token(person.id, ["read_api"])).post("/personal_access_tokens/self/rotate")

    assert allowed.status_code == 200
    assert (refused.status_code, refused.json()["error"]) == (403, "insufficient_scope")


def test_impersonation_tokens(world: World) -> None:
    person = world.user()
    base = f"/users/{person.id}/impersonation_tokens"

    token = world.admin.ok("POST", base, json={"name": "imp", "scopes": ["api"], "expires_at": day(3)})
    client = world.server.client(token["token"])

    assert (token["impersonation"], token["active"]) == (True, True)
    assert client.ok("GET", "/user")["id"] == person.id
    assert [entry["id"] for entry in world.admin.ok("GET", base)] == [token["id"]]
    assert world.admin.get(base, state="inactive").json() == []
    assert world.admin.ok("GET", f"{base}/{token['id']}")["name"] == "imp"
    assert world.admin.delete(f"{base}/{token['id']}").status_code == 204
    assert client.get("/user").status_code == 401
    missing = world.admin.get(f"{base}/999999")
    assert (missing.status_code, missing.json()) == (404, {"message": "404 Impersonation Token Not Found"})
    assert person.client.get(base).status_code == 403
    assert world.admin.get("/users/999999/impersonation_tokens").json() == {"message": "404 User Not Found"}


def test_impersonation_can_be_switched_off(world: World) -> None:
    person = world.user()
    base = f"/users/{person.id}/impersonation_tokens"
    token = world.admin.ok("POST", base, json={"name": "imp", "scopes": ["api"]})
    world.admin.ok("PUT", "/application/settings", json={"impersonation_enabled": False})
    try:
        reply = world.server.client(token["token"]).get("/user")
    finally:
        world.admin.ok("PUT", "/application/settings", json={"impersonation_enabled": True})

    assert (reply.status_code, reply.json()) == (
        401,
        {
            "error": "invalid_token",
            "error_description": "Token is an impersonation token but impersonation was disabled.",
        },
    )
