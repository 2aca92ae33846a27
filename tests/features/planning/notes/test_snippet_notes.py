"""Comments, threads and reactions on snippets of projects."""

from typing import Any

import gitlab
import pytest

from tests.support.receiver import running_receiver
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def snippet_of(owner: Person, project: dict[str, Any], visibility: str = "public") -> dict[str, Any]:
    body = {"title": "Hinge", "visibility": visibility, "files": [{"file_path": "a.py", "content": "a = 1\n"}]}
    made: dict[str, Any] = owner.client.ok("POST", f"/projects/{project['id']}/snippets", json=body)
    return made


def test_python_gitlab_talks_about_a_snippet(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="public")
    made = snippet_of(owner, project)
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        snippet = client.projects.get(project["id"]).snippets.get(made["id"])
        note = snippet.notes.create({"body": f"Good, @{owner.username}"})
        assert (note.noteable_type, note.noteable_id, note.noteable_iid) == ("Snippet", made["id"], None)
        thread = snippet.discussions.create({"body": "Why?"})
        answer = snippet.discussions.get(thread.id).notes.create({"body": "Because"})
        assert (answer.type, answer.resolvable) == ("DiscussionNote", False)
        answer.body = "Because of this"
        answer.save()
        note.awardemojis.create({"name": "tada"})
        given = snippet.awardemojis.create({"name": "thumbsup"})
        assert (given.awardable_type, given.awardable_id) == ("Snippet", made["id"])
        bodies = [one.body for one in snippet.notes.list(sort="asc", get_all=True)]
        assert bodies == [f"Good, @{owner.username}", "Why?", "Because of this"]
        assert [len(one.attributes["notes"]) for one in snippet.discussions.list(get_all=True)] == [1, 2]
        answer.delete()
        given.delete()
        assert snippet.awardemojis.list(get_all=True) == []
    events = owner.client.ok("GET", f"/projects/{project['id']}/events?action=commented")
    assert [event["note"]["noteable_type"] for event in events] == ["Snippet", "Snippet"]
    found = owner.client.ok("GET", f"/projects/{project['id']}/search?scope=notes&search=Why")
    assert [one["body"] for one in found] == ["Why?"]


def test_comments_follow_the_snippet(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="public")
    closed, stranger, call = snippet_of(owner, project, "private"), world.user(), owner.client.ok
    base = f"/projects/{project['id']}/snippets/{closed['id']}"
    note = call("POST", f"{base}/notes", json={"body": "For us"})
    call("POST", f"{base}/award_emoji", json={"name": "eyes"})
    missing = (404, {"message": "404 Snippet Not Found"})
    for kind in ("notes", "discussions", "award_emoji"):
        reply = stranger.client.get(f"{base}/{kind}")
        assert (reply.status_code, reply.json()) == missing
    assert stranger.client.post(f"{base}/notes", json={"body": "x"}).status_code == 404
    seen = stranger.client.ok("GET", f"/projects/{project['id']}/events")
    assert [event["action_name"] for event in seen] == ["created"]
    assert world.anonymous.get(f"{base}/notes").status_code in (401, 404)
    assert owner.client.post(f"{base}/notes", json={"body": " "}).status_code == 400
    assert owner.client.post(f"{base}/notes", json={"body": "x", "internal": True}).status_code == 400

    call("DELETE", base)
    assert call("GET", f"/projects/{project['id']}/events?action=commented") == []
    other = snippet_of(owner, project)
    reply = owner.client.get(f"/projects/{project['id']}/snippets/{other['id']}/notes/{note['id']}")
    assert reply.status_code == 404

    call("PUT", f"/projects/{project['id']}", json={"snippets_access_level": "private"})
    assert stranger.client.get(f"/projects/{project['id']}/snippets/{other['id']}/notes").status_code == 403


def test_hooks_tell_of_them(world: World, owner: Person) -> None:
    world.admin.ok("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": True})
    project = world.project(owner, initialize_with_readme=True)
    made, call = snippet_of(owner, project), owner.client.ok
    base = f"/projects/{project['id']}/snippets/{made['id']}"
    with running_receiver() as receiver:
        hook = {"url": f"{receiver.url}/talk", "note_events": True, "emoji_events": True, "push_events": False}
        call("POST", f"/projects/{project['id']}/hooks", json=hook)
        call("POST", f"{base}/notes", json={"body": "Told"})
        call("POST", f"{base}/award_emoji", json={"name": "rocket"})
        world.run_jobs()
        told = {one.body["object_kind"]: one.body for one in receiver.wait_for("/talk", 2)}
    snippet = told["note"]["snippet"]
    assert (snippet["title"], snippet["content"], snippet["file_name"]) == ("Hinge", "a = 1\n", "a.py")
    about = told["note"]["object_attributes"]
    assert about["url"].endswith(f"/-/snippets/{made['id']}#note_{about['id']}")
    assert told["emoji"]["project_snippet"]["id"] == made["id"]
