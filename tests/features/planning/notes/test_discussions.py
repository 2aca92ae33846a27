"""Threads: replies, resolution and its effects, positions in diffs, suggestions, commits."""

from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World

OLD = "".join(f"line {number}\n" for number in range(1, 31))
NO_LINE = '{:line_code=>["can\'t be blank", "must be a valid line code"]}'
NO_THREAD = {"message": "404 Discussion Not Found"}
NEW = OLD.replace("line 5\n", "line five\n").replace("line 20\n", "")


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, visibility="public")
    world.commit(created, "main", {"text.txt": OLD})
    return created


@pytest.fixture
def path(world: World, owner: Person, project: dict[str, Any]) -> str:
    created = world.merge_request(project, owner, files={"text.txt": NEW})
    return f"/projects/{project['id']}/merge_requests/{created['iid']}"


def position(owner: Person, path: str, **more: Any) -> dict[str, Any]:
    refs = owner.client.ok("GET", path)["diff_refs"]
    return {**refs, "position_type": "text", "old_path": "text.txt", "new_path": "text.txt", **more}


def test_a_thread_with_a_reply(owner: Person, path: str) -> None:
    created = owner.client.ok("POST", f"{path}/discussions", json={"body": "Why?"})
    answer = owner.client.ok("POST", f"{path}/discussions/{created['id']}/notes", json={"body": "Because."})

    assert len(created["id"]) == 40
    assert created["individual_note"] is False
    assert created["notes"][0]["type"] == answer["type"] == "DiscussionNote"
    assert answer["resolvable"] is True
    assert answer["resolved"] is False
    one = owner.client.ok("GET", f"{path}/discussions/{created['id']}")
    assert [note["body"] for note in one["notes"]] == ["Why?", "Because."]
    assert owner.client.ok("GET", f"{path}/discussions") == [one]
    assert owner.client.ok("GET", f"{path}/discussions/{created['id']}/notes/{answer['id']}") == answer


def test_a_plain_note_becomes_a_thread_when_answered(owner: Person, path: str) -> None:
    owner.client.ok("POST", f"{path}/notes", json={"body": "plain"})
    (result,) = owner.client.ok("GET", f"{path}/discussions")
    assert result["individual_note"] is True
    assert result["notes"][0]["resolvable"] is False

    owner.client.ok("POST", f"{path}/discussions/{result['id']}/notes", json={"body": "answer"})

    (thread,) = owner.client.ok("GET", f"{path}/discussions")
    assert thread["individual_note"] is False
    assert [note["type"] for note in thread["notes"]] == ["DiscussionNote", "DiscussionNote"]


def test_resolving_a_thread_lets_the_request_merge(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, only_allow_merge_if_all_discussions_are_resolved=True)
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    thread = owner.client.ok("POST", f"{path}/discussions", json={"body": "Why?"})
    request = owner.client.ok("GET", path)
    assert request["blocking_discussions_resolved"] is False
    assert request["detailed_merge_status"] == "discussions_not_resolved"

    done = owner.client.ok("PUT", f"{path}/discussions/{thread['id']}", json={"resolved": True})

    assert done["notes"][0]["resolved"] is True
    assert done["notes"][0]["resolved_by"]["id"] == owner.id
    assert done["notes"][0]["resolved_at"] is not None
    assert owner.client.ok("GET", path)["detailed_merge_status"] == "mergeable"
    late = owner.client.ok("POST", f"{path}/discussions/{thread['id']}/notes", json={"body": "thanks"})
    assert late["resolved"] is True
    again = owner.client.ok("PUT", f"{path}/discussions/{thread['id']}", json={"resolved": False})
    assert [note["resolved"] for note in again["notes"]] == [False, False]
    note = again["notes"][0]["id"]
    half = owner.client.ok("PUT", f"{path}/discussions/{thread['id']}/notes/{note}", json={"resolved": True})
    assert half["resolved"] is True
    assert owner.client.ok("GET", path)["blocking_discussions_resolved"] is False
    owner.client.delete(f"{path}/discussions/{thread['id']}/notes/{late['id']}")
    assert owner.client.ok("GET", path)["blocking_discussions_resolved"] is True


def test_who_resolves(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}/discussions"
    writer, stranger, reporter, developer = (world.user() for _ in range(4))
    world.member(project, reporter, "reporter")
    world.member(project, developer, "developer")
    thread = writer.client.ok("POST", path, json={"body": "Why?"})

    for person, status in ((stranger, 403), (reporter, 403), (developer, 200), (writer, 200), (owner, 200)):
        answer = person.client.put(f"{path}/{thread['id']}", json={"resolved": True})
        assert answer.status_code == status
        owner.client.ok("PUT", f"{path}/{thread['id']}", json={"resolved": False})
    assert world.anonymous.put(f"{path}/{thread['id']}", json={"resolved": True}).status_code == 401


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"new_line": 5}, "_6_5"),
        ({"old_line": 20}, "_20_20"),
        ({"old_line": 12, "new_line": 12}, "_12_12"),
        ({"old_line": 25, "new_line": 24}, "_25_24"),
    ],
)
def test_lines_of_a_diff_can_be_commented_on(world: World, owner: Person, path: str, line: Any, code: str) -> None:
    where = position(owner, path, **line)

    created = owner.client.ok("POST", f"{path}/discussions", json={"body": "Here", "position": where})

    (note,) = created["notes"]
    assert note["type"] == "DiffNote"
    assert note["position"] == {"old_line": None, "new_line": None, "line_range": None, **where}
    assert note["suggestions"] == []
    assert note["resolvable"] is True
    with world.server.services.db.read() as conn:
        stored = conn.exec_driver_sql(f"select line_code from notes where id = {note['id']}").scalar_one()
    assert stored.endswith(code)
    answer = owner.client.ok("POST", f"{path}/discussions/{created['id']}/notes", json={"body": "There"})
    assert answer["position"] == note["position"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"new_line": 999}, NO_LINE),
        ({"new_line": 12}, NO_LINE),
        ({"new_line": 5, "new_path": "x", "old_path": "x"}, NO_LINE),
        ({}, '{:position=>["is incomplete"]}'),
        ({"new_line": 5, "new_path": None, "old_path": None}, '{:position=>["is incomplete"]}'),
        ({"new_line": 5, "head_sha": "0" * 40}, '{:position=>["is invalid"]}'),
        ({"new_line": 5, "base_sha": "--output=x"}, '{:position=>["is invalid"]}'),
    ],
)  # fmt: skip
def test_positions_outside_the_diff_are_refused(owner: Person, path: str, change: Any, message: str) -> None:
    where = position(owner, path, **change)

    refused = owner.client.post(f"{path}/discussions", json={"body": "Here", "position": where})

    assert refused.status_code == 400
    assert refused.json() == {"message": f"400 Bad request - Note {message}"}
    assert owner.client.ok("GET", f"{path}/discussions") == []


def test_errors_of_discussions(owner: Person, path: str) -> None:
    thread = owner.client.ok("POST", f"{path}/discussions", json={"body": "Why?"})
    one = f"{path}/discussions/{thread['id']}"
    note = thread["notes"][0]["id"]
    where = {key: value for key, value in position(owner, path, new_line=5).items() if key != "base_sha"}
    for call, status, body in (
        (owner.client.post(f"{path}/discussions", json={}), 400, {"error": "body is missing"}),
        (
            owner.client.post(f"{path}/discussions", json={"body": "x", "position": where}), 400,
            {"error": "position[base_sha] is missing"},
        ),
        (owner.client.get(f"{path}/discussions/nope"), 404, NO_THREAD),
        (owner.client.post(f"{path}/discussions/nope/notes", json={"body": "x"}), 404, NO_THREAD),
        (owner.client.put(one, json={}), 400, {"error": "resolved is missing"}),
        (owner.client.put(one, json={"resolved": "maybe"}), 400, {"error": "resolved is invalid"}),
        (
            owner.client.put(f"{one}/notes/{note}", json={}), 400,
            {"error": "body, resolved are missing, exactly one parameter must be provided"},
        ),
        (
            owner.client.put(f"{one}/notes/{note}", json={"body": "a", "resolved": True}), 400,
            {"error": "body, resolved are mutually exclusive"},
        ),
        (owner.client.get(f"{path}/discussions/nope/notes/{note}"), 404, NO_THREAD),
    ):  # fmt: skip
        assert (call.status_code, call.json()) == (status, body)


def test_system_notes_cannot_be_answered(owner: Person, path: str) -> None:
    owner.client.ok("PUT", path, json={"state_event": "close"})
    (result,) = owner.client.ok("GET", f"{path}/discussions")

    refused = owner.client.post(f"{path}/discussions/{result['id']}/notes", json={"body": "x"})

    assert refused.status_code == 400
    assert refused.json() == {"message": "400 Bad request - Discussion can not be replied to."}
    assert owner.client.put(f"{path}/discussions/{result['id']}", json={"resolved": True}).status_code == 403


def test_suggestions_are_read_from_the_text(owner: Person, path: str) -> None:
    body = "Better:\n```suggestion:-1+2\nother\n```\nor\n```suggestion\nsingle\n```"
    where = position(owner, path, new_line=5)

    created = owner.client.ok("POST", f"{path}/discussions", json={"body": body, "position": where})

    first, second = created["notes"][0]["suggestions"]
    assert (first["from_line"], first["to_line"]) == (4, 7)
    assert first["from_content"] == "line 4\nline five\nline 6\nline 7\n"
    assert first["to_content"] == "other\n"
    assert (second["from_line"], second["to_line"], second["appliable"], second["applied"]) == (5, 5, True, False)


def test_a_push_can_resolve_outdated_threads(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, resolve_outdated_diff_discussions=True)
    world.commit(project, "main", {"text.txt": OLD})
    created = world.merge_request(project, owner, source_branch="feature", files={"text.txt": NEW})
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"
    for line in ({"new_line": 5}, {"old_line": 12, "new_line": 12}):
        owner.client.ok("POST", f"{path}/discussions", json={"body": "x", "position": position(owner, path, **line)})

    world.commit(project, "feature", {"text.txt": NEW.replace("line five", "line 5 again")}, message="Say it again")

    result = [note for thread in owner.client.ok("GET", f"{path}/discussions") for note in thread["notes"]]
    assert [note["resolved"] for note in result if note["type"] == "DiffNote"] == [True, False]
    (system,) = (note["body"] for note in result if note["system"])
    assert system.startswith("added 1 commit\n")
    assert "Say it again" in system
    # Lines are followed into a file of another name.
    moved = {"action": "move", "file_path": "other.txt", "previous_path": "text.txt"}
    body = {"branch": "feature", "commit_message": "Move it", "actions": [moved]}
    owner.client.ok("POST", f"/projects/{project['id']}/repository/commits", json=body)
    world.run_jobs()
    result = [note for thread in owner.client.ok("GET", f"{path}/discussions") for note in thread["notes"]]
    assert any("Move it" in note["body"] for note in result if note["system"])
    assert [note["resolved"] for note in result if note["type"] == "DiffNote"] == [True, False]


def test_threads_on_commits(world: World, owner: Person, project: dict[str, Any]) -> None:
    sha = world.commit(project, "other", {"text.txt": NEW})
    path = f"/projects/{project['id']}/repository/commits/{sha}"

    thread = owner.client.ok("POST", f"{path}/discussions", json={"body": "Nice"})
    owner.client.ok("POST", f"{path}/discussions/{thread['id']}/notes", json={"body": "Indeed"})

    (result,) = owner.client.ok("GET", f"{path}/discussions")
    assert [note["body"] for note in result["notes"]] == ["Nice", "Indeed"]
    assert result["notes"][0]["noteable_type"] == "Commit"
    assert result["notes"][0]["noteable_id"] is None
    assert result["notes"][0]["commit_id"] == sha
    assert result["notes"][0]["resolvable"] is False
    missing = owner.client.get(f"/projects/{project['id']}/repository/commits/{'0' * 40}/discussions")
    assert (missing.status_code, missing.json()) == (404, {"message": "404 Commit Not Found"})


def test_comments_on_commits(world: World, owner: Person, project: dict[str, Any]) -> None:
    sha = world.commit(project, world.name("commented"), {"text.txt": NEW}, message=world.name("Comment on this"))
    path = f"/projects/{project['id']}/repository/commits/{sha}/comments"

    plain = owner.client.ok("POST", path, json={"note": "Nice"})
    placed = owner.client.ok("POST", path, json={"note": "Here", "path": "text.txt", "line": 5, "line_type": "new"})

    assert (plain["note"], plain["path"], plain["line"], plain["line_type"]) == ("Nice", None, None, None)
    assert (placed["path"], placed["line"], placed["line_type"]) == ("text.txt", 5, "new")
    assert world.anonymous.get(path).json() == [plain, placed]
    for options, body in (
        ({}, {"error": "note is missing"}),
        ({"note": "x", "path": "a"}, {"error": "path, line, line_type provide all or none of parameters"}),
        (
            {"note": "x", "path": "text.txt", "line": 99, "line_type": "new"},
            {"message": '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}'},
        ),
    ):
        refused = owner.client.post(path, json=options)
        assert (refused.status_code, refused.json()) == (400, body)
    assert world.anonymous.post(path, json={"note": "x"}).status_code == 401


def test_pages_of_threads_cost_a_fixed_number_of_queries(owner: Person, path: str) -> None:
    first = owner.client.ok("POST", f"{path}/discussions", json={"body": "0"})
    few = owner.client.queries(f"{path}/discussions")
    for number in range(1, 6):
        owner.client.ok("POST", f"{path}/discussions", json={"body": str(number)})
    owner.client.ok("POST", f"{path}/discussions/{first['id']}/notes", json={"body": "late"})

    page = owner.client.get(f"{path}/discussions", per_page=4)

    assert [thread["notes"][0]["body"] for thread in page.json()] == ["0", "1", "2", "3"]
    assert len(page.json()[0]["notes"]) == 2
    assert page.headers["X-Total"] == "6"
    assert owner.client.queries(f"{path}/discussions", per_page=4) == few


def test_python_gitlab_discusses(world: World, owner: Person, project: dict[str, Any], path: str) -> None:
    where = position(owner, path, new_line=5)
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        request = client.projects.get(project["id"]).mergerequests.get(int(path.rsplit("/", 1)[1]))
        thread = request.discussions.create({"body": "first", "position": where})
        thread.notes.create({"body": "second"})
        thread.resolved = True
        thread.save()
        again = request.discussions.get(thread.id)
        assert [note["resolved"] for note in again.attributes["notes"]] == [True, True]
        assert len(request.discussions.list(get_all=True)) == 1


def test_a_thread_outlives_its_first_note(world: World, owner: Person, project: dict[str, Any]) -> None:
    helper, leaver = world.user(), world.user()
    for person in (helper, leaver):
        world.member(project, person, "developer")
    path = f"/projects/{project['id']}/merge_requests/{world.merge_request(project, owner)['iid']}/discussions"
    deleted = owner.client.ok("POST", path, json={"body": "first"})
    left = leaver.client.ok("POST", path, json={"body": "of somebody who leaves"})
    alone = leaver.client.ok("POST", path, json={"body": "alone"})
    for thread in (deleted, left):
        for body in ("second", "third"):
            helper.client.ok("POST", f"{path}/{thread['id']}/notes", json={"body": body})

    assert owner.client.delete(f"{path}/{deleted['id']}/notes/{deleted['notes'][0]['id']}").status_code == 204
    world.admin.ok("DELETE", f"/users/{leaver.id}", params={"hard_delete": "true"})
    world.run_jobs()

    shown = owner.client.get(path)
    assert [thread["id"] for thread in shown.json()] == [deleted["id"], left["id"]]
    assert [[note["body"] for note in thread["notes"]] for thread in shown.json()] == [["second", "third"]] * 2
    assert shown.headers["X-Total"] == "2"
    assert owner.client.get(f"{path}/{alone['id']}").status_code == 404
