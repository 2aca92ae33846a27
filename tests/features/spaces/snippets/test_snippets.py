"""Snippets of people and of projects."""

from collections.abc import Iterator
from typing import Any

import gitlab
import pytest

from tests.features.transfer.project_imports.making import exported, imported, relation
from tests.support.world import Person, World

SINGLE = {"title": "One", "file_name": "one.py", "content": "print(1)\n"}


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def api(world: World, owner: Person) -> Iterator[gitlab.Gitlab]:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        yield client


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def test_ones_own_from_creation_to_removal(api: gitlab.Gitlab) -> None:
    snippet = api.snippets.create({"title": "T", "files": [{"file_path": "a.py", "content": "import gitlab"}]})

    assert (snippet.visibility, snippet.file_name, snippet.project_id) == ("internal", "a.py", None)
    assert snippet.content() == b"import gitlab"
    snippet.title = "U"
    snippet.file_name = "b.py"
    snippet.save()
    read = api.snippets.get(snippet.id)
    assert (read.title, read.file_name, read.content()) == ("U", "b.py", b"import gitlab")
    assert [file["path"] for file in read.files] == ["b.py"]
    assert snippet.id in [one.id for one in api.snippets.list()]
    assert snippet.id in [one.id for one in api.snippets.list_all()]
    snippet.delete()
    assert snippet.id not in [one.id for one in api.snippets.list()]


def test_a_projects_from_creation_to_removal(api: gitlab.Gitlab, project: dict[str, Any]) -> None:
    here = api.projects.get(project["id"])

    snippet = here.snippets.create({**SINGLE, "visibility": "private"})

    assert snippet.web_url == f"{project['web_url']}/-/snippets/{snippet.id}"
    assert snippet.content() == b"print(1)\n"
    snippet.file_name = "two.py"
    snippet.save()
    assert here.snippets.get(snippet.id).file_name == "two.py"
    assert snippet.id in [one.id for one in here.snippets.list()]
    snippet.delete()
    with pytest.raises(gitlab.GitlabGetError, match="404 Snippet Not Found"):
        here.snippets.get(snippet.id)


def test_files_are_created_updated_moved_and_deleted(owner: Person) -> None:
    files = [{"file_path": name, "content": name} for name in ("a", "b")]
    snippet = owner.client.ok("POST", "/snippets", json={"title": "T", "files": files})
    place = f"/snippets/{snippet['id']}"
    changes = [
        {"action": "create", "file_path": "c/d", "content": "new"},
        {"action": "update", "file_path": "b", "content": "changed"},
        {"action": "move", "previous_path": "b", "file_path": "e"},
        {"action": "delete", "file_path": "a"},
    ]

    changed = owner.client.ok("PUT", place, json={"files": changes})

    assert [file["path"] for file in changed["files"]] == ["c/d", "e"]
    assert owner.client.get(f"{place}/files/main/e/raw").text == "changed"
    assert owner.client.get(f"{place}/files/main/c%2Fd/raw").text == "new"
    assert owner.client.get(f"{place}/files/main/a/raw").json() == {"message": "404 File Not Found"}
    assert owner.client.get(f"{place}/files/other/e/raw").json() == {"message": "404 Reference Not Found"}
    wrong = owner.client.put(place, json={"files": [{"action": "update", "file_path": "none", "content": "x"}]})
    assert (wrong.status_code, wrong.json()) == (422, {"message": {"error": "Snippet actions have invalid data"}})
    several = owner.client.put(place, json={"content": "x"})
    assert several.json()["message"]["error"].startswith("To update Snippets with multiple files")


def test_wrong_input(owner: Person, project: dict[str, Any]) -> None:
    posts: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"title": "T"}, {"error": "files, content are missing, exactly one parameter must be provided"}),
        ({"title": "T", "content": "x"}, {"error": "file_name is missing"}),
        ({**SINGLE, "title": " "}, {"message": {"error": "Title can't be blank"}}),
        ({**SINGLE, "visibility": "none"}, {"error": "visibility does not have a valid value"}),
    ]
    for body, answer in posts:
        refused = owner.client.post("/snippets", json=body)
        assert (refused.status_code, refused.json()) == (400, answer)
    assert "visibility is missing" in owner.client.post(f"/projects/{project['id']}/snippets", json=SINGLE).text


def test_who_sees_what(world: World, owner: Person) -> None:
    stranger, guest = world.user(), world.user()
    project = world.project(owner, visibility="public")
    world.member(project, guest, "guest")
    ids = {
        (place, visibility): owner.client.ok("POST", place, json={**SINGLE, "visibility": visibility})["id"]
        for place in ("/snippets", f"/projects/{project['id']}/snippets")
        for visibility in ("private", "internal", "public")
    }

    def seen(client: Any) -> set[tuple[str, str]]:
        return {key for key, number in ids.items() if client.get(f"/snippets/{number}").status_code == 200}

    own, inside = "/snippets", f"/projects/{project['id']}/snippets"
    assert seen(world.anonymous) == {(own, "public"), (inside, "public")}
    assert seen(stranger.client) == {(place, word) for place in (own, inside) for word in ("internal", "public")}
    assert seen(guest.client) == seen(stranger.client) | {(inside, "private")}
    assert seen(world.admin) == set(ids)
    assert [one["id"] for one in world.anonymous.ok("GET", inside)] == [ids[inside, "public"]]
    assert ids[own, "public"] in [one["id"] for one in world.anonymous.ok("GET", "/snippets/public")]
    assert stranger.client.put(f"{own}/{ids[own, 'public']}", json={"title": "x"}).status_code == 404
    assert guest.client.post(inside, json={**SINGLE, "visibility": "public"}).status_code == 403
    assert guest.client.put(f"{inside}/{ids[inside, 'public']}", json={"title": "x"}).status_code == 403
    first = stranger.client.get("/snippets/all", per_page=2, pagination="keyset")
    assert stranger.client.get(first.links["next"]["url"]).status_code == 200
    assert owner.client.queries(inside, per_page=1) == owner.client.queries(inside, per_page=3)


def test_archives_carry_snippets(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    body = {**SINGLE, "visibility": "private", "description": "D"}
    written = owner.client.ok("POST", f"/projects/{project['id']}/snippets", json=body)

    content = exported(world, owner, project["id"])
    [read] = owner.client.ok("GET", f"/projects/{imported(world, owner, content)['id']}/snippets")

    assert [record["content"] for record in relation(content, "snippets")] == [SINGLE["content"]]
    for field in ("title", "description", "visibility", "author", "file_name", "created_at"):
        assert read[field] == written[field]
