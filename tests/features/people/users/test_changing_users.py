from typing import Any

import pytest

from tests.support.world import World


def request_body(world: World, **more: Any) -> dict[str, Any]:
    name = world.name("made")
    return {
        "username": name,
        "name": "Somebody New",
        "email": f"{name}@example.com",
        "password": "tRee-9-clouds",
        **more,
    }


def test_a_created_user_is_shown_in_full(world: World) -> None:
    reply = world.admin.post(
        "/users", json=request_body(world, note="vip", projects_limit=3, external=True, admin=False)
    )

    assert reply.status_code == 201
    created = reply.json()
    assert (created["note"], created["projects_limit"], created["external"]) == ("vip", 3, True)
    assert created["created_by"]["username"] == "root"
    assert created["confirmed_at"] is None


def test_what_is_missing_is_named(world: World) -> None:
    reply = world.admin.post("/users", json={})

    assert reply.json() == {
        "error": "email is missing, name is missing, username is missing, password, reset_password,"
        " force_random_password are missing, at least one parameter must be provided"
    }


def test_taken_names_conflict(world: World) -> None:
    first = request_body(world)
    world.admin.ok("POST", "/users", json=first)

    email = world.admin.post("/users", json=request_body(world, email=first["email"].upper()))
    username = world.admin.post("/users", json=request_body(world, username=first["username"].upper()))

    assert (email.status_code, email.json()) == (409, {"message": "Email has already been taken"})
    assert (username.status_code, username.json()) == (409, {"message": "Username has already been taken"})


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"password": "a1-b2"}, {"password": ["is too short (minimum is 8 characters)"]}),
        (
            {"password": "password123"},
            {"password": ["must not contain commonly used combinations of words and letters"]},
        ),
        ({"bio": "x" * 256}, {"bio": ["is too long (maximum is 255 characters)"]}),
        ({"name": " "}, {"name": ["can't be blank"]}),
        ({"email": "nobody"}, {"email": ["is invalid"]}),
        ({"username": "admin"}, {"username": ["admin is a reserved name"]}),
        (
            {"username": "-x"},
            {
                "username": [
                    (
                        "can contain only letters, digits, '_', '-' and '.'."
                        " Cannot start with '-' or end in '.', '.git' or '.atom'."
                    ),
                    (
                        "can only include non-accented letters, digits, '_', '-' and '.'."
                        " It must not start with '-', end in '.', '.git', or '.atom'."
                    ),
                ]
            },
        ),
        ({"projects_limit": -1}, {"projects_limit": ["must be greater than or equal to 0"]}),
    ],
)
def test_invalid_values_are_named(world: World, more: dict[str, Any], expected: dict[str, Any]) -> None:
    reply = world.admin.post("/users", json=request_body(world, **more))

    assert (reply.status_code, reply.json()) == (400, {"message": expected})


def test_only_administrators_create_edit_and_delete(world: World) -> None:
    person, other = world.user(), world.user()
    calls = [("POST", "/users"), ("PUT", f"/users/{other.id}"), ("DELETE", f"/users/{other.id}")]

    for method, path in calls:
        assert world.anonymous.request(method, path).status_code == 401
        body = request_body(world)
        assert person.client.request(method, path, json=body).json() == {"message": "403 Forbidden"}


def test_an_edit_changes_only_what_is_sent(world: World) -> None:
    person = world.user(bio="before", location="Here")

    reply = world.admin.put(f"/users/{person.id}", json={"bio": "after", "admin": True, "note": "n"})

    shown = reply.json()
    assert reply.status_code == 200
    assert (shown["bio"], shown["location"], shown["is_admin"], shown["note"]) == ("after", "Here", True, "n")


def test_a_new_user_name_moves_the_namespace(world: World) -> None:
    person = world.user()
    renamed = world.name("renamed")

    world.admin.ok("PUT", f"/users/{person.id}", json={"username": renamed})

    assert person.client.ok("GET", "/user")["username"] == renamed
    again = world.admin.post("/users", json=request_body(world, username=renamed))
    assert again.status_code == 409
    free = world.admin.post("/users", json=request_body(world, username=person.username))
    assert free.status_code == 201


def test_editing_a_missing_user_is_not_found(world: World) -> None:
    reply = world.admin.put("/users/999999", json={"name": "X"})

    assert (reply.status_code, reply.json()) == (404, {"message": "404 User Not Found"})


def test_a_deleted_user_is_gone_with_their_tokens(world: World) -> None:
    person = world.user()

    reply = world.admin.delete(f"/users/{person.id}")

    assert (reply.status_code, reply.content) == (204, b"")
    assert world.admin.get(f"/users/{person.id}").status_code == 404
    assert person.client.get("/user").json() == {"message": "401 Unauthorized"}
    assert world.admin.post("/users", json=request_body(world, username=person.username)).status_code == 201


def test_a_delete_can_ask_for_an_unchanged_record(world: World) -> None:
    person = world.user()

    refused = world.admin.delete(
        f"/users/{person.id}", headers={"If-Unmodified-Since": "Wed, 21 Oct 2015 07:28:00 GMT"}
    )
    ignored = world.admin.delete(f"/users/{person.id}", headers={"If-Unmodified-Since": "whenever"})

    assert (refused.status_code, refused.json()) == (412, {"message": "412 Precondition Failed"})
    assert ignored.status_code == 204


@pytest.mark.parametrize(
    ("verb", "state", "back", "restored"),
    [
        ("block", "blocked", "unblock", "active"),
        ("ban", "banned", "unban", "active"),
        ("deactivate", "deactivated", "activate", "active"),
    ],
)
def test_states_move_there_and_back(world: World, verb: str, state: str, back: str, restored: str) -> None:
    created = world.admin.ok("POST", "/users", json=request_body(world))

    there = world.admin.post(f"/users/{created['id']}/{verb}")
    assert (there.status_code, there.json()) == (201, True)
    assert world.admin.ok("GET", f"/users/{created['id']}")["state"] == state
    assert world.admin.post(f"/users/{created['id']}/{back}").json() is True
    assert world.admin.ok("GET", f"/users/{created['id']}")["state"] == restored


@pytest.mark.parametrize(
    ("verb", "state", "status", "text"),
    [
        ("unblock", "deactivated", 403, "403 Forbidden - Deactivated users cannot be unblocked by the API"),
        ("deactivate", "blocked", 403, "403 Forbidden - A blocked user cannot be deactivated by the API"),
        ("activate", "blocked", 403, "403 Forbidden - A blocked user must be unblocked to be activated"),
        ("ban", "blocked", 403, "You cannot ban blocked users."),
        ("unban", "active", 403, "You cannot unban active users."),
        ("approve", "active", 409, "The user you are trying to approve is not pending approval"),
        ("reject", "active", 409, "User does not have a pending request"),
    ],
)
def test_moves_from_a_wrong_state_are_refused(world: World, verb: str, state: str, status: int, text: str) -> None:
    created = world.admin.ok("POST", "/users", json=request_body(world))
    with world.server.services.db.write() as tx:
        tx.exec_driver_sql(f"UPDATE users SET state = '{state}' WHERE id = {created['id']}")

    reply = world.admin.post(f"/users/{created['id']}/{verb}")

    assert (reply.status_code, reply.json()) == (status, {"message": text})


def test_people_who_wait_are_approved_or_rejected(world: World) -> None:
    first, second = (world.admin.ok("POST", "/users", json=request_body(world)) for _ in range(2))
    with world.server.services.db.write() as tx:
        tx.exec_driver_sql(
            f"UPDATE users SET state = 'blocked_pending_approval' WHERE id IN ({first['id']}, {second['id']})"
        )

    assert world.admin.post(f"/users/{first['id']}/approve").json() is True
    assert world.admin.post(f"/users/{second['id']}/reject").json() is True
    assert world.admin.ok("GET", f"/users/{first['id']}")["state"] == "active"
    assert world.admin.get(f"/users/{second['id']}").status_code == 404


def test_nobody_blocks_themselves(world: World) -> None:
    me = world.admin.ok("GET", "/user")["id"]

    reply = world.admin.post(f"/users/{me}/block")

    assert (reply.status_code, reply.json()) == (
        403,
        {"message": "403 Forbidden - The API initiating user cannot be blocked by the API"},
    )


def test_following_and_leaving(world: World) -> None:
    person, other = world.user(), world.user()

    followed = person.client.post(f"/users/{other.id}/follow")
    again = person.client.post(f"/users/{other.id}/follow")
    shown = person.client.ok("GET", f"/users/{other.id}")
    left = person.client.post(f"/users/{other.id}/unfollow")

    assert (followed.status_code, again.status_code, left.status_code) == (201, 304, 201)
    assert (shown["followers"], shown["is_followed"]) == (1, True)
    assert person.client.post(f"/users/{other.id}/unfollow").status_code == 304


def test_followers_are_listed(world: World) -> None:
    person, other = world.user(), world.user()
    person.client.ok("POST", f"/users/{other.id}/follow")

    assert [entry["id"] for entry in other.client.ok("GET", f"/users/{other.id}/followers")] == [person.id]
    assert [entry["id"] for entry in other.client.ok("GET", f"/users/{person.id}/following")] == [other.id]


def test_a_picture_is_taken_and_removed(world: World) -> None:
    person = world.user()
    picture = b"\x89PNG\r\n\x1a\n" + b"0" * 20

    with_picture = world.admin.request("PUT", f"/users/{person.id}", files={"avatar": ("me.png", picture)})
    url = with_picture.json()["avatar_url"]
    bad = world.admin.request("PUT", f"/users/{person.id}", files={"avatar": ("me.svg", b"<svg/>")})

    assert url == f"{world.server.url}/uploads/-/system/user/avatar/{person.id}/me.png"
    assert person.client.http.get(url).content == picture
    assert list(bad.json()["message"]) == ["avatar"]
    gone = world.admin.put(f"/users/{person.id}", json={"avatar": None})
    assert "gravatar" in gone.json()["avatar_url"]


@pytest.mark.parametrize(
    ("verb", "state"),
    [("block", "blocked"), ("ban", "banned"), ("deactivate", "deactivated"), ("activate", "active"),
     ("unblock", "active")],
)  # fmt: skip
def test_a_move_into_the_same_state_answers_null_or_false(world: World, verb: str, state: str) -> None:
    person = world.user()
    if state != "active":
        first = world.admin.post(f"/users/{person.id}/{verb}")
        assert (first.status_code, first.json()) == (201, True)

    again = world.admin.post(f"/users/{person.id}/{verb}")

    assert (again.status_code, again.text) == (201, "false" if verb == "unblock" else "null")
    assert world.admin.ok("GET", f"/users/{person.id}")["state"] == state
