"""Every accepted form of a token, their precedence, and the exact refusals."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.support import plain_http
from tests.support.world import Person, World

UNAUTHORIZED = {"message": "401 Unauthorized"}
EXPIRED = "Token is expired. You can either do re-authorization or token refresh."
REVOKED = "Token was revoked. You have to re-authorize from the user."
HIGHER = "The request requires higher privileges than provided by the access token."


def ask(world: World, path: str = "/user", method: str = "GET", **options: Any) -> httpx.Response:
    return plain_http.request(method, f"{world.server.url}/api/v4{path}", **options)


@pytest.fixture(scope="module")
def person(world: World) -> Person:
    return world.user()


def yesterday() -> date:
    return datetime.now(UTC).date() - timedelta(days=1)


@pytest.mark.parametrize(
    "form",
    [
        lambda token: {"headers": {"PRIVATE-TOKEN": token}},
        lambda token: {"headers": {"private-token": token}},
        lambda token: {"headers": {"Authorization": f"Bearer {token}"}},
        lambda token: {"headers": {"authorization": f"bearer {token}"}},
        lambda token: {"params": {"private_token": token}},
        lambda token: {"params": {"access_token": token}},
        lambda token: {"params": {"bearer_token": token}},
    ],
)
def test_every_form_is_accepted(world: World, person: Person, form: Any) -> None:
    reply = ask(world, **form(person.token))

    assert (reply.status_code, reply.json()["id"]) == (200, person.id)


def test_a_token_in_the_body_is_accepted(world: World, person: Person) -> None:
    reply = ask(world, "/user/status", "PUT", json={"message": "hi", "private_token": person.token})

    assert reply.status_code == 200


def test_the_parameter_beats_the_header_which_beats_bearer(world: World, person: Person) -> None:
    other = world.user()

    first = ask(world, params={"private_token": person.token}, headers={"PRIVATE-TOKEN": other.token})
    second = ask(world, headers={"PRIVATE-TOKEN": person.token, "Authorization": f"Bearer {other.token}"})

    assert (first.json()["id"], second.json()["id"]) == (person.id, person.id)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"headers": {"PRIVATE-TOKEN": ""}},
        {"params": {"private_token": ""}},
        {"headers": {"Authorization": "Basic cm9vdDpyb290"}},
        {"headers": {"JOB-TOKEN": "whatever"}},
        {"params": {"job_token": "whatever"}},
        {"headers": {"Deploy-Token": "whatever"}},
    ],
)
def test_what_is_no_token_here_is_anonymous(world: World, options: dict[str, Any]) -> None:
    assert ask(world, **options).json() == UNAUTHORIZED
    assert ask(world, "/users?username=root", **options).status_code == 200 if "params" not in options else True


@pytest.mark.parametrize(
    "options",
    [
        {"headers": {"PRIVATE-TOKEN": "glpat-unknown-unknown-1234"}},
        {"headers": {"Authorization": "Bearer garbage"}},
        {"params": {"private_token": "x", "username": "root"}},
    ],
)
def test_an_unknown_token_fails_even_where_anonymous_may_read(world: World, options: dict[str, Any]) -> None:
    path = "/users" if "params" in options else "/users?username=root"

    reply = ask(world, path, **options)

    assert (reply.status_code, reply.json()) == (401, UNAUTHORIZED)
    assert "www-authenticate" not in reply.headers


@pytest.mark.parametrize(("more", "text"), [({"expires_at": yesterday()}, EXPIRED), ({}, REVOKED)])
def test_dead_tokens_say_why(world: World, person: Person, more: dict[str, Any], text: str) -> None:
    token = world.token(person.id, ["read_repository"], **more)
    if not more:
        client = world.server.client(world.token(person.id, ["api"]))
        own = world.server.client(token).ok("GET", "/personal_access_tokens/self")["id"]
        assert client.delete(f"/personal_access_tokens/{own}").status_code == 204

    reply = ask(world, headers={"PRIVATE-TOKEN": token})

    assert (reply.status_code, reply.json()) == (401, {"error": "invalid_token", "error_description": text})
    assert reply.headers["www-authenticate"] == (
        f'Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="{text}"'
    )


def test_a_token_dies_at_the_start_of_its_last_day(world: World, person: Person) -> None:
    today = datetime.now(UTC).date()

    assert ask(world, headers={"PRIVATE-TOKEN": world.token(person.id, ["api"], expires_at=today)}).status_code == 401
    tomorrow = world.token(person.id, ["api"], expires_at=today + timedelta(days=1))
    assert ask(world, headers={"PRIVATE-TOKEN": tomorrow}).status_code == 200


@pytest.mark.parametrize(
    ("scope", "method", "path", "status"),
    [
        ("api", "GET", "/user", 200),
        ("api", "PUT", "/user/status", 200),
        ("read_api", "GET", "/user", 200),
        ("read_api", "HEAD", "/user", 200),
        ("read_api", "GET", "/projects", 200),
        ("read_api", "PUT", "/user/status", 403),
        ("read_user", "GET", "/user", 200),
        ("read_user", "GET", "/users", 200),
        ("read_user", "GET", "/version", 200),
        ("read_user", "GET", "/projects", 403),
        ("read_user", "PUT", "/user/status", 403),
        ("ai_features", "GET", "/version", 200),
        ("read_repository", "GET", "/user", 403),
        ("write_repository", "GET", "/projects", 403),
        ("sudo", "GET", "/user", 403),
    ],
)
def test_scopes_open_what_they_should(
    world: World, person: Person, scope: str, method: str, path: str, status: int
) -> None:
    token = world.token(person.id, [scope])

    assert ask(world, path, method, headers={"PRIVATE-TOKEN": token}).status_code == status


@pytest.mark.parametrize(
    ("path", "scopes"),
    [
        ("/projects", "api read_api"),
        ("/user", "read_user api read_api"),
        ("/version", "read_user ai_features api read_api"),
    ],
)
def test_a_scope_that_is_too_small_is_named(world: World, person: Person, path: str, scopes: str) -> None:
    reply = ask(world, path, headers={"PRIVATE-TOKEN": world.token(person.id, ["read_registry"])})

    assert (reply.status_code, reply.json()) == (
        403,
        {"error": "insufficient_scope", "error_description": HIGHER, "scope": scopes},
    )


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ("blocked", "Your account has been blocked."),
        ("banned", "Your account has been blocked."),
        (
            "blocked_pending_approval",
            "Your account is pending approval from your administrator and hence blocked.",
        ),
        (
            "deactivated",
            (
                "Your account has been deactivated by your administrator. Please log back in from a web browser to"
                " reactivate your account at {url}"
            ),
        ),
    ],
)
def test_people_who_may_not_enter_are_told_why(world: World, state: str, text: str) -> None:
    person = world.user()
    with world.server.services.db.write() as tx:
        tx.exec_driver_sql(f"UPDATE users SET state = '{state}' WHERE id = {person.id}")

    reply = person.client.get("/user")

    expected = f"403 Forbidden - {text.format(url=world.server.url)}"
    assert (reply.status_code, reply.json()) == (403, {"message": expected})


def test_an_expired_password_and_the_ghost_are_refused(world: World) -> None:
    person, ghost = world.user(), world.user()
    with world.server.services.db.write() as tx:
        tx.exec_driver_sql(f"UPDATE users SET password_expires_at = '2001-01-01 00:00:00' WHERE id = {person.id}")
        tx.exec_driver_sql(f"UPDATE users SET kind = 'ghost' WHERE id = {ghost.id}")

    expired, internal = person.client.get("/user"), ghost.client.get("/user")

    assert expired.json() == {
        "message": "403 Forbidden - Your password expired. Please access GitLab from a web browser to update your"
        " password."
    }
    assert internal.json() == {"message": "403 Forbidden - This action cannot be performed by internal users"}
    with world.server.services.db.write() as tx:
        tx.exec_driver_sql(f"UPDATE users SET kind = 'human' WHERE id = {ghost.id}")


@pytest.fixture(scope="module")
def sudoer(world: World) -> str:
    return world.token(1, ["api", "sudo"])


def test_sudo_acts_as_somebody_else(world: World, person: Person, sudoer: str) -> None:
    for options in (
        {"headers": {"PRIVATE-TOKEN": sudoer, "Sudo": person.username.upper()}},
        {"headers": {"PRIVATE-TOKEN": sudoer, "Sudo": str(person.id)}},
        {"headers": {"PRIVATE-TOKEN": sudoer}, "params": {"sudo": person.username}},
        {"headers": {"PRIVATE-TOKEN": sudoer}, "params": {"sudo": person.id}},
    ):
        assert ask(world, **options).json()["id"] == person.id


@pytest.mark.parametrize("form", ["text", "number"])
def test_sudo_in_a_body_may_be_a_number(world: World, person: Person, sudoer: str, form: str) -> None:
    body = {"name": world.name("theirs"), "sudo": person.id if form == "number" else str(person.id)}

    reply = plain_http.post(f"{world.server.url}/api/v4/projects", json=body, headers={"PRIVATE-TOKEN": sudoer})

    assert (reply.status_code, reply.json()["creator_id"]) == (201, person.id)


@pytest.mark.parametrize("query", ["sudo[]=root", "sudo[a]=root", "sudo=%C2%B2"])
def test_a_sudo_that_names_nobody_is_never_passed_over(world: World, sudoer: str, query: str) -> None:
    reply = plain_http.get(f"{world.server.url}/api/v4/user?{query}", headers={"PRIVATE-TOKEN": sudoer})

    assert reply.status_code in (400, 404)


def test_a_number_in_sudo_is_an_id_even_where_somebody_has_it_as_a_name(world: World, sudoer: str) -> None:
    first = world.user()
    while first.id < 10:  # names have two characters at least
        first = world.user()
    world.user(username=str(first.id))

    reply = plain_http.get(f"{world.server.url}/api/v4/user?sudo={first.id}", headers={"PRIVATE-TOKEN": sudoer})

    assert reply.json()["id"] == first.id


def test_sudo_is_refused_for_every_documented_reason(world: World, person: Person, sudoer: str) -> None:
    def answer_to(token: str | None, whom: str) -> tuple[int, Any]:
        headers = {"Sudo": whom} | ({"PRIVATE-TOKEN": token} if token else {})
        reply = ask(world, headers=headers)
        return reply.status_code, reply.json()

    assert answer_to(None, "root") == (401, UNAUTHORIZED)
    assert answer_to(person.token, "root") == (403, {"message": "403 Forbidden - Must be admin to use sudo"})
    assert answer_to(world.token(1, ["api"]), "root") == (
        403,
        {"error": "insufficient_scope", "error_description": HIGHER, "scope": "sudo"},
    )
    assert answer_to(sudoer, "no-body") == (404, {"message": "404 User with ID or username 'no-body' Not Found"})
    assert answer_to(sudoer, "999999") == (404, {"message": "404 User with ID or username '999999' Not Found"})


def test_a_token_remembers_when_it_was_used(world: World) -> None:
    person = world.user()
    before = world.admin.ok("GET", f"/personal_access_tokens?user_id={person.id}")[0]["last_used_at"]

    person.client.get("/user")

    after = world.admin.ok("GET", f"/personal_access_tokens?user_id={person.id}")[0]["last_used_at"]
    assert before is None
    assert after is not None
    assert world.admin.ok("GET", f"/users/{person.id}")["last_activity_on"] == datetime.now(UTC).date().isoformat()


def test_admin_mode_takes_the_powers_of_tokens_without_its_scope(world: World) -> None:
    plain = world.server.client(world.token(1, ["api"]))
    world.admin.ok("PUT", "/application/settings", json={"admin_mode": True})
    try:
        assert plain.get("/features").status_code == 403
        assert world.server.client(world.token(1, ["api", "admin_mode"])).get("/features").status_code == 200
    finally:
        world.admin.ok("PUT", "/application/settings", json={"admin_mode": False})
    assert plain.get("/features").status_code == 200


def test_only_a_digest_of_a_token_is_stored(world: World, person: Person) -> None:
    with world.server.services.db.read() as conn:
        rows = conn.exec_driver_sql("SELECT * FROM personal_access_tokens").all()

    assert person.token not in str(rows)
