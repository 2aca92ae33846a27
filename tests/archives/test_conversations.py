"""What people say about issues and merge requests survives the way through an archive."""

from typing import Any

import pytest
from sqlalchemy import select

from ingot.features.planning.notes import notes
from tests.support.world import Person, World

OLD = "".join(f"line {number}\n" for number in range(1, 11))
NEW = OLD.replace("line 5\n", "line five\n")
LEFT_OUT = ("id", "noteable_id", "project_id", "imported", "imported_from", "updated_at")


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def conversation(person: Person, path: str) -> list[Any]:
    """All notes of a thing, without what an import has to change."""
    threads = person.client.get(f"{path}/discussions", per_page=100).json()
    return [(thread["id"], thread["individual_note"], [_shown(note) for note in thread["notes"]]) for thread in threads]


def _shown(note: dict[str, Any]) -> dict[str, Any]:
    shown = {key: value for key, value in note.items() if key not in LEFT_OUT}
    if shown.get("suggestions"):
        shown["suggestions"] = [{**one, "id": 0} for one in shown["suggestions"]]
    return shown


def round_trip(world: World, owner: Person, project: dict[str, Any]) -> int:
    owner.client.ok("POST", f"/projects/{project['id']}/export")
    world.run_jobs()
    archive = owner.client.get(f"/projects/{project['id']}/export/download").content
    reply = owner.client.post(
        "/projects/import",
        data={"path": world.name("again")},
        files={"file": ("archive.tar.gz", archive, "application/gzip")},
    )
    world.run_jobs()
    record = owner.client.ok("GET", f"/projects/{reply.json()['id']}/import")
    assert (record["import_status"], record["failed_relations"]) == ("finished", [])
    number: int = record["id"]
    return number


def test_notes_reactions_times_and_history_come_back(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "main", {"text.txt": OLD})
    request = world.merge_request(project, owner, files={"text.txt": NEW})
    home = f"/projects/{project['id']}"
    path = f"{home}/merge_requests/{request['iid']}"
    refs = owner.client.ok("GET", path)["diff_refs"]
    where = {**refs, "position_type": "text", "old_path": "text.txt", "new_path": "text.txt", "new_line": 5}
    body = "Better:\n```suggestion\nline V\n```"
    thread = owner.client.ok("POST", f"{path}/discussions", json={"body": body, "position": where})
    owner.client.ok("PUT", f"{path}/discussions/{thread['id']}", json={"resolved": True})
    plain = owner.client.ok("POST", f"{path}/notes", json={"body": "plain", "internal": True})
    owner.client.ok("POST", f"{path}/notes/{plain['id']}/award_emoji", json={"name": "tada"})
    owner.client.ok("POST", f"{path}/award_emoji", json={"name": "thumbsup"})
    owner.client.ok("POST", f"{path}/add_spent_time", json={"duration": "1h", "summary": "reading"})
    due = owner.client.ok("POST", f"{home}/milestones", json={"title": "v1"})["id"]
    options = {
        "title": "a", "description": "- [x] one\n- [ ] two", "weight": 2, "labels": "bug", "milestone_id": due,
    }  # fmt: skip
    issue = owner.client.ok("POST", f"{home}/issues", json=options)
    issue_path = f"{home}/issues/{issue['iid']}"
    open_thread = owner.client.ok("POST", f"{issue_path}/discussions", json={"body": "open?"})
    owner.client.ok("POST", f"{issue_path}/discussions/{open_thread['id']}/notes", json={"body": "yes"})
    for event in ("close", "reopen", "close"):
        owner.client.ok("PUT", issue_path, json={"state_event": event})
    world.commit(project, "main", {"other.txt": "x\n"})

    number = round_trip(world, owner, project)

    again = f"/projects/{number}/merge_requests/{request['iid']}"
    assert conversation(owner, again) == conversation(owner, path)
    before, after = owner.client.ok("GET", path), owner.client.ok("GET", again)
    for key in ("user_notes_count", "upvotes", "time_stats", "title"):
        assert after[key] == before[key], key
    (award,) = [
        award
        for note in owner.client.get(f"{again}/notes").json()
        for award in owner.client.ok("GET", f"{again}/notes/{note['id']}/award_emoji")
    ]
    assert award["name"] == "tada"
    again = f"/projects/{number}/issues/{issue['iid']}"
    assert conversation(owner, again) == conversation(owner, issue_path)
    before, after = owner.client.ok("GET", issue_path), owner.client.ok("GET", again)
    for key in ("state", "closed_at", "weight", "labels", "task_completion_status", "user_notes_count"):
        assert after[key] == before[key], key
    moves = [event["state"] for event in owner.client.ok("GET", f"{again}/resource_state_events")]
    assert moves == ["closed", "reopened", "closed"]
    (event,) = owner.client.ok("GET", f"{again}/resource_label_events")
    assert (event["action"], event["label"]["name"], event["user"]["id"]) == ("add", "bug", owner.id)
    (event,) = owner.client.ok("GET", f"{again}/resource_milestone_events")
    assert (event["action"], event["milestone"]["title"], event["state"]) == ("add", "v1", "opened")
    with world.server.services.db.read() as conn:
        result = select(notes.c.line_code, notes.c.original_position).where(notes.c.type == "DiffNote")
        codes = {(row.line_code, row.original_position["new_line"]) for row in conn.execute(result)}
    assert len(codes) == 1
