"""Our answers against the schemas of a real server: a field that they name and we lack is a gap."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.world import World

FOLDER = Path(__file__).parents[3] / "shared" / "fixtures" / "schemas"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the schemas are not beside this checkout")


def missing(schema: dict[str, Any], answer: Any, place: str = "") -> list[str]:
    """Named fields that the answer lacks; what the schema does not require may be absent where it is conditional."""
    if isinstance(answer, list):
        return [gap for one in answer for gap in missing(schema.get("items", {}), one, f"{place}[]")]
    if not isinstance(answer, dict):
        return []
    gaps = []
    for name, inner in schema.get("properties", {}).items():
        if name in answer:
            gaps += missing(inner, answer[name], f"{place}.{name}")
        elif name in schema.get("required", ()):
            gaps.append(f"{place}.{name}")
    return gaps


def read(name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((FOLDER / name).read_text())
    return result


def test_notes_issues_milestones_and_comments_have_every_required_field(world: World) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    home = f"/projects/{project['id']}"
    milestone = owner.client.ok("POST", f"{home}/milestones", json={"title": "v1", "due_date": "2030-01-01"})
    body = {"title": "a", "labels": "x", "milestone_id": milestone["id"], "assignee_ids": [owner.id]}
    issue = owner.client.ok("POST", f"{home}/issues", json=body)
    request = world.merge_request(project, owner)
    paths = f"{home}/issues/{issue['iid']}", f"{home}/merge_requests/{request['iid']}"
    for path in paths:
        owner.client.ok("POST", f"{path}/notes", json={"body": "x"})
        owner.client.ok("POST", f"{path}/discussions", json={"body": "x"})
    sha = world.commit(project, "main", {"a.txt": "x\n"})
    owner.client.ok("POST", f"{home}/repository/commits/{sha}/comments", json={"note": "x"})

    gaps = {
        "issue": missing(read("issue.json"), owner.client.ok("GET", paths[0])),
        "issues": missing({"items": read("issue.json")}, owner.client.ok("GET", f"{home}/issues")),
        "notes of an issue": missing(read("notes.json"), owner.client.ok("GET", f"{paths[0]}/notes")),
        "notes of a request": missing(read("notes.json"), owner.client.ok("GET", f"{paths[1]}/notes")),
        "comments": missing(
            {"items": read("commit_note.json")}, owner.client.ok("GET", f"{home}/repository/commits/{sha}/comments")
        ),
        "milestone": missing(read("milestone.json"), owner.client.ok("GET", f"{home}/milestones/{milestone['id']}")),
    }

    assert {name: entry for name, entry in gaps.items() if entry} == {}
