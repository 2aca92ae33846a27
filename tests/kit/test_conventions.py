"""The conventions that every endpoint shares, over HTTP: order of checks, malformed input, methods, headers."""

import gc
import json
import socket
from typing import Any

import pytest

from tests.support import plain_http
from tests.support.world import World

NOT_FOUND = {"error": "404 Not Found"}


def raw(world: World, head: str, body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
    """A request exactly as written; httpx would tidy it."""
    host, port = world.server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(f"{head}\r\nHost: x\r\nConnection: close\r\n".encode("latin-1"))
        connection.sendall(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    top, _, content = answer.partition(b"\r\n\r\n")
    lines = top.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
    return int(lines[0].split()[1]), headers, content


@pytest.mark.parametrize(
    "path",
    [
        "/api/v4/users?search=%00",
        "/api/v4/users?search=%ff",
        "/api/v4/users?%00=1",
        "/api/v4/users/%00",
        "/api/v4/users/%zz",
        "/api/v4/nowhere?x=%00",
        "/api/v4/projects/%ff",
    ],
)
def test_unreadable_paths_and_queries_are_plain_bad_requests(world: World, path: str) -> None:
    status, headers, body = raw(world, f"GET {path} HTTP/1.1")

    assert (status, body) == (400, b"Bad Request")
    assert headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{"),
        ("application/json", b"\xff\xfe"),
        ("application/json", b'{"name": "a\\u0000b"}'),
        ("application/x-www-form-urlencoded", b"name=%00"),
        ("application/x-www-form-urlencoded", b"name=%ff"),
        ("multipart/form-data; boundary=x", b"nonsense"),
    ],
)
def test_unreadable_bodies_are_refused_before_anything_else(world: World, kind: str, body: bytes) -> None:
    reply = world.anonymous.request("POST", "/users", content=body, headers={"Content-Type": kind})

    assert (reply.status_code, reply.text) == (400, "Bad Request")


@pytest.mark.parametrize("charset", ["", "; charset=utf-8", "; charset=utf-7", "; charset=no-such"])
def test_parts_that_are_no_text_are_a_bad_request(world: World, charset: str) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n\xff\xfe\r\n--x--\r\n'
    kind = f"multipart/form-data; boundary=x{charset}"

    reply = world.admin.request("POST", "/projects", content=body, headers={"Content-Type": kind})

    assert (reply.status_code, reply.text) == (400, "Bad Request")


def test_an_authorization_that_is_no_text_is_a_bad_request(world: World) -> None:
    status, _, body = raw(world, "GET /api/v4/user HTTP/1.1\r\nAuthorization: Bearer \xff\xfe")

    assert (status, body) == (400, b"Bad Request")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v4/nowhere", "/api/v4_or_whatever", "/api/v4", "/api/v4/", "/api/v5/users",
        "/api/v4//nowhere", "/api/v4/projects/a/b", "/api/v4/users/name",
    ],
)  # fmt: skip
def test_unknown_routes_answer_without_looking_at_the_token(world: World, path: str) -> None:
    reply = plain_http.get(f"{world.server.url}{path}", headers={"PRIVATE-TOKEN": "garbage"})

    assert (reply.status_code, reply.json()) == (404, NOT_FOUND)
    assert reply.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path", ["/api/v4//user", "//api/v4/user", "/api//v4///user", "/api/v4/user//", "/api/v3//user"]
)
def test_doubled_slashes_mean_one(world: World, path: str) -> None:
    person = world.user()

    reply = plain_http.get(f"{world.server.url}{path}", headers={"PRIVATE-TOKEN": person.token})

    assert (reply.status_code, reply.json()["id"]) == (200, person.id)


def test_encoded_slashes_are_not_joined(world: World) -> None:
    project = world.project()
    path = project["path_with_namespace"]

    assert world.admin.get(f"//projects/{path.replace('/', '%2F')}").json()["id"] == project["id"]
    assert world.admin.get(f"/projects/{path.replace('/', '%2F%2F')}").status_code == 404


def test_the_old_version_is_gone(world: World) -> None:
    reply = plain_http.get(f"{world.server.url}/api/v3/projects")

    assert (reply.status_code, reply.json()) == (
        410,
        {"error": "API V3 is no longer supported. Use API V4 instead."},
    )


def test_the_old_version_still_says_who_the_caller_is(world: World) -> None:
    person = world.user()

    reply = plain_http.get(f"{world.server.url}/api/v3/user", headers={"PRIVATE-TOKEN": person.token})

    assert (reply.status_code, reply.json()["id"]) == (200, person.id)
    assert plain_http.get(f"{world.server.url}/api/v3/user/keys").status_code == 410


def test_a_slash_at_the_end_and_a_suffix_are_forgiven(world: World) -> None:
    person = world.user()

    for path in (f"/users/{person.id}/", f"/users/{person.id}.json", f"/users/{person.id}.txt"):
        assert world.admin.get(path).json()["id"] == person.id
    assert world.admin.get("/users.json", username=person.username).json()[0]["id"] == person.id


def test_known_paths_refuse_other_methods(world: World) -> None:
    reply = world.admin.request("DELETE", "/version")

    assert (reply.status_code, reply.json()) == (405, {"error": "405 Not Allowed"})
    assert reply.headers["allow"] == "OPTIONS, GET, HEAD"
    assert world.anonymous.request("DELETE", "/version").json() == {"message": "401 Unauthorized"}


def test_options_names_the_methods(world: World) -> None:
    reply = world.anonymous.request("OPTIONS", "/users")
    wrong = plain_http.options(f"{world.server.url}/api/v4/users", headers={"PRIVATE-TOKEN": "garbage"})

    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["allow"] == "OPTIONS, GET, HEAD, POST"
    assert wrong.status_code == 401


def test_a_preflight_is_answered_for_any_origin(world: World) -> None:
    headers = {
        "Origin": "https://elsewhere.example",
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "private-token, x-thing",
    }

    reply = plain_http.options(f"{world.server.url}/api/v4/users", headers=headers)

    assert (reply.status_code, reply.content) == (200, b"")
    assert reply.headers["access-control-allow-origin"] == "*"
    assert reply.headers["access-control-allow-methods"] == "GET, POST, PUT, PATCH, DELETE, OPTIONS, HEAD"
    assert reply.headers["access-control-allow-headers"] == "private-token, x-thing"
    assert reply.headers["access-control-max-age"] == "7200"


def test_answers_to_other_origins_expose_the_pagination_headers(world: World) -> None:
    foreign = world.admin.get("/users", headers={"Origin": "https://elsewhere.example"})
    own = world.admin.get("/users", headers={"Origin": world.server.url})
    none = world.admin.get("/users")

    assert foreign.headers["access-control-allow-origin"] == "*"
    assert "X-Next-Page" in foreign.headers["access-control-expose-headers"]
    assert own.headers["access-control-allow-origin"] == world.server.url
    assert own.headers["access-control-allow-credentials"] == "true"
    assert "access-control-allow-origin" not in none.headers
    assert none.headers["vary"] == "Origin"


def test_head_has_the_headers_of_get_and_no_body(world: World) -> None:
    get, head = world.admin.get("/users", per_page=2), world.admin.head("/users", per_page=2)

    assert (head.status_code, head.content) == (200, b"")
    for name in ("etag", "link", "x-total", "x-page", "content-length", "content-type"):
        assert head.headers[name] == get.headers[name]


def test_a_known_version_is_not_sent_again(world: World) -> None:
    first = world.admin.get("/version")
    tag = first.headers["etag"]

    assert tag.startswith('W/"')
    for header in (tag, tag.removeprefix("W/"), f'"other", {tag}'):
        again = world.admin.get("/version", headers={"If-None-Match": header})
        assert (again.status_code, again.content) == (304, b"")
    assert world.admin.get("/version", headers={"If-None-Match": '"other"'}).status_code == 200


def test_common_headers(world: World) -> None:
    good, bad = world.admin.get("/version"), world.anonymous.get("/version")

    assert good.headers["cache-control"] == "max-age=0, private, must-revalidate"
    assert bad.headers["cache-control"] == "no-cache"
    assert good.headers["content-type"] == "application/json"
    assert len(good.headers["x-request-id"]) == 26
    assert json.loads(good.headers["x-gitlab-meta"]) == {
        "correlation_id": good.headers["x-request-id"],
        "version": "1",
    }
    assert float(good.headers["x-runtime"]) >= 0
    assert good.headers["x-content-type-options"] == "nosniff"
    assert good.headers["x-frame-options"] == "SAMEORIGIN"
    assert good.headers["x-request-id"] != bad.headers["x-request-id"]


def test_other_body_types_are_unsupported(world: World) -> None:
    reply = world.anonymous.request("POST", "/users", content=b"x", headers={"Content-Type": "image/png"})
    empty = world.admin.request("POST", "/users", content=b"", headers={"Content-Type": "image/png"})
    ignored = world.admin.request("GET", "/version", content=b"{", headers={"Content-Type": "application/json"})

    assert (reply.status_code, reply.json()) == (
        415,
        {"error": "The provided content-type 'image/png' is not supported."},
    )
    assert empty.status_code == 400
    assert ignored.status_code == 200


def test_other_formats_are_not_acceptable(world: World) -> None:
    reply = world.anonymous.get("/version", format="xml")

    assert (reply.status_code, reply.json()) == (406, {"error": "The requested format 'xml' is not supported."})
    assert world.admin.get("/version", format="json").status_code == 200
    assert world.admin.get("/version", headers={"Accept": "text/html"}).status_code == 200


@pytest.mark.parametrize("way", ["query", "form", "multipart", "json", "untyped"])
def test_arguments_come_from_everywhere(world: World, way: str) -> None:
    name = world.name("way")
    body = {"username": name, "name": "Somebody", "email": f"{name}@example.com", "force_random_password": "true"}
    form = "&".join(f"{key}={value}" for key, value in body.items())
    options: dict[str, Any] = {
        "query": {"params": body},
        "form": {"data": body},
        "multipart": {"files": {key: (None, value) for key, value in body.items()}},
        "json": {"json": body},
        "untyped": {"content": form.encode(), "headers": {"Content-Type": ""}},
    }[way]

    assert world.admin.request("POST", "/users", **options).json()["username"] == name


def test_the_body_wins_over_the_query(world: World) -> None:
    person = world.user()

    reply = world.admin.request("PUT", f"/users/{person.id}?bio=query&location=query", json={"bio": "body"})

    assert (reply.json()["bio"], reply.json()["location"]) == ("body", "query")


def test_a_body_that_is_too_large_is_refused(world: World) -> None:
    reply = world.admin.request(
        "POST", "/users", content=b"x" * (33 * 1024 * 1024), headers={"Content-Type": "application/json"}
    )

    assert (reply.status_code, reply.json()) == (413, {"message": "413 Request Entity Too Large"})


def test_a_form_with_files_is_limited_too(world: World) -> None:
    reply = world.admin.request("PUT", "/users/1", files={"avatar": ("a.png", b"x" * (33 * 1024 * 1024))})

    assert (reply.status_code, reply.json()) == (413, {"message": "413 Request Entity Too Large"})


def test_no_uploaded_file_stays_open(world: World) -> None:
    picture = ("a.png", b"x" * 2_000_000)
    nul = {"bio": (None, "a\x00b"), "avatar": picture}

    twice = world.admin.request("PUT", "/users/1", files=[("avatar", picture), ("avatar", picture)])
    unreadable = world.admin.request("PUT", "/users/1", files=nul)
    cut = b'--x\r\nContent-Disposition: form-data; name="avatar"; filename="a"\r\n\r\nabc'
    world.admin.request("PUT", "/users/1", content=cut, headers={"Content-Type": "multipart/form-data; boundary=x"})
    gc.collect()  # a file that was left open warns here, and warnings are errors

    assert (twice.status_code, unreadable.status_code) == (400, 400)


def test_a_file_where_a_text_belongs_is_invalid(world: World) -> None:
    reply = world.admin.request("PUT", "/users/1", files={"bio": ("a.txt", b"x")})
    text = world.admin.request("PUT", "/users/1", data={"avatar": "text"})

    assert reply.json() == {"error": "bio is invalid"}
    assert text.json() == {"error": "avatar is invalid"}


def test_order_of_checks(world: World) -> None:
    person = world.user()

    # route before type, type before token, token before parameters, parameters before rights
    assert world.anonymous.request("POST", "/nowhere", content=b"x", headers={"Content-Type": "a/b"}).status_code == 404
    assert world.anonymous.request("POST", "/users", content=b"x", headers={"Content-Type": "a/b"}).status_code == 415
    assert world.anonymous.post("/users", json={}).status_code == 401
    assert person.client.put("/users/999999", json={"admin": "maybe"}).json() == {"error": "admin is invalid"}
    assert person.client.put("/users/999999", json={"admin": True}).json() == {"message": "403 Forbidden"}
    assert world.admin.put("/users/999999", json={"admin": True}).json() == {"message": "404 User Not Found"}


def test_a_deletion_is_refused_where_the_thing_changed_since_it_was_read(world: World) -> None:
    owner = world.user()
    group, invited = world.group(owner), world.group(owner)
    project = world.project(owner, namespace_id=group["id"])
    place, above = f"/projects/{project['id']}", f"/groups/{group['id']}"
    share = {"group_id": invited["id"], "group_access": 30}
    owner.client.ok("POST", f"{place}/share", json=share)
    owner.client.ok("POST", f"{above}/share", json=share)
    label = owner.client.ok("POST", f"{place}/labels", json={"name": "bug", "color": "#ff0000"})
    milestone = owner.client.ok("POST", f"{place}/milestones", json={"title": "v1"})

    for path in (
        f"{place}/share/{invited['id']}",
        f"{above}/share/{invited['id']}",
        f"{place}/labels/{label['id']}",
        f"{place}/milestones/{milestone['id']}",
    ):
        refused = owner.client.delete(path, headers={"If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"})
        assert (refused.status_code, refused.json()) == (412, {"message": "412 Precondition Failed"})
        done = owner.client.delete(path, headers={"If-Unmodified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"})
        assert done.status_code == 204
