"""Files of users in a browser: whatever somebody uploads or commits is shown or downloaded, and never run as us."""

from typing import Any

import httpx
import pytest

from tests.support import plain_http
from tests.support.world import Person, World

PAGE = b"<!doctype html><script>alert(document.domain)</script>"
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.domain)</script></svg>'
FILES = {"x.html": PAGE, "x.svg": DRAWING, "x.xml": b"<?xml version='1.0'?>" + DRAWING, "x.js": b"alert(1)", "x": PAGE}
NAMES = ['a"; filename="b.html', "a\r\nX-Evil: 1.txt", "../../etc/passwd", "a%0d%0ab.txt", "\u202etxt.exe", "a;b=c.txt"]


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, visibility="public", initialize_with_readme=True)


def assert_still(answer: httpx.Response) -> None:
    """No browser runs it: another type than it has is not guessed, and what is shown is locked in."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "x-evil" not in answer.headers
    shown = answer.headers["content-type"].partition(";")[0]
    is_attachment = answer.headers.get("content-disposition", "").startswith("attachment")
    assert is_attachment or shown in ("text/plain", "application/octet-stream"), answer.headers


@pytest.mark.parametrize("name", FILES)
def test_uploads_are_downloaded(world: World, owner: Person, project: dict[str, Any], name: str) -> None:
    files = {"file": (name, FILES[name], "text/html")}
    created = owner.client.ok("POST", f"/projects/{project['id']}/uploads", files=files)
    assert_still(plain_http.get(world.server.url + created["full_path"]))
    assert_still(owner.client.get(f"/projects/{project['id']}/uploads/{created['id']}"))


@pytest.mark.parametrize("name", NAMES)
def test_names_stay_inside_their_header(world: World, owner: Person, project: dict[str, Any], name: str) -> None:
    created = owner.client.post(f"/projects/{project['id']}/uploads", files={"file": (name, PAGE, "text/html")})
    if created.status_code == 201:
        assert_still(plain_http.get(world.server.url + created.json()["full_path"]))
    else:
        assert created.status_code == 400, created.text


@pytest.mark.parametrize("name", [*FILES, 'q"uote.html', "semi;colon.html"])
def test_committed_files_are_text(world: World, owner: Person, project: dict[str, Any], name: str) -> None:
    content = FILES.get(name, PAGE).decode()
    branch = world.name("files")
    action = {"action": "create", "file_path": name, "content": content}
    body = {"branch": branch, "start_branch": "main", "commit_message": "Add", "actions": [action]}
    created = owner.client.post(f"/projects/{project['id']}/repository/commits", json=body)
    if created.status_code == 400:
        return  # a name that no repository takes
    path = name.replace('"', "%22").replace(";", "%3B")
    base = f"/projects/{project['id']}/repository"
    assert_still(world.anonymous.get(f"{base}/files/{path}/raw", ref=branch))
    blob = owner.client.ok("GET", f"{base}/files/{path}", params={"ref": branch})["blob_id"]
    assert_still(world.anonymous.get(f"{base}/blobs/{blob}/raw"))


def test_pages_and_errors_carry_the_same_headers(world: World) -> None:
    for path in ("/", "/-/health", "/no/such/page", "/api/v4/version", "/api/v4/nothing", "/api/v4/projects",
                 "/groups/x/-/saml/sso", "/-/user_settings/personal_access_tokens", "/x/y.git/info/refs",
                 "/-/asset/0/00"):  # fmt: skip
        answer = plain_http.get(world.server.url + path)
        assert answer.headers["x-content-type-options"] == "nosniff", path
        assert answer.headers["content-security-policy"].startswith("default-src 'none'"), path
        assert answer.headers["x-frame-options"] in ("DENY", "SAMEORIGIN"), path
        assert answer.headers["referrer-policy"] == "no-referrer", path
        remaining = answer.headers["cache-control"]
        assert "private" in remaining or "no-store" in remaining or "no-cache" in remaining, (path, remaining)
