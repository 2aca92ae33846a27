"""What a room gets by being there. Run by `test_newcomer`, with the room loaded."""

from ingot import __version__
from ingot.kit.openapi import describe
from ingot.kit.reference import pages
from tests.features.transfer.project_imports.making import exported, imported, relation
from tests.support.walking import ENDPOINTS, named
from tests.support.world import World

PLACE = "/projects/{id}/bookmarks"


def test_list_create_and_delete(world: World) -> None:
    owner, stranger = world.user(), world.user()
    place = f"/projects/{world.project(owner)['id']}/bookmarks"

    first, second = (owner.client.ok("POST", place, json={"title": title, "url": "u"}) for title in "ab")

    assert owner.client.ok("GET", place) == [first, second]
    assert owner.client.ok("GET", f"{place}?title=b") == [second]
    assert owner.client.post(place, json={"title": "c" * 256, "url": "u"}).status_code == 400
    assert stranger.client.get(place).status_code == 404
    assert owner.client.delete(f"{place}/{first['id']}").status_code == 204
    assert owner.client.delete(f"{place}/{first['id']}").json() == {"message": "404 Bookmark Not Found"}
    assert owner.client.ok("GET", place) == [second]


def test_bookmarks_of_removed_people_go_to_the_ghost(world: World) -> None:
    owner, writer = world.user(), world.user()
    project = world.project(owner)
    world.member(project, writer, "developer")
    place = f"/projects/{project['id']}/bookmarks"
    writer.client.ok("POST", place, json={"title": "t", "url": "u"})

    assert world.admin.delete(f"/users/{writer.id}").status_code == 204
    world.run_jobs()

    [bookmark] = owner.client.ok("GET", place)
    assert world.admin.ok("GET", f"/users/{bookmark['author_id']}")["username"].startswith("ghost")


def test_archives_carry_bookmarks(world: World) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    written = owner.client.ok("POST", f"/projects/{project['id']}/bookmarks", json={"title": "t", "url": "u"})

    content = exported(world, owner, project["id"])
    copy = imported(world, owner, content)

    assert [(record["title"], record["url"]) for record in relation(content, "project_bookmarks")] == [("t", "u")]
    [read] = owner.client.ok("GET", f"/projects/{copy['id']}/bookmarks")
    assert {**read, "id": 0} == {**written, "id": 0}


def test_walks_and_documentation_know_the_endpoints() -> None:
    walked = {named(endpoint) for endpoint in ENDPOINTS}

    assert {f"GET {PLACE}", f"POST {PLACE}", f"DELETE {PLACE}/{{bookmark_id}}"} <= walked
    assert "Add a bookmark to a project." in pages(describe(ENDPOINTS, __version__))["bookmarks.md"]
