"""Files for descriptions and comments: uploaded, listed, downloaded and removed, of projects and groups."""

from datetime import timedelta
from typing import Any

import gitlab
import httpx
import pytest

from ingot.features.spaces.groups.commands.delete import delete_now
from ingot.kit.blobs.references import missing, orphans
from tests.support.client import Client
from tests.support.world import Person, World

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


def attach(client: Client, place: str, name: str = "dk.png", content: bytes = PNG) -> httpx.Response:
    return client.post(f"{place}/uploads", files={"file": (name, content, "text/html")})


@pytest.fixture(scope="module")
def anna(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, anna: Person) -> dict[str, Any]:
    return world.project(anna)


@pytest.fixture(params=["projects", "groups"])
def place(request: pytest.FixtureRequest, world: World, anna: Person) -> str:
    created = world.project(anna) if request.param == "projects" else world.group(anna)
    return f"/{request.param}/{created['id']}"


def test_an_upload_answers_with_what_to_paste(anna: Person, place: str) -> None:
    answer = attach(anna.client, place)

    assert answer.status_code == 201
    created = answer.json()
    secret = created["url"].split("/")[2]
    assert len(secret) == 32
    kind, number = place.strip("/").split("/")
    assert created == {
        "id": created["id"],
        "alt": "dk",
        "url": f"/uploads/{secret}/dk.png",
        "full_path": f"/-/{kind[:-1]}/{number}/uploads/{secret}/dk.png",
        "markdown": f"![dk](/uploads/{secret}/dk.png)",
    }


def test_the_list_is_newest_first(anna: Person, place: str) -> None:
    ids = [attach(anna.client, place, f"{n}.txt", b"x" * n).json()["id"] for n in range(3)]

    listed = anna.client.get(f"{place}/uploads", per_page=2)

    rows = listed.json()
    assert [row["id"] for row in rows] == ids[:0:-1]
    assert listed.headers["x-total"] == "3"
    shown = {"id": anna.id, "name": anna.username.title(), "username": anna.username}
    assert rows[0] == {
        "id": ids[2], "size": 2, "filename": "2.txt", "created_at": rows[0]["created_at"], "uploaded_by": shown,
    }  # fmt: skip
    assert anna.client.queries(f"{place}/uploads", per_page=1) == anna.client.queries(f"{place}/uploads", per_page=3)


def test_both_forms_download_and_delete(anna: Person, place: str) -> None:
    first, second = (attach(anna.client, place, name).json() for name in ("a.png", "b.png"))
    by_id, by_secret = f"{place}/uploads/{first['id']}", f"{place}{second['url']}"

    assert [anna.client.get(path).content for path in (by_id, by_secret)] == [PNG, PNG]
    part = anna.client.get(by_secret, headers={"Range": "bytes=1-3"})
    assert (part.status_code, part.content) == (206, b"PNG")
    assert part.headers["content-disposition"].startswith("attachment;")
    assert [anna.client.delete(path).status_code for path in (by_id, by_secret)] == [204, 204]
    gone = [anna.client.get(path) for path in (by_id, by_secret)]
    assert [(answer.status_code, answer.json()["message"]) for answer in gone] == [(404, "404 Upload Not Found")] * 2
    assert anna.client.delete(by_id).status_code == 404
    assert anna.client.get(f"{place}/uploads/x").json() == {"error": "upload_id is invalid"}


def test_a_file_is_required(anna: Person, place: str) -> None:
    assert anna.client.post(f"{place}/uploads").json() == {"error": "file is missing"}
    text = anna.client.post(f"{place}/uploads", data={"file": "text"})
    assert (text.status_code, text.json()) == (400, {"error": "file is invalid"})


def test_roles(world: World, anna: Person) -> None:
    group = world.group(anna)
    project = world.project(anna, namespace_id=group["id"])
    people = {name: world.user() for name in ("guest", "developer", "maintainer")}
    for name, person in people.items():
        world.member(group, person, name, kind="groups")
    clients = {
        **{name: person.client for name, person in people.items()},
        "stranger": world.user().client,
        "anonymous": world.anonymous,
    }
    for place in (f"/projects/{project['id']}", f"/groups/{group['id']}"):
        created = attach(anna.client, place).json()
        paths = (f"{place}{created['url']}", f"{place}/uploads", f"{place}/uploads/{created['id']}")
        seen = {
            name: [*(client.get(path).status_code for path in paths), attach(client, place).status_code]
            for name, client in clients.items()
        }
        assert seen == {
            "guest": [200, 403, 403, 201],
            "developer": [200, 403, 403, 201],
            "maintainer": [200, 200, 200, 201],
            "stranger": [404, 404, 404, 404],
            "anonymous": [404, 401, 401, 401],
        }
        removals = {
            name: clients[name].delete(paths[2]).status_code for name in ("stranger", "developer", "maintainer")
        }
        assert removals == {"stranger": 404, "developer": 403, "maintainer": 204}


def test_signed_in_readers_of_a_public_project_may_upload(world: World, anna: Person) -> None:
    project = world.project(anna, visibility="public")
    place = f"/projects/{project['id']}"

    assert attach(world.user().client, place).status_code == 201
    anna.client.ok("POST", f"{place}/archive")
    assert attach(anna.client, place).status_code == 403


def test_an_upload_of_another_project_is_not_found(world: World, anna: Person, project: dict[str, Any]) -> None:
    created = attach(anna.client, f"/projects/{project['id']}").json()
    other = f"/projects/{world.project(anna)['id']}"

    assert anna.client.get(f"{other}/uploads/{created['id']}").status_code == 404
    assert anna.client.delete(f"{other}{created['url']}").status_code == 404


def test_the_limit_of_the_instance(world: World, anna: Person, place: str) -> None:
    world.admin.ok("PUT", "/application/settings", json={"max_attachment_size": 1})
    try:
        large = attach(anna.client, place, content=b"x" * (1024 * 1024 + 1))
        announced = attach(anna.client, place, content=b"x" * (3 * 1024 * 1024))
        fits = attach(anna.client, place, content=b"x" * (1024 * 1024))
    finally:
        world.admin.ok("PUT", "/application/settings", json={"max_attachment_size": 100})

    assert [answer.status_code for answer in (large, announced, fits)] == [413, 413, 201]
    assert large.json() == {"message": "413 Request Entity Too Large"}


@pytest.mark.parametrize(
    ("sent", "remaining", "markdown"),
    [
        ("../../etc/passwd", "passwd", "[passwd]({})"),
        ("C:\\Temp\\Bild 1.PNG", "Bild_1.PNG", "![Bild_1]({})"),
        ("..", "_..", "[_..]({})"),
        ("a'<script>.html", "a__script_.html", "[a__script_.html]({})"),
        ("été 日本.txt", "été_日本.txt", "[été_日本.txt]({})"),
        ("x.svg", "x.svg", "![x.svg]({})"),
        ("tune.mp3", "tune.mp3", "![tune]({})"),
        ("n" * 300 + ".png", "n" * 251 + ".png", "![" + "n" * 251 + "]({})"),
        ("a]b[c.txt", "a_b_c.txt", "[a_b_c.txt]({})"),
    ],
)
def test_names_are_made_harmless(
    anna: Person, project: dict[str, Any], sent: str, remaining: str, markdown: str
) -> None:
    place = f"/projects/{project['id']}"

    created = attach(anna.client, place, sent, b"bytes").json()

    assert created["url"].split("/")[-1] == remaining
    assert created["markdown"] == markdown.format(created["url"])
    assert anna.client.get(f"{place}{created['url']}").content == b"bytes"


def test_sizes_are_counted_and_objects_leave_with_their_rows(
    world: World, anna: Person, project: dict[str, Any]
) -> None:
    place = f"/projects/{project['id']}"
    services = world.server.services
    created = [attach(anna.client, place, content=b"x" * size).json() for size in (10, 20)]

    def sizes() -> list[int]:
        result = anna.client.ok("GET", place, params={"statistics": True})["statistics"]
        return [result["uploads_size"], result["storage_size"]]

    assert sizes() == [30, 30]
    anna.client.delete(f"{place}/uploads/{created[0]['id']}")
    assert sizes() == [20, 20]
    assert len(list(services.blobs.list(f"uploads/project/{project['id']}"))) == 1
    with services.db.read() as conn:
        assert list(missing(conn, services.blobs, "uploads/")) == []
    world.admin.ok("DELETE", place, params={"permanently_remove": True, "full_path": project["path_with_namespace"]})
    world.run_jobs()
    anna.client.get(place)
    assert list(services.blobs.list(f"uploads/project/{project['id']}")) == []


def test_objects_of_a_deleted_group_leave(world: World, anna: Person) -> None:
    outer = world.group(anna)
    inner = world.group(anna, parent_id=outer["id"])
    attach(anna.client, f"/groups/{inner['id']}")

    with world.server.services.db.write() as tx:
        delete_now(tx, outer["id"])
    world.run_jobs()

    assert list(world.server.services.blobs.list(f"uploads/group/{inner['id']}")) == []


def test_an_object_without_a_row_is_an_orphan(world: World) -> None:
    services = world.server.services
    services.blobs.put("uploads/project/999/lost", b"x")
    with services.db.read() as conn:
        assert list(orphans(conn, services.blobs, "uploads/", timedelta(0))) == ["uploads/project/999/lost"]
    services.blobs.delete("uploads/project/999/lost")


def test_python_gitlab_uploads(world: World, anna: Person, project: dict[str, Any]) -> None:
    with gitlab.Gitlab(world.server.url, private_token=anna.token) as client:
        mine = client.projects.get(project["id"])

        created = mine.upload("note.txt", filedata="hello")
        issue = mine.issues.create({"title": "With a file", "description": created["markdown"]})

        assert created["alt"] == "note.txt"
        assert created["url"] in issue.description
        content = client.http_get(f"/projects/{project['id']}{created['url']}", raw=True).content
        assert content == b"hello"
