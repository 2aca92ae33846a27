"""Wiki pages are told to hooks and to the lists of events, however they are written."""

from pathlib import Path

from tests.features.code.git_http.git_client import address, clone
from tests.features.integrations.web_hooks.conftest import Hooked, Make


def told(hooked: Hooked) -> list[tuple[str, str, str]]:
    bodies = [one["object_attributes"] for one in hooked.bodies(object_kind="wiki_page")]
    return [(one["action"], one["slug"], one["content"]) for one in bodies]


def test_pages_of_the_api_and_of_pushes_are_told_once(make_hooked: Make, tmp_path: Path) -> None:
    hooked = make_hooked("wiki_page_events")
    client, project, pages = hooked.owner.client, hooked.project, f"{hooked.place}/wikis"
    client.ok("POST", pages, json={"title": "Guide/first", "content": "![x](/uploads/a/b.png)"})
    client.ok("PUT", f"{pages}/Guide%2Ffirst", json={"title": "second"})
    wiki = {"path_with_namespace": f"{project['path_with_namespace']}.wiki"}
    here = clone(tmp_path / "here", address(hooked.world.server, wiki, hooked.owner.token))
    here.ok("rm", "-q", "Guide/second.md")
    here.commit("pushed.md", "by git\n", "Write by git")
    here.ok("push", "-q", "origin", "main")

    heard = told(hooked)
    home = hooked.arrivals()[0].body["project"]["web_url"]
    picture = f"![x]({home}/uploads/a/b.png)"
    assert heard[:2] == [("create", "Guide/first", picture), ("update", "Guide/second", picture)]
    assert sorted(heard[2:]) == [("create", "pushed", "by git\n"), ("delete", "Guide/second", picture)]
    arrived = next(one for one in hooked.arrivals() if one.body["object_attributes"]["slug"] == "pushed")
    assert arrived.headers["X-Gitlab-Event"] == "Wiki Page Hook"
    head = here.ok("rev-parse", "HEAD").strip()
    url = f"{home}/-/wikis"
    assert arrived.body["object_attributes"] == {
        "slug": "pushed",
        "title": "pushed",
        "format": "markdown",
        "message": "Write by git\n",
        "content": "by git\n",
        "version_id": head,
        "url": f"{url}/pushed",
        "diff_url": f"{url}/pushed/diff?version_id={head}",
        "action": "create",
    }
    assert arrived.body["user"]["username"] == hooked.owner.username
    assert arrived.body["wiki"]["web_url"] == url
    assert arrived.body["wiki"]["default_branch"] == "main"
    assert arrived.body["wiki"]["git_http_url"] == f"{home}.wiki.git"

    listed = client.ok("GET", f"{hooked.place}/events?target_type=wiki&sort=asc")
    assert [(one["action_name"], one["target_type"]) for one in listed[:2]] == [
        ("created", "WikiPage::Meta"), ("updated", "WikiPage::Meta"),
    ]  # fmt: skip
    assert sorted(one["action_name"] for one in listed[2:]) == ["created", "destroyed"]
    assert listed[1]["wiki_page"] == {"format": "markdown", "slug": "Guide/second", "title": "second"}
    assert listed[0]["target_id"] == listed[1]["target_id"]
    client.ok("PUT", hooked.place, json={"visibility": "public", "wiki_access_level": "private"})
    assert hooked.world.user().client.ok("GET", f"{hooked.place}/events?target_type=wiki") == []


def test_the_first_page_is_a_sample_and_groups_hear_without_data(make_hooked: Make) -> None:
    hooked = make_hooked()
    world, client = hooked.world, hooked.owner.client
    client.ok("POST", f"{hooked.place}/wikis", json={"title": "home", "content": "hello"})
    hook = client.ok("GET", f"{hooked.place}/hooks")[0]["id"]
    group = world.group(hooked.owner)
    path = f"/{world.name('hook')}/"
    body = {"url": hooked.receiver.url + path, "push_events": False, "wiki_page_events": True}
    client.ok("POST", f"/groups/{group['id']}/hooks", json=body)

    client.ok("POST", f"{hooked.place}/hooks/{hook}/test/wiki_page_events")
    client.ok("POST", f"/groups/{group['id']}/wikis", json={"title": "home", "content": "hello"})

    assert told(hooked) == [("create", "home", "hello")]
    [arrived] = hooked.receiver.received(path)
    assert (arrived.headers["X-Gitlab-Event"], arrived.body) == ("Wiki Page Hook", {})
