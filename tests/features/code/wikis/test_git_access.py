"""Wikis over git: cloned and pushed with the real client."""

from pathlib import Path
from typing import Any

import pytest

from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.support.server import RunningServer
from tests.support.world import Person, World


def wiki_address(server: RunningServer, place: dict[str, Any], token: str | None, user: str = "anybody") -> str:
    path = place.get("path_with_namespace") or place["full_path"]
    return address(server, {"path_with_namespace": f"{path}.wiki"}, token, user)


@pytest.mark.parametrize("kind", ["project", "group"])
def test_pages_go_through_git_both_ways(
    server: RunningServer,
    owner: Person,
    project: dict[str, Any],
    world: World,
    tmp_path: Path,
    kind: str,
) -> None:
    place = project if kind == "project" else world.group(owner)
    pages = f"/{kind}s/{place['id']}/wikis"
    owner.client.ok("POST", pages, json={"title": "home", "content": "by the API\n"})
    here = clone(tmp_path / "here", wiki_address(server, place, owner.token))
    assert (here.folder / "home.md").read_text() == "by the API\n"
    assert here.ok("log", "--format=%an %s").strip() == "Ada Owner Ada Owner created page: home"

    here.commit("docs/How to.md", "pushed\n")
    here.commit("notes.txt", "no page\n")
    here.ok("push", "-q", "origin", "main")

    assert [page["slug"] for page in owner.client.ok("GET", pages)] == ["docs/How-to", "home"]
    assert owner.client.ok("GET", f"{pages}/docs%2FHow-to")["content"] == "pushed\n"
    owner.client.ok("PUT", f"{pages}/docs%2FHow-to", json={"content": "changed\n"})
    here.ok("pull", "-q")
    assert (here.folder / "docs/How-to.md").read_text() == "changed\n"
    assert not (here.folder / "docs/How to.md").exists()


def test_the_first_branch_of_an_empty_wiki_is_shown(
    server: RunningServer, owner: Person, project: dict[str, Any], pages: str, tmp_path: Path
) -> None:
    here = clone(tmp_path / "here", wiki_address(server, project, owner.token))
    here.ok("checkout", "-q", "-b", "master")
    here.commit("home.md", "first\n")

    here.ok("push", "-q", "origin", "master")

    assert owner.client.ok("GET", f"{pages}/home")["content"] == "first\n"
    assert "default branch" in here.refused("push", "origin", ":master")
    assert "not allowed to change this reference" in here.refused("push", "origin", "HEAD:refs/keep-around/x")


def test_roles_decide_about_git(world: World, server: RunningServer, owner: Person, tmp_path: Path) -> None:
    project = world.project(owner, visibility="private")
    owner.client.ok("POST", f"/projects/{project['id']}/wikis", json={"title": "home", "content": "x"})
    people = {role: world.user() for role in ("guest", "reporter", "developer")}
    for role, person in people.items():
        world.member(project, person, role)
    outside = GitClient(tmp_path)

    def url(person: Person | None) -> str:
        return wiki_address(server, project, person.token if person else None)

    assert "not allowed to download files from this wiki" in outside.refused("ls-remote", url(people["guest"]))
    assert "could not be found" in outside.refused("ls-remote", url(world.user()))
    outside.refused("ls-remote", url(None))
    here = clone(tmp_path / "here", url(people["developer"]))
    here.commit("second.md")
    assert "not allowed to write" in here.refused("push", url(people["reporter"]), "main")
    reading = world.token(people["developer"].id, ["read_repository"])
    assert "not allowed to upload" in here.refused("push", wiki_address(server, project, reading), "main")
    here.ok("push", "-q", "origin", "main")
    assert "refs/heads/main" in outside.ok("ls-remote", url(people["reporter"]))
    body = {"name": "reader", "scopes": ["read_repository"]}
    token = owner.client.ok("POST", f"/projects/{project['id']}/deploy_tokens", json=body)
    by_token = wiki_address(server, project, token["token"], token["username"])
    assert "refs/heads/main" in outside.ok("ls-remote", by_token)
    assert "not allowed to upload" in here.refused("push", by_token, "HEAD:other")
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"wiki_access_level": "disabled"})
    outside.refused("ls-remote", url(owner))
    outside.refused("ls-remote", by_token)


def test_a_renamed_project_leads_to_its_wiki(
    server: RunningServer, owner: Person, project: dict[str, Any], pages: str, world: World, tmp_path: Path
) -> None:
    owner.client.ok("POST", pages, json={"title": "home", "content": "x"})
    old = wiki_address(server, project, owner.token)
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"path": world.name("renamed")})

    assert "refs/heads/main" in GitClient(tmp_path).ok("ls-remote", old)


def test_a_wiki_without_pages_is_created_by_those_who_may_write(
    world: World, server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    outside = GitClient(tmp_path)

    assert "no pages yet" in outside.refused("ls-remote", wiki_address(server, project, world.user().token))
    assert outside.ok("ls-remote", wiki_address(server, project, owner.token)) == ""
