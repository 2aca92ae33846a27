"""Files and pages outside the API ask for the same scopes and rights as the API does."""

import base64
from datetime import timedelta
from typing import Any

import httpx
import pytest

from ingot.identity import sessions
from ingot.kit.clock import now
from tests.support import plain_http
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

# A picture of one pixel.
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgBAAAAwACS/Xd6gAAAABJRU5ErkJggg==")
NARROW = ("read_user", "self_rotate", "read_repository", "write_repository", "create_runner", "manage_runner")


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def doors(world: World, owner: Person) -> list[str]:
    """Addresses of private files: uploads and avatars of a project and of a group."""
    group = world.group(owner, visibility="private")
    project = world.project(owner, namespace_id=group["id"], visibility="private")
    addresses: list[str] = []
    for place, item in (("projects", project), ("groups", group)):
        client = owner.client
        upload = client.ok("POST", f"/{place}/{item['id']}/uploads", files={"file": ("a.png", PNG)})
        addresses.append(upload["full_path"])
        changed = client.ok("PUT", f"/{place}/{item['id']}", files={"avatar": ("a.png", PNG)})
        addresses.append(httpx.URL(changed["avatar_url"]).path)
    addresses.append(f"/{project['path_with_namespace']}{project_upload(owner, project)}")
    return addresses


def project_upload(owner: Person, project: dict[str, Any]) -> str:
    upload = owner.client.ok("POST", f"/projects/{project['id']}/uploads", files={"file": ("b.png", PNG)})
    return str(upload["url"])


def get(world: World, path: str, **options: Any) -> httpx.Response:
    return plain_http.get(f"{world.server.url}{path}", **options)


def session_of(world: World, user_id: int) -> dict[str, str]:
    with world.server.services.db.write() as tx:
        clear = sessions.open_session(tx, user_id, now() + timedelta(hours=1), {})
    return {"_ingot_session": clear}


def test_tokens_that_cannot_read_the_api_open_no_private_file(world: World, owner: Person, doors: list[str]) -> None:
    for path in doors:
        for scopes in [[scope] for scope in NARROW] + [list(NARROW)]:
            token = world.token(owner.id, scopes)
            ways: list[dict[str, Any]] = [
                {"headers": {"PRIVATE-TOKEN": token}},
                {"headers": {"Authorization": f"Bearer {token}"}},
                {"params": {"private_token": token}},
            ]
            assert [get(world, path, **way).status_code for way in ways] == [404] * 3, (path, scopes)


def test_tokens_that_read_the_api_open_them(world: World, owner: Person, doors: list[str]) -> None:
    for scope in ("api", "read_api"):
        token = world.token(owner.id, [scope])
        assert {get(world, path, headers={"PRIVATE-TOKEN": token}).status_code for path in doors} == {200}


def test_a_narrow_token_still_reads_what_is_public(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="public")
    path = f"/{project['path_with_namespace']}{project_upload(owner, project)}"

    assert get(world, path, headers={"PRIVATE-TOKEN": world.token(owner.id, ["read_user"])}).status_code == 200


def test_a_session_opens_what_its_person_may_see(world: World, owner: Person, doors: list[str]) -> None:
    stranger = world.user()

    for path in doors:
        assert get(world, path, cookies=session_of(world, owner.id)).status_code == 200
        assert get(world, path, cookies=session_of(world, stranger.id)).status_code == 404
        assert get(world, path, cookies={"_ingot_session": "wrong"}).status_code == 404


def test_a_session_writes_over_the_api_only_with_the_token_of_our_forms(world: World, owner: Person) -> None:
    cookies, others = session_of(world, owner.id), session_of(world, world.user().id)
    page = get(world, "/-/user_settings/profile", cookies=cookies).text
    token, status = page.partition('name="csrf-token" content="')[2].partition('"')[0], "/api/v4/user/status"

    def write(**headers: str) -> httpx.Response:
        return plain_http.request(
            "PUT", world.server.url + status, json={"message": "x"}, cookies=cookies, headers=headers
        )

    assert get(world, "/api/v4/user", cookies=cookies).json()["id"] == owner.id
    assert (write().status_code, write(**{"X-CSRF-Token": "00" * 64}).status_code) == (401, 401)
    assert write(**{"X-CSRF-Token": token}).status_code == 200
    stolen = {"X-CSRF-Token": token}
    foreign = plain_http.request(
        "PUT", world.server.url + status, json={"message": "y"}, cookies=others, headers=stolen
    )
    assert foreign.status_code == 401
    assert get(world, "/api/v4/user?sudo=root", cookies=cookies).status_code == 401


def test_the_session_of_a_blocked_person_opens_nothing(world: World, doors: list[str]) -> None:
    member = world.user(admin=True)
    cookies = session_of(world, member.id)
    assert {get(world, path, cookies=cookies).status_code for path in doors} == {200}

    world.admin.ok("POST", f"/users/{member.id}/block")

    assert {get(world, path, cookies=cookies).status_code for path in doors} == {404}
    world.admin.ok("POST", f"/users/{member.id}/unblock")
    assert {get(world, path, cookies=cookies).status_code for path in doors} == {404}  # it has ended for good


def test_a_password_that_an_administrator_sets_ends_the_sessions(world: World, doors: list[str]) -> None:
    member = world.user(admin=True)
    cookies = session_of(world, member.id)
    world.admin.ok("PUT", f"/users/{member.id}", json={"name": "Renamed"})
    assert get(world, doors[0], cookies=cookies).status_code == 200

    world.admin.ok("PUT", f"/users/{member.id}", json={"password": "Another-Phrase-99"})

    assert get(world, doors[0], cookies=cookies).status_code == 404


def test_administrators_need_the_admin_mode_where_it_is_on(world: World, doors: list[str]) -> None:
    boss = world.user(admin=True)
    plain, raised = world.token(boss.id, ["api"]), world.token(boss.id, ["api", "admin_mode"])
    root = world.server.client(world.token(1, ["api", "admin_mode"]))
    root.ok("PUT", "/application/settings", json={"admin_mode": True})
    try:
        for path in doors:
            assert get(world, path, headers={"PRIVATE-TOKEN": plain}).status_code == 404
            assert get(world, path, headers={"PRIVATE-TOKEN": raised}).status_code == 200
            assert get(world, path, cookies=session_of(world, boss.id)).status_code == 404
    finally:
        root.ok("PUT", "/application/settings", json={"admin_mode": False})


@pytest.mark.parametrize("path", ["projects%0A", "%0Aprojects", "projects/1%0A2/issues", "no%0Aplace"])
def test_a_path_with_a_line_break_is_unknown_like_any_other(world: World, path: str) -> None:
    answer = get(world, f"/api/v4/{path}")

    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json() in ({"error": "404 Not Found"}, {"message": "404 Project Not Found"})
