"""Quick actions in comments and descriptions of merge requests and issues."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, visibility="public")
    for name in ("bug", "two words"):
        owner.client.ok("POST", f"/projects/{created['id']}/labels", json={"name": name, "color": "#ff0000"})
    owner.client.ok("POST", f"/projects/{created['id']}/milestones", json={"title": "Version 1"})
    return created


@pytest.fixture
def path(world: World, owner: Person, project: dict[str, Any]) -> str:
    created = world.merge_request(project, owner)
    return f"/projects/{project['id']}/merge_requests/{created['iid']}"


@pytest.fixture
def issue(owner: Person, project: dict[str, Any]) -> str:
    created = owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "a"})
    return f"/projects/{project['id']}/issues/{created['iid']}"


def say(person: Person, path: str, body: str, **more: Any) -> Any:
    return person.client.post(f"{path}/notes", json={"body": body, **more})


def test_a_comment_of_nothing_but_actions_is_accepted(owner: Person, path: str) -> None:
    answer = say(owner, path, "/close")

    assert answer.status_code == 202
    assert answer.json() == {
        "commands_changes": {"state_event": "close"}, "summary": ["Closed this merge request."],
    }  # fmt: skip
    shown = owner.client.ok("GET", path)
    assert (shown["state"], shown["user_notes_count"]) == ("closed", 0)
    assert say(owner, path, "/reopen").status_code == 202
    assert owner.client.ok("GET", path)["state"] == "opened"


def test_actions_are_removed_from_the_comment(owner: Person, path: str) -> None:
    answer = say(owner, path, "Nice work.\n/draft\n\nBye.")

    assert answer.status_code == 201
    assert answer.json()["body"] == "Nice work.\n\nBye."
    shown = owner.client.ok("GET", path)
    assert shown["draft"] is True
    assert shown["title"].startswith("Draft: ")
    say(owner, path, "/ready")
    assert owner.client.ok("GET", path)["draft"] is False


def test_everything_about_a_merge_request(world: World, owner: Person, path: str) -> None:
    person = world.user()
    say(
        owner,
        path,
        f'/label ~bug ~"two words" ~nothing\n/assign @{person.username} me\n/assign_reviewer @{person.username}\n'
        '/milestone %"Version 1"\n/estimate 1d\n/spend 2h\n/lock\n/title Another title\n'
        "/award :tada:\n/unsubscribe\n/todo",
    )

    shown = owner.client.ok("GET", path)

    assert shown["labels"] == ["bug", "two words"]
    assert [one["id"] for one in shown["assignees"]] == [person.id, owner.id]
    assert [one["id"] for one in shown["reviewers"]] == [person.id]
    assert shown["milestone"]["title"] == "Version 1"
    assert (shown["time_stats"]["time_estimate"], shown["time_stats"]["total_time_spent"]) == (28800, 7200)
    assert shown["discussion_locked"] is True
    assert shown["title"] == "Another title"
    assert shown["subscribed"] is False
    assert [award["name"] for award in owner.client.ok("GET", f"{path}/award_emoji")] == ["tada"]
    assert [todo["action_name"] for todo in owner.client.ok("GET", "/todos")] == ["marked"]
    say(
        owner,
        path,
        f"/unlabel ~bug\n/unassign @{person.username}\n/unassign_reviewer\n/remove_milestone\n/remove_estimate\n"
        "/remove_time_spent\n/unlock\n/award :tada:\n/done",
    )
    shown = owner.client.ok("GET", path)
    assert shown["labels"] == ["two words"]
    assert [one["id"] for one in shown["assignees"]] == [owner.id]
    assert (shown["reviewers"], shown["milestone"], shown["discussion_locked"]) == ([], None, False)
    assert (shown["time_stats"]["time_estimate"], shown["time_stats"]["total_time_spent"]) == (0, 0)
    assert owner.client.ok("GET", f"{path}/award_emoji") == []
    assert owner.client.ok("GET", "/todos") == []


def test_everything_about_an_issue(owner: Person, issue: str) -> None:
    say(owner, issue, "/due 2031-02-03\n/weight 4\n/confidential\n/relabel ~bug\n/reassign me\n/spend 1h 2026-01-02")

    shown = owner.client.ok("GET", issue)

    assert (shown["due_date"], shown["weight"], shown["confidential"]) == ("2031-02-03", 4, True)
    assert shown["labels"] == ["bug"]
    assert shown["time_stats"]["total_time_spent"] == 3600
    say(owner, issue, "/remove_due_date\n/clear_weight\n/unlabel\n/unassign")
    shown = owner.client.ok("GET", issue)
    assert (shown["due_date"], shown["weight"], shown["labels"], shown["assignees"]) == (None, None, [], [])


def test_who_may_not_is_told_and_nothing_happens(world: World, owner: Person, path: str, issue: str) -> None:
    stranger = world.user()
    for place in (path, issue):
        before = owner.client.ok("GET", place)

        answer = say(stranger, place, "/close\n/label ~bug\n/estimate 1h")

        assert answer.status_code == 202
        assert answer.json()["commands_changes"] == {}
        assert answer.json()["summary"] == [
            "Could not apply close command.", "Could not apply label command.", "Could not apply estimate command.",
        ]  # fmt: skip
        after = owner.client.ok("GET", place)
        assert (after["state"], after["labels"], after["time_stats"]) == (
            before["state"], before["labels"], before["time_stats"],
        )  # fmt: skip


def test_nonsense_is_told_too(owner: Person, path: str) -> None:
    answer = say(owner, path, "/label ~nope\n/assign @nobody-at-all\n/estimate soon\n/milestone %x\n/award :nope:")

    assert answer.status_code == 202
    assert len(answer.json()["summary"]) == 5
    assert all(text.startswith("Could not apply") for text in answer.json()["summary"])


def test_merging_needs_the_head_that_was_seen(owner: Person, path: str) -> None:
    assert say(owner, path, "/merge").json()["summary"] == ["Could not apply merge command."]
    assert owner.client.ok("GET", path)["state"] == "opened"
    head = owner.client.ok("GET", path)["sha"]

    answer = say(owner, path, "/merge", merge_request_diff_head_sha=head)

    assert answer.json()["summary"] == ["Scheduled to merge this merge request."]
    assert owner.client.ok("GET", path)["state"] == "merged"


def test_descriptions_know_them_as_well(world: World, owner: Person, project: dict[str, Any]) -> None:
    created = world.merge_request(project, owner, description="What it does.\n/label ~bug\n/draft")
    assert (created["description"], created["labels"], created["draft"]) == ("What it does.", ["bug"], True)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    changed = owner.client.ok("PUT", path, json={"description": "Other.\n/ready\n/assign me"})
    assert (changed["description"], changed["draft"]) == ("Other.", False)
    assert [one["id"] for one in changed["assignees"]] == [owner.id]
    issue = owner.client.ok(
        "POST", f"/projects/{project['id']}/issues", json={"title": "a", "description": "x\n/estimate 2h"}
    )
    assert (issue["description"], issue["time_stats"]["time_estimate"]) == ("x", 7200)
    path = f"/projects/{project['id']}/issues/{issue['iid']}"
    closed = owner.client.ok("PUT", path, json={"description": "y\n/close"})
    assert (closed["description"], closed["state"]) == ("y", "closed")


def test_threads_take_actions(owner: Person, path: str) -> None:
    only = owner.client.post(f"{path}/discussions", json={"body": "/label ~bug"})
    assert only.status_code == 202
    thread = owner.client.ok("POST", f"{path}/discussions", json={"body": "x\n/unlabel ~bug"})
    assert thread["notes"][0]["body"] == "x"
    assert owner.client.ok("GET", path)["labels"] == []
    reply = owner.client.post(f"{path}/discussions/{thread['id']}/notes", json={"body": "/close"})
    assert reply.status_code == 202
    assert owner.client.ok("GET", path)["state"] == "closed"


def test_people_are_told_in_sentences(world: World, owner: Person, project: dict[str, Any], path: str) -> None:
    first, second, third = (world.user() for _ in range(3))
    for person in (first, second, third):
        world.member(project, person, "developer")
    one, two = f"@{first.username}", f"@{second.username}"

    def summary_of(text: str) -> list[str]:
        summary: list[str] = say(owner, path, text).json()["summary"]
        return summary

    assert summary_of(f"/assign {one}") == [f"Assigned {one}."]
    assert summary_of(f"/assign {one} {two} @{third.username}") == [f"Assigned {one}, {two}, and @{third.username}."]
    assert summary_of(f"/unassign @{third.username}") == [f"Removed assignee @{third.username}."]
    assert summary_of("/unassign") == [f"Removed assignees {one} and {two}."]
    assert summary_of("/unassign") == ["Could not apply unassign command."]
    assert summary_of(f"/reassign {two}") == ["Changed assignee(s)."]
    assert summary_of(f"/assign_reviewer {one} {two}") == [f"Assigned {one} and {two} as reviewers."]
    assert summary_of(f"/unassign_reviewer {two}") == [f"Removed reviewer {two}."]
    assert summary_of(f"/reassign_reviewer {two}") == ["Changed reviewer(s)."]
    assert summary_of(f"/request_review {two}") == [f"Requested a review from {two}."]
    assert summary_of(f"/request_review {one} {two}") == [f"Assigned {one} and {two} as reviewers."]
    assert summary_of("/request_review @nobody-here") == ["Could not apply request_review command."]
