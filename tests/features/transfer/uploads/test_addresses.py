"""The addresses that descriptions point at, as a browser asks for them."""

from typing import Any

import httpx
import pytest

from tests.support import plain_http
from tests.support.world import Person, World

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


@pytest.fixture(scope="module")
def anna(world: World) -> Person:
    return world.user()


def attach(person: Person, item: str, name: str = "dk.png", content: bytes = PNG) -> dict[str, Any]:
    created: dict[str, Any] = person.client.ok("POST", f"{item}/uploads", files={"file": (name, content)})
    return created


def get(world: World, path: str, token: str | None = None, **headers: str) -> httpx.Response:
    if token is not None:
        headers["PRIVATE-TOKEN"] = token
    return plain_http.get(f"{world.server.url}{path}", headers=headers)


def test_a_private_file_needs_access(world: World, anna: Person) -> None:
    project = world.project(anna)
    created = attach(anna, f"/projects/{project['id']}")
    by_path = f"/{project['path_with_namespace']}{created['url']}"

    for path in (created["full_path"], by_path):
        assert get(world, path).status_code == 404
        assert get(world, path, world.user().token).status_code == 404
        mine = get(world, path, anna.token)
        assert (mine.status_code, mine.content, mine.headers["content-type"]) == (200, PNG, "image/png")


def test_a_public_file_needs_none_and_survives_a_rename(world: World, anna: Person) -> None:
    project = world.project(anna, visibility="public")
    created = attach(anna, f"/projects/{project['id']}")
    old = f"/{project['path_with_namespace']}{created['url']}"

    anna.client.ok("PUT", f"/projects/{project['id']}", json={"path": world.name("renamed")})

    assert [get(world, path).status_code for path in (created["full_path"], old)] == [200, 200]
    assert get(world, created["full_path"].replace("dk", "other")).status_code == 404
    assert get(world, created["full_path"][:-7] + "%00.png").status_code == 404
    assert get(world, f"/-/snippet/1{created['url']}").status_code == 404


def test_a_project_may_open_its_pictures_to_whoever_knows_the_address(world: World, anna: Person) -> None:
    project = world.project(anna)
    place = f"/projects/{project['id']}"
    picture, text = attach(anna, place), attach(anna, place, "a.txt", b"text")
    disguised = attach(anna, place, "b.png", b"<script>")

    anna.client.ok("PUT", place, json={"enforce_auth_checks_on_uploads": False})

    result = [get(world, created["full_path"]).status_code for created in (picture, text, disguised)]
    assert result == [200, 404, 404]
    assert get(world, f"/{project['path_with_namespace'].upper()}{picture['url']}").status_code == 200


def test_files_of_groups_need_access(world: World, anna: Person) -> None:
    private, public = world.group(anna), world.group(anna, visibility="public")
    created = [attach(anna, f"/groups/{group['id']}") for group in (private, public)]
    paths = [created[0]["full_path"], f"/groups/{private['full_path']}/-{created[0]['url']}", created[1]["full_path"]]

    assert [get(world, path).status_code for path in paths] == [404, 404, 200]
    assert [get(world, path, anna.token).status_code for path in paths] == [200, 200, 200]


@pytest.mark.parametrize(
    ("name", "content", "shown", "media"),
    [
        ("a.png", PNG, "inline", "image/png"),
        ("a.jpg", b"\xff\xd8\xff\xe0rest", "inline", "image/jpeg"),
        ("a.svg", b"<svg onload='alert(1)'/>", "attachment", "application/octet-stream"),
        ("a.html", b"<script>alert(1)</script>", "attachment", "application/octet-stream"),
        ("a.png", b"<html><script>", "attachment", "application/octet-stream"),
        ("a.pdf", b"%PDF-1.7", "attachment", "application/octet-stream"),
        ("a.mp4", b"<script>", "attachment", "video/mp4"),
        ("empty.txt", b"", "attachment", "application/octet-stream"),
    ],
)
def test_only_pictures_are_shown(world: World, anna: Person, name: str, content: bytes, shown: str, media: str) -> None:
    created = attach(anna, f"/projects/{world.project(anna)['id']}", name, content)

    answer = get(world, created["full_path"], anna.token)

    assert answer.content == content
    assert answer.headers["content-disposition"].partition(";")[0] == shown
    assert answer.headers["content-type"] == media
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


def test_a_known_file_is_not_sent_again(world: World, anna: Person) -> None:
    created = attach(anna, f"/projects/{world.project(anna)['id']}")
    first = get(world, created["full_path"], anna.token)

    again = get(world, created["full_path"], anna.token, **{"If-None-Match": first.headers["etag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert get(world, created["full_path"], anna.token, Range="bytes=900-").status_code == 416
