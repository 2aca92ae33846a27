"""Searching code, commits and wikis: hits, filters, branches, rights, and what keeps the index current."""

from typing import Any

import gitlab
import pytest
from sqlalchemy import delete, func, insert, select

from ingot.access.tables import projects
from ingot.features.code.code_search.tables import code_contents, code_files
from ingot.features.spaces.projects import delete_soon
from ingot.kit.db import counting_statements
from tests.support.client import Client
from tests.support.code_index import index_code
from tests.support.world import Person, World

MAIN = """import os


def zymurgy(barrel):
    first = barrel
    second = barrel
    third = barrel
    fourth = barrel
    fifth = barrel
    return Zymurgy(first)
"""
FILES = {
    "brewing/zymurgy_notes.md": "Hops and barley.\n",
    "brewing/main.py": MAIN,
    "docs/guide.md": "Read about ZYMURGY here.\n",
    "picture.bin": "zymurgy\0",
}


class Place:
    """A private project with code in a public group."""

    def __init__(self, world: World) -> None:
        self.owner, self.guest = world.user(), world.user()
        self.group = world.group(self.owner, visibility="public")
        self.project = world.project(self.owner, namespace_id=self.group["id"])
        world.member(self.project, self.guest, "guest")
        self.path = f"/projects/{self.project['id']}"
        self.head = world.commit(self.project, "main", FILES, message="Describe the brewery\n\nWith barrels.")
        world.commit(self.project, "other", {"branch.txt": "only the brewmaster knows\n"}, message="Branch off")
        index_code(world.server)

    def levels(self) -> list[str]:
        return ["/search", f"/groups/{self.group['id']}/search", f"{self.path}/search"]


@pytest.fixture(scope="module")
def place(world: World) -> Place:
    return Place(world)


def hits(client: Client, path: str, search: str, scope: str = "blobs", **more: Any) -> list[dict[str, Any]]:
    answer = client.get(path, scope=scope, search=search, **more)
    assert answer.status_code == 200, answer.text
    result: list[dict[str, Any]] = answer.json()
    return result


def paths(client: Client, path: str, search: str, **more: Any) -> list[str]:
    return [hit["path"] for hit in hits(client, path, search, **more)]


def test_hits_by_path_come_first_and_then_chunks_of_lines(place: Place) -> None:
    for level in place.levels():
        matches = hits(place.owner.client, level, "ZYMurgy")
        assert [(hit["path"], hit["startline"]) for hit in matches] == [
            ("brewing/zymurgy_notes.md", 1),
            ("brewing/main.py", 2),
            ("brewing/main.py", 8),
            ("docs/guide.md", 1),
        ]
        assert matches[0]["data"] == "Hops and barley.\n"
        assert matches[1] == {
            "basename": "brewing/main",
            "data": "\n\ndef zymurgy(barrel):\n    first = barrel\n    second = barrel\n",
            "path": "brewing/main.py",
            "filename": "brewing/main.py",
            "id": None,
            "ref": "main",
            "startline": 2,
            "project_id": place.project["id"],
        }
        assert matches[2]["data"] == "    fourth = barrel\n    fifth = barrel\n    return Zymurgy(first)\n"


def test_chunks_that_touch_are_one(place: Place) -> None:
    matches = hits(place.owner.client, f"{place.path}/search", "barrel")
    assert [(hit["path"], hit["startline"]) for hit in matches] == [("brewing/main.py", 2)]
    assert matches[0]["data"] == "".join(f"{line}\n" for line in MAIN.split("\n")[1:-1])


FILTERED = {
    "zymurgy extension:md": ["brewing/zymurgy_notes.md", "docs/guide.md"],
    "zymurgy -extension:md": ["brewing/main.py", "brewing/main.py"],
    "zymurgy filename:MAIN.py": ["brewing/main.py", "brewing/main.py"],
    "path:docs zymurgy": ["docs/guide.md"],
    "zymurgy filename:g*e.md": ["docs/guide.md"],
    "about zymurgy here": ["docs/guide.md"],
    "zymurgy about": [],
    "extension:md": ["brewing/zymurgy_notes.md", "docs/guide.md"],
    "extension:md extension:py": ["brewing/zymurgy_notes.md", "docs/guide.md"],
    "path:b_ewing": [],
    "path:%": [],
    "zy": ["brewing/zymurgy_notes.md", "brewing/main.py", "brewing/main.py", "docs/guide.md"],
    "(first)": ["brewing/main.py"],
    "zymurgy(.*)": [],
    "": [],
}


@pytest.mark.parametrize("ref", [None, "other"])
def test_filters_choose_files_in_the_index_and_in_other_branches(place: Place, ref: str | None) -> None:
    for search, expected in FILTERED.items():
        assert paths(place.owner.client, f"{place.path}/search", search, ref=ref) == expected, search


def test_a_content_is_found_by_the_beginning_of_its_id(world: World, place: Place) -> None:
    file = place.owner.client.ok("GET", f"{place.path}/repository/files/docs%2Fguide.md?ref=main")
    assert paths(place.owner.client, "/search", f"zymurgy blob:{file['blob_id'][:12]}") == ["docs/guide.md"]


def test_other_branches_and_tags_are_searched_on_request(world: World, place: Place) -> None:
    find, path = place.owner.client, f"{place.path}/search"
    assert paths(find, path, "brewmaster") == []
    assert paths(find, path, "brewmaster", ref="other") == ["branch.txt"]
    assert hits(find, path, "brewmaster", ref="other")[0]["ref"] == "other"
    assert paths(find, path, "brewmaster", ref="nowhere") == []


def test_only_those_who_may_read_the_code_find_it(world: World, place: Place) -> None:
    stranger = world.user().client
    for level in place.levels():
        assert paths(place.guest.client, level, "zymurgy") == []
        assert hits(place.guest.client, level, "brewery", scope="notes") == []
    assert hits(place.guest.client, f"{place.path}/search", "brewery", scope="commits") == []
    for level in place.levels()[:2]:
        assert paths(stranger, level, "zymurgy") == []
    assert stranger.get(f"{place.path}/search", scope="blobs", search="zymurgy").status_code == 404

    place.owner.client.ok("PUT", place.path, json={"visibility": "public", "repository_access_level": "private"})
    assert paths(stranger, "/search", "zymurgy") == []
    place.owner.client.ok("PUT", place.path, json={"repository_access_level": "enabled"})
    assert len(paths(stranger, "/search", "zymurgy")) == 4
    place.owner.client.ok("PUT", place.path, json={"visibility": "private"})
    assert paths(stranger, "/search", "zymurgy") == []


def test_commits_are_found_by_message_and_id(world: World, place: Place) -> None:
    find, path = place.owner.client, f"{place.path}/search"
    matches = hits(find, path, "THE brewery", scope="commits")
    assert [commit["id"] for commit in matches] == [place.head]
    first = matches[0]
    assert (first["project_id"], first["status"], first["last_pipeline"]) == (place.project["id"], None, None)
    assert "stats" not in first
    assert [one["id"] for one in hits(find, path, place.head[:8], scope="commits")] == [place.head]
    assert hits(find, path, "branch off", scope="commits") == []
    assert len(hits(find, path, "branch off", scope="commits", ref="other")) == 1
    assert hits(find, path, "", scope="commits") == []
    assert hits(find, path, ".*", scope="commits") == []


def test_commits_and_wikis_of_few_projects_are_found_together(world: World, place: Place) -> None:
    owner, call = place.owner, place.owner.client.ok
    other = world.project(owner, namespace_id=place.group["id"], visibility="public")
    commit = world.commit(other, "main", {"a.txt": "1"}, message="Another brewery")
    call("POST", f"/projects/{other['id']}/statuses/{commit}", json={"state": "success", "name": "outside"})
    for project, title in ((place.project, "Brewing"), (other, "More brewing")):
        call("POST", f"/projects/{project['id']}/wikis", json={"title": title, "content": "Of zymurgy\n"})
    both, guest, stranger = place.owner.client, place.guest.client, world.user().client
    for level in place.levels()[:2]:
        with counting_statements() as counter:
            found = hits(both, level, "brewery", scope="commits")
        assert counter[0] <= 12
        assert [(one["project_id"], one["id"], one["status"]) for one in found] == [
            (place.project["id"], place.head, None), (other["id"], commit, "success"),
        ]  # fmt: skip
        assert found[1]["last_pipeline"]["project_id"] == other["id"]
        assert found[1]["web_url"].endswith(f"/{other['path_with_namespace']}/-/commit/{commit}")
        assert [one["id"] for one in hits(both, level, commit[:10], scope="commits")] == [commit]
        assert [one["id"] for one in hits(both, level, "brewery", scope="commits", per_page=1, page=2)] == [commit]
        for client in (guest, stranger):  # the private project's code is closed to both, its wiki open to guests
            assert [one["id"] for one in hits(client, level, "brewery", scope="commits")] == [commit]
        pages = [(one["project_id"], one["path"]) for one in hits(both, level, "zymurgy", scope="wiki_blobs")]
        assert pages == [(place.project["id"], "Brewing.md"), (other["id"], "More-brewing.md")]
        assert len(hits(guest, level, "zymurgy", scope="wiki_blobs")) == 2
        assert [one["data"] for one in hits(stranger, level, "more-brew", scope="wiki_blobs")] == ["Of zymurgy\n"]
    call("DELETE", f"/projects/{place.project['id']}/wikis/Brewing")
    call("DELETE", f"/projects/{other['id']}")


def test_a_damaged_repository_does_not_hide_the_commits_of_others(world: World) -> None:
    owner = world.user()
    group = world.group(owner)
    damaged, whole = (world.project(owner, namespace_id=group["id"]) for _ in range(2))
    lost = world.commit(damaged, "main", {"a.txt": "1"}, message="Brew")
    for project in (damaged, whole):
        world.commit(project, "main", {"b.txt": "2"}, message="Brew more")
    objects = world.server.services.storages.repository("default", damaged["id"]).path / "objects"
    (objects / lost[:2] / lost[2:]).unlink()

    answers = hits(owner.client, f"/groups/{group['id']}/search", "brew more", scope="commits")

    assert [commit["project_id"] for commit in answers] == [whole["id"]]


def test_too_many_repositories_are_not_searched_one_by_one(world: World) -> None:
    owner = world.user()
    group = world.group(owner, visibility="public")
    first = world.project(owner, namespace_id=group["id"], visibility="public", initialize_with_readme=True)
    with world.server.services.db.write() as tx:
        row = tx.execute(select(projects).where(projects.c.id == first["id"])).one()
        paths = [f"{row.full_path}-{number}".lower() for number in range(100)]
        columns = ("full_path", "full_path_lower", "name", "path")
        unset = {name: value for name, value in row._mapping.items() if name != "id"}
        tx.execute(insert(projects), [{**unset, **dict.fromkeys(columns, path)} for path in paths])
    try:
        for scope in ("commits", "wiki_blobs"):
            answer = owner.client.get(f"/groups/{group['id']}/search", scope=scope, search="readme")
            refused = (400, {"message": {"error": "Scope supported only with advanced search"}})
            assert (answer.status_code, answer.json()) == (refused if scope == "commits" else (200, []))
    finally:
        with world.server.services.db.write() as tx:
            tx.execute(delete(projects).where(projects.c.full_path_lower.in_(paths)))


def test_a_project_without_a_wiki_has_no_pages(place: Place) -> None:
    assert hits(place.owner.client, f"{place.path}/search", "zymurgy", scope="wiki_blobs") == []


def test_pages_of_hits_have_totals_in_projects_only(place: Place) -> None:
    answer = place.owner.client.get(f"{place.path}/search", scope="blobs", search="zymurgy", per_page=3, page=2)
    assert [hit["path"] for hit in answer.json()] == ["docs/guide.md"]
    assert (answer.headers["X-Total"], answer.headers["X-Next-Page"]) == ("4", "")
    everywhere = place.owner.client.get("/search", scope="blobs", search="zymurgy", per_page=3)
    assert "X-Total" not in everywhere.headers
    assert (everywhere.headers["X-Next-Page"], everywhere.headers["X-Search-Type"]) == ("2", "basic")


def test_python_gitlab_searches_code(world: World, place: Place) -> None:
    with gitlab.Gitlab(world.server.url, private_token=place.owner.token) as client:
        matches = client.search(gitlab.const.SearchScope.BLOBS, "zymurgy filename:guide.md")
        assert [hit["path"] for hit in matches] == ["docs/guide.md"]
        project = client.projects.get(place.project["id"])
        assert project.search("blobs", "brewmaster", ref="other")[0]["filename"] == "branch.txt"
        assert project.search("commits", "brewery")[0]["id"] == place.head


def counts(world: World, project_id: int) -> tuple[int, int]:
    """Files of the project, and contents of everybody."""
    files = select(func.count()).select_from(code_files).where(code_files.c.project_id == project_id)
    with world.server.services.db.read() as conn:
        contents = conn.execute(select(func.count()).select_from(code_contents)).scalar_one()
        return conn.execute(files).scalar_one(), contents


def test_the_index_follows_pushes_commits_renames_and_removals(world: World) -> None:
    owner: Person = world.user()
    project = world.project(owner)
    find, here = owner.client, f"/projects/{project['id']}"
    world.commit(project, "main", {"a.txt": "wombat one\n", "b.txt": "wombat two\n"})

    assert len(paths(find, f"{here}/search", "wombat")) == 2  # before the index knows: git is asked
    assert paths(find, "/search", "wombat") == []
    index_code(world.server)
    assert paths(find, "/search", "wombat") == ["a.txt", "b.txt"]
    files, contents = counts(world, project["id"])

    actions = [
        {"action": "move", "previous_path": "a.txt", "file_path": "moved/c.txt"},
        {"action": "update", "file_path": "b.txt", "content": "numbat\n"},
    ]
    body = {"branch": "main", "commit_message": "Change", "actions": actions}
    find.ok("POST", f"{here}/repository/commits", json=body)
    index_code(world.server)
    assert paths(find, "/search", "wombat") == ["moved/c.txt"]
    assert paths(find, "/search", "numbat") == ["b.txt"]
    assert paths(find, "/search", "a.txt") == []
    assert counts(world, project["id"]) == (files, contents)  # what the old b.txt had is gone

    find.ok("DELETE", f"{here}/repository/files/b.txt", json={"branch": "main", "commit_message": "Remove"})
    index_code(world.server)
    assert paths(find, "/search", "numbat") == []


def test_another_default_branch_is_indexed(world: World) -> None:
    owner = world.user()
    project = world.project(owner)
    world.commit(project, "main", {"a.txt": "axolotl\n"})
    world.commit(project, "next", {"a.txt": "salamander\n"})
    index_code(world.server)
    assert paths(owner.client, "/search", "salamander") == []

    owner.client.ok("PUT", f"/projects/{project['id']}", json={"default_branch": "next"})
    index_code(world.server)
    assert paths(owner.client, "/search", "axolotl") == []
    assert hits(owner.client, "/search", "salamander")[0]["ref"] == "next"


def test_forks_share_contents_and_deleted_projects_leave_none(world: World) -> None:
    owner = world.user()
    project = world.project(owner)
    world.commit(project, "main", {"a.txt": "quokka\n"})
    index_code(world.server)
    _, contents = counts(world, project["id"])
    name = world.name("fork")
    fork = owner.client.ok("POST", f"/projects/{project['id']}/fork", json={"path": name, "name": name})
    index_code(world.server)
    assert [hit["project_id"] for hit in hits(owner.client, "/search", "quokka")] == [project["id"], fork["id"]]
    assert counts(world, fork["id"]) == (1, contents)

    target = world.group(owner)
    owner.client.ok("PUT", f"/projects/{fork['id']}/transfer", json={"namespace": target["id"]})
    assert paths(owner.client, f"/groups/{target['id']}/search", "quokka") == ["a.txt"]

    with world.server.services.db.write() as tx:
        delete_soon(tx, project["id"])
        delete_soon(tx, fork["id"])
    index_code(world.server)
    assert paths(owner.client, "/search", "quokka") == []
    assert counts(world, project["id"]) == (0, contents - 1)


def test_more_hits_do_not_need_more_statements(world: World) -> None:
    owner = world.user()
    project = world.project(owner)
    world.commit(project, "main", {"a.txt": "bandicoot\n"})
    index_code(world.server)
    before = owner.client.queries("/search", scope="blobs", search="bandicoot")
    world.commit(project, "main", {f"{number}.txt": f"bandicoot {number}\n" for number in range(30)})
    index_code(world.server)
    assert owner.client.queries("/search", scope="blobs", search="bandicoot") == before
