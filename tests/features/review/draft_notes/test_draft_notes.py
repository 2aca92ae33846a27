"""Draft notes: private until they are published, and then ordinary notes."""

from collections.abc import Iterator
from typing import Any

import gitlab
import pytest
from gitlab.v4.objects import ProjectMergeRequest

from tests.support.world import Person, World

TEXT = "one\ntwo\nthree\n"


@pytest.fixture(scope="module")
def author(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def reviewer(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, author: Person, reviewer: Person) -> dict[str, Any]:
    created = world.project(author, initialize_with_readme=True, visibility="public")
    world.member(created, reviewer, "developer")
    return created


@pytest.fixture
def path(world: World, author: Person, reviewer: Person, project: dict[str, Any]) -> str:
    created = world.merge_request(project, author, files={"text.txt": TEXT}, reviewer_ids=[reviewer.id])
    return f"/projects/{project['id']}/merge_requests/{created['iid']}"


@pytest.fixture
def request_of_reviewer(world: World, reviewer: Person, project: dict[str, Any], path: str) -> Iterator[Any]:
    client = gitlab.Gitlab(world.server.url, private_token=reviewer.token)
    yield client.projects.get(project["id"], lazy=True).mergerequests.get(path.rsplit("/", 1)[1])
    client.session.close()


def line(person: Person, path: str, number: int) -> dict[str, Any]:
    shas = person.client.ok("GET", path)["diff_refs"]
    return {**shas, "position_type": "text", "old_path": "text.txt", "new_path": "text.txt", "new_line": number}


def comments(person: Person, path: str) -> list[str]:
    listed = person.client.ok("GET", f"{path}/notes?sort=asc&activity_filter=only_comments")
    return [note["body"] for note in listed]


def test_drafts_are_written_changed_and_thrown_away(
    reviewer: Person, path: str, request_of_reviewer: ProjectMergeRequest
) -> None:
    drafts = request_of_reviewer.draft_notes

    created = drafts.create({"note": "Why two?", "position": line(reviewer, path, 2)})

    assert created.author_id == reviewer.id
    assert created.merge_request_id == request_of_reviewer.id
    assert (created.discussion_id, created.resolve_discussion, created.commit_id) == (None, False, None)
    assert (created.position["new_path"], created.position["new_line"]) == ("text.txt", 2)
    assert created.line_code.endswith("_0_2")
    refused = reviewer.client.put(f"{path}/draft_notes/{created.id}", json={"position": line(reviewer, path, 1)})
    assert (refused.status_code, refused.json()) == (400, {"message": "400 Bad request - Missing params to modify"})
    reviewer.client.ok("PUT", f"{path}/draft_notes/{created.id}", json={"note": "Why?"})
    changed = drafts.get(created.id)
    assert (changed.note, changed.line_code, changed.position["new_line"]) == ("Why?", None, None)
    assert [draft.id for draft in drafts.list(get_all=True)] == [created.id]
    changed.delete()
    assert drafts.list(get_all=True) == []
    assert comments(reviewer, path) == []


def test_nobody_else_sees_changes_or_publishes_a_draft(
    world: World, author: Person, reviewer: Person, path: str
) -> None:
    draft = reviewer.client.ok("POST", f"{path}/draft_notes", json={"note": "Mine"})
    one = f"{path}/draft_notes/{draft['id']}"

    for client in (author.client, world.admin):
        assert client.ok("GET", f"{path}/draft_notes") == []
        answers = [
            client.get(one), client.put(one, json={"note": "Yours"}), client.put(f"{one}/publish"), client.delete(one),
        ]  # fmt: skip
        assert {(answer.status_code, answer.text) for answer in answers} == {(404, '{"message":"404 Not found"}')}
        client.ok("POST", f"{path}/draft_notes/bulk_publish")

    assert world.anonymous.get(f"{path}/draft_notes").status_code == 401
    assert reviewer.client.ok("GET", one)["note"] == "Mine"
    assert comments(author, path) == []
    assert author.client.ok("GET", path)["user_notes_count"] == 0


def test_a_review_is_published_at_once(
    author: Person, reviewer: Person, path: str, request_of_reviewer: ProjectMergeRequest
) -> None:
    thread = author.client.ok("POST", f"{path}/discussions", json={"body": "Is it good?"})
    drafts = request_of_reviewer.draft_notes
    drafts.create({"note": "Two\n```suggestion\n2\n```", "position": line(reviewer, path, 2)})
    answer = {"note": "It is.", "in_reply_to_discussion_id": thread["id"], "resolve_discussion": True}
    assert drafts.create(answer).discussion_id == thread["id"]
    drafts.create({"note": "All in all fine.\n/title Better"})
    drafts.create({"note": "/estimate 2h"})

    drafts.bulk_publish()

    assert drafts.list(get_all=True) == []
    assert len(comments(author, path)) == 4
    answered = author.client.ok("GET", f"{path}/discussions/{thread['id']}")["notes"]
    assert [(note["body"], note["resolved"]) for note in answered] == [("Is it good?", True), ("It is.", True)]
    [placed] = [note for note in author.client.ok("GET", f"{path}/notes") if note["type"] == "DiffNote"]
    assert placed["author"]["id"] == reviewer.id
    assert placed["position"]["new_line"] == 2
    assert placed["suggestions"][0]["to_content"] == "2\n"
    shown = author.client.ok("GET", path)
    assert (shown["title"], shown["time_stats"]["time_estimate"]) == ("Better", 7200)
    assert [one["state"] for one in author.client.ok("GET", f"{path}/reviewers")] == ["reviewed"]
    drafts.bulk_publish()  # with nothing to publish
    assert len(comments(author, path)) == 4


def test_a_reviewer_requests_changes_and_takes_that_back(author: Person, reviewer: Person, path: str) -> None:
    reviewer.client.ok("POST", f"{path}/approve")
    reviewer.client.ok("POST", f"{path}/draft_notes", json={"note": "Why two?"})
    send = f"{path}/draft_notes/bulk_publish"
    wish = {"note": "Not like this.", "reviewer_state": "requested_changes"}

    refused = author.client.post(send, json=wish)
    reviewer.client.ok("POST", send, json=wish)

    assert (refused.status_code, refused.json()) == (400, {"message": "400 Bad request - Reviewer not found"})
    assert comments(author, path) == ["Why two?", "Not like this."]
    assert author.client.ok("GET", f"{path}/approvals")["approved_by"] == []
    assert author.client.ok("GET", path)["detailed_merge_status"] == "requested_changes"
    assert [one["state"] for one in author.client.ok("GET", f"{path}/reviewers")] == ["requested_changes"]
    reviewer.client.ok("POST", send, json={"reviewer_state": "reviewed"})
    assert author.client.ok("GET", path)["detailed_merge_status"] == "mergeable"
    assert reviewer.client.post(send, json={"reviewer_state": "approved"}).status_code == 400


def test_one_draft_is_published_and_reopens_the_thread_that_it_answers(
    author: Person, reviewer: Person, path: str, request_of_reviewer: ProjectMergeRequest
) -> None:
    thread = author.client.ok("POST", f"{path}/discussions", json={"body": "Done?"})
    author.client.ok("PUT", f"{path}/discussions/{thread['id']}", json={"resolved": True})
    drafts = request_of_reviewer.draft_notes
    answer = drafts.create({"note": "Not yet.", "in_reply_to_discussion_id": thread["id"]})
    other = drafts.create({"note": "Later", "commit_id": "undefined"})

    answer.publish()

    assert [draft.id for draft in drafts.list(get_all=True)] == [other.id]
    answered = author.client.ok("GET", f"{path}/discussions/{thread['id']}")["notes"]
    assert [(note["body"], note["resolved"]) for note in answered] == [("Done?", False), ("Not yet.", False)]


def test_a_draft_that_cannot_be_published_holds_back_the_others(author: Person, reviewer: Person, path: str) -> None:
    thread = author.client.ok("POST", f"{path}/discussions", json={"body": "Soon gone"})
    reviewer.client.ok("POST", f"{path}/draft_notes", json={"note": "First"})
    body = {"note": "Second", "in_reply_to_discussion_id": thread["id"]}
    reviewer.client.ok("POST", f"{path}/draft_notes", json=body)
    author.client.ok("DELETE", f"{path}/discussions/{thread['id']}/notes/{thread['notes'][0]['id']}")

    answer = reviewer.client.post(f"{path}/draft_notes/bulk_publish")

    gone = {"message": {"base": ["Thread to reply to cannot be found"]}}
    assert (answer.status_code, answer.json()) == (400, gone)
    assert comments(author, path) == []
    assert [draft["note"] for draft in reviewer.client.ok("GET", f"{path}/draft_notes")] == ["First", "Second"]


def test_what_cannot_be_drafted(world: World, author: Person, reviewer: Person, path: str) -> None:
    stranger = world.user()
    thread = author.client.ok("POST", f"{path}/discussions", json={"body": "Mine"})
    reply = {"note": "x", "in_reply_to_discussion_id": thread["id"], "resolve_discussion": True}
    far = line(reviewer, path, 99)
    bodies = [
        {}, {"note": " "}, {"note": "x", "position": far}, {"note": "x", "commit_id": "f" * 40},
        {"note": "x", "resolve_discussion": True}, {"note": "x", "in_reply_to_discussion_id": "0" * 40},
    ]  # fmt: skip

    answers = [reviewer.client.post(f"{path}/draft_notes", json=body) for body in bodies]
    answers.append(stranger.client.post(f"{path}/draft_notes", json=reply))

    assert {answer.status_code for answer in answers} == {400}
    assert answers[-1].json() == {"message": {"base": ["User is not allowed to resolve thread"]}}
    author.client.ok("PUT", path, json={"discussion_locked": True})
    assert stranger.client.post(f"{path}/draft_notes", json={"note": "x"}).status_code == 403
    assert reviewer.client.ok("GET", f"{path}/draft_notes") == []


def test_lists_cost_a_fixed_number_of_statements(reviewer: Person, path: str) -> None:
    counts = []
    for _ in range(2):
        for number in range(2):
            reviewer.client.ok("POST", f"{path}/draft_notes", json={"note": f"Draft {number}"})
        counts.append(reviewer.client.queries(f"{path}/draft_notes"))

    assert counts[0] == counts[1]


def test_drafts_are_short_together(reviewer: Person, path: str) -> None:
    """They are published in one transaction and listed without pages."""
    client = reviewer.client
    for _ in range(4):
        last = client.ok("POST", f"{path}/draft_notes", json={"note": "x" * 1_000_000})
    refusal = "Draft notes of one person have at most 4194304 characters together; publish some"

    refused = client.post(f"{path}/draft_notes", json={"note": "x" * 200_000})
    assert (refused.status_code, refused.json()) == (400, {"message": f"400 Bad request - {refusal}"})
    client.ok("PUT", f"{path}/draft_notes/{last['id']}", json={"note": "short"})
    client.ok("POST", f"{path}/draft_notes", json={"note": "x" * 200_000})
    refused = client.put(f"{path}/draft_notes/{last['id']}", json={"note": "x" * 1_000_000})
    assert refused.status_code == 400
