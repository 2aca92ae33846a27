"""Pages of wikis: list, read, write, rename, delete."""

from collections.abc import Iterator
from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def api(world: World, owner: Person) -> Iterator[gitlab.Gitlab]:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        yield client


@pytest.mark.parametrize("kind", ["project", "group"])
def test_a_page_from_creation_to_removal(
    api: gitlab.Gitlab, kind: str, project: dict[str, Any], group: dict[str, Any]
) -> None:
    place = api.projects.get(project["id"]) if kind == "project" else api.groups.get(group["id"])
    assert place.wikis.list() == []

    page = place.wikis.create({"title": "Guide/First steps", "content": "# Hello"})

    assert (page.slug, page.title, page.format) == ("Guide/First-steps", "First steps", "markdown")
    [listed] = place.wikis.list()
    assert listed.slug == "Guide/First-steps"
    assert "content" not in listed.attributes
    [whole] = place.wikis.list(with_content=True)
    assert (whole.content, whole.encoding, whole.front_matter) == ("# Hello", "UTF-8", {})
    page.content = "# Changed"
    page.save()
    read = place.wikis.get("Guide/First-steps")
    assert read.content == "# Changed"
    assert read.wiki_page_meta_id == listed.wiki_page_meta_id
    assert "<h1>Changed</h1>" in place.wikis.get("Guide/First-steps", render_html=True).content
    page.delete()
    assert place.wikis.list() == []
    with pytest.raises(gitlab.GitlabGetError, match="404 Wiki Page Not Found"):
        place.wikis.get("Guide/First-steps")


def test_attachments_are_committed_under_a_secret(api: gitlab.Gitlab, project: dict[str, Any]) -> None:
    place = api.projects.get(project["id"])
    place.wikis.create({"title": "home", "content": "x"})

    answer = place.wikis.get("home").upload("../a b?.png", filedata=b"\x89PNG")

    assert answer["file_name"] == "a_b_.png"
    assert answer["branch"] == "main"
    folder, secret, name = answer["file_path"].split("/")
    assert (folder, len(secret), name) == ("uploads", 32, "a_b_.png")
    assert answer["link"] == {"url": answer["file_path"], "markdown": f"![a_b_]({answer['file_path']})"}
    assert [page.slug for page in place.wikis.list()] == ["home"]


def test_titles_decide_where_a_page_lies(owner: Person, pages: str) -> None:
    def rename(slug: str, title: str) -> str:
        changed = owner.client.ok("PUT", f"{pages}/{slug.replace('/', '%2F')}", json={"title": title})
        return str(changed["slug"])

    owner.client.ok("POST", pages, json={"title": " docs / api / index ", "content": "x"})

    assert rename("docs/api/index", "start here") == "docs/api/start-here"
    assert rename("docs/api/start-here", "other/page") == "other/page"
    assert rename("other/page", "/top") == "top"
    assert owner.client.ok("GET", f"{pages}/top")["content"] == "x"
    assert [page["slug"] for page in owner.client.ok("GET", pages)] == ["top"]


def test_formats_decide_about_the_file_and_fall_back_to_markdown(owner: Person, pages: str) -> None:
    for word in ("rdoc", "asciidoc", "org"):
        page = owner.client.ok("POST", pages, json={"title": word, "content": "= <b>", "format": word})
        assert page["format"] == word
    html = owner.client.ok("GET", f"{pages}/org?render_html=true")["content"]
    assert html == "<pre>= &lt;b&gt;</pre>"

    assert owner.client.ok("PUT", f"{pages}/org", json={"content": "y"})["format"] == "markdown"
    assert owner.client.ok("PUT", f"{pages}/rdoc", json={"format": "rdoc"})["format"] == "rdoc"
    answer = owner.client.post(pages, json={"title": "t", "content": "c", "format": "html"})
    assert (answer.status_code, answer.json()) == (400, {"error": "format does not have a valid value"})


def test_old_versions_stay_readable(owner: Person, world: World, project: dict[str, Any], pages: str) -> None:
    owner.client.ok("POST", pages, json={"title": "home", "content": "---\ntitle: My home\n---\none"})
    wiki = world.server.services.storages.repository("default", project["id"], "wiki")
    first = (wiki.path / "refs/heads/main").read_text().strip()
    owner.client.ok("PUT", f"{pages}/home", json={"content": "two"})

    old = owner.client.ok("GET", f"{pages}/home?version={first}")

    assert old["content"] == "---\ntitle: My home\n---\none"
    assert old["front_matter"] == {"title": "My home"}
    assert owner.client.ok("GET", f"{pages}/home")["content"] == "two"
    assert owner.client.get(f"{pages}/home?version={'0' * 40}").status_code == 404


BLANK = ["can't be blank"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"title": " / ", "content": "x"}, {"title": BLANK}),
        ({"title": "", "content": " "}, {"title": BLANK, "content": BLANK}),
        ({"title": "a/../b", "content": "x"}, {"title": ["is invalid"]}),
        ({"title": ".GIT/hooks", "content": "x"}, {"title": ["is invalid"]}),
        ({"title": "uploads/x", "content": "x"}, {"title": ["is invalid"]}),
        ({"title": "a\nb", "content": "x"}, {"title": ["is invalid"]}),
        ({"title": "a" * 246, "content": "x"}, {"title": ["exceeds the limit of 245 bytes"]}),
        (
            {"title": "x", "content": "y" * (5 << 20 | 1)},
            {"content": ["is too long (5 MiB). The maximum size is 5 MiB."]},
        ),
    ],
)
def test_unfit_pages_are_refused(owner: Person, pages: str, body: dict[str, str], message: object) -> None:
    answer = owner.client.post(pages, json=body)

    assert (answer.status_code, answer.json()) == (400, {"message": message})
    assert owner.client.ok("GET", pages) == []


def test_refusals_of_known_and_unknown_pages(owner: Person, pages: str) -> None:
    owner.client.ok("POST", pages, json={"title": "one", "content": "x", "format": "org"})
    owner.client.ok("POST", pages, json={"title": "two", "content": "x"})
    duplicate = {"base": ["Duplicate page: A page with that title already exists in the file /one.org"]}

    for answer in (
        owner.client.post(pages, json={"title": "one", "content": "y"}),
        owner.client.put(f"{pages}/two", json={"title": "one"}),
    ):
        assert (answer.status_code, answer.json()) == (400, {"message": duplicate})
    unnamed = owner.client.put(f"{pages}/one", json={})
    missing = "content, title, format are missing, at least one parameter must be provided"
    assert (unnamed.status_code, unnamed.json()) == (400, {"error": missing})
    for answer in (
        owner.client.put(f"{pages}/none", json={"content": "x"}),
        owner.client.delete(f"{pages}/none"),
        owner.client.get(f"{pages}/..%2F..%2Fconfig"),
    ):
        assert (answer.status_code, answer.json()) == (404, {"message": "404 Wiki Page Not Found"})


def test_roles_and_switches(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="private")
    pages = f"/projects/{project['id']}/wikis"
    body = {"title": "home", "content": "x"}
    people = {role: world.user() for role in ("guest", "reporter", "developer")}
    for role, person in people.items():
        world.member(project, person, role)
    stranger = world.user()

    assert people["developer"].client.post(pages, json=body).status_code == 201
    for role in ("guest", "reporter"):
        assert people[role].client.get(f"{pages}/home").status_code == 200
        assert people[role].client.post(pages, json=body).status_code == 403
        assert people[role].client.delete(f"{pages}/home").status_code == 403
    assert stranger.client.get(pages).status_code == 404
    assert world.anonymous.get(pages).status_code == 404
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"visibility": "public", "wiki_access_level": "private"})
    assert stranger.client.get(pages).status_code == 403
    assert people["guest"].client.get(pages).status_code == 200
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"wiki_access_level": "enabled"})
    assert world.anonymous.get(f"{pages}/home").json()["content"] == "x"
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"wiki_access_level": "disabled"})
    assert owner.client.get(pages).status_code == 403


def test_the_wiki_of_a_group_has_its_own_switch(world: World, owner: Person) -> None:
    group = world.group(owner, visibility="public")
    pages = f"/groups/{group['id']}/wikis"
    member, stranger = world.user(), world.user()
    world.member(group, member, "reporter", "groups")
    owner.client.ok("POST", pages, json={"title": "home", "content": "x"})

    assert world.anonymous.get(f"{pages}/home").status_code == 200
    assert member.client.post(pages, json={"title": "two", "content": "x"}).status_code == 403
    owner.client.ok("PUT", f"/groups/{group['id']}", json={"wiki_access_level": "private"})
    assert (stranger.client.get(pages).status_code, member.client.get(pages).status_code) == (403, 200)
    owner.client.ok("PUT", f"/groups/{group['id']}", json={"wiki_access_level": "disabled"})
    assert owner.client.get(pages).status_code == 403
