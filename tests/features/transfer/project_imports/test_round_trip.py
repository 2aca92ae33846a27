"""Project → export → import → export: the two archives hold the same records."""

import io
import json
import tarfile
from typing import Any

import pytest

from ingot.gitstore.listing import list_refs
from tests.support.world import Person, World

# Ids and moments that belong to the instance or to the act of importing, not to the project.
VOLATILE = frozenset(
    {
        "project_id", "target_project_id", "source_project_id", "group_id", "next_run_at", "created_by_id",
    }
)  # fmt: skip


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def rich(world: World, owner: Person) -> dict[str, Any]:
    """A project with all that the product models."""
    friend = world.user()
    project = world.project(
        owner, initialize_with_readme=True, description="Rich", merge_method="rebase_merge", squash_option="default_on"
    )
    path = f"/projects/{project['id']}"
    call = owner.client.ok
    world.member(project, friend, "developer")
    call("POST", f"{path}/labels", json={"name": "bug", "color": "#ff0000", "priority": 3, "description": "wrong"})
    milestone = call("POST", f"{path}/milestones", json={"title": "v1", "due_date": "2027-01-01"})
    issue = call("POST", f"{path}/issues", json={"title": "Broken", "labels": "bug", "milestone_id": milestone["id"]})
    call("POST", f"{path}/issues/{issue['iid']}/notes", json={"body": "Indeed"})
    call("PUT", f"{path}/issues/{issue['iid']}", json={"state_event": "close"})
    for branch in ("one", "two", "three"):
        world.commit(project, branch, {f"{branch}.txt": f"{branch}\n"})
        body = {
            "title": f"Add {branch}",
            "source_branch": branch,
            "target_branch": "main",
            "labels": "bug",
            "milestone_id": milestone["id"],
            "assignee_ids": [owner.id],
            "reviewer_ids": [friend.id],
            "description": "- [x] done\n- [ ] open",
        }
        call("POST", f"{path}/merge_requests", json=body)
    requests = f"{path}/merge_requests"
    call("POST", f"{requests}/1/discussions", json={"body": "A thread"})
    friend.client.ok("POST", f"{requests}/1/notes", json={"body": "Looks good"})
    friend.client.ok("POST", f"{requests}/1/approve")
    call("POST", f"{requests}/1/award_emoji", json={"name": "thumbsup"})
    call("POST", f"{requests}/1/add_spent_time", json={"duration": "1h"})
    call("PUT", f"{requests}/2", json={"state_event": "close"})
    call("PUT", f"{requests}/3/merge")
    call("POST", f"{path}/protected_branches", json={"name": "release/*", "push_access_level": 0})
    call("POST", f"{path}/protected_tags", json={"name": "v*", "create_access_level": 40})
    call("POST", f"{path}/repository/tags", json={"tag_name": "v1.0", "ref": "main", "message": "First"})
    call("POST", f"{path}/approval_rules", json={"name": "Sec", "approvals_required": 1, "user_ids": [friend.id]})
    call("POST", f"{path}/statuses/{_head(world, project)}", json={"state": "success", "name": "build", "ref": "main"})
    world.admin.ok("PUT", f"{path}/custom_attributes/team", json={"value": "blue"})
    return project


def _head(world: World, project: dict[str, Any]) -> str:
    result: str = world.admin.ok("GET", f"/projects/{project['id']}/repository/branches/main")["commit"]["id"]
    return result


def exported(world: World, person: Person, project_id: int) -> bytes:
    assert person.client.post(f"/projects/{project_id}/export").status_code == 202
    world.run_jobs()
    return person.client.get(f"/projects/{project_id}/export/download").content


def relations(content: bytes) -> dict[str, Any]:
    result: dict[str, Any] = {}
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as tar:
        for member in tar:
            if member.isfile() and member.name.startswith("./tree/"):
                text = tar.extractfile(member).read().decode()  # type: ignore[union-attr]
                documents = [json.loads(line) for line in text.splitlines()] if text else []
                result[member.name.removeprefix("./tree/")] = [settled(document) for document in documents]
    return result


def settled(value: Any) -> Any:
    """The record without what may differ."""
    if isinstance(value, dict):
        # The `commit_id` of a job is the id of its pipeline; that of a note is a commit.
        moved = {key for key in VOLATILE | {"commit_id"} if key != "commit_id" or isinstance(value.get(key), int)}
        return {key: settled(inner) for key, inner in value.items() if key not in moved}
    return [settled(inner) for inner in value] if isinstance(value, list) else value


def imported(world: World, person: Person, content: bytes) -> dict[str, Any]:
    reply = person.client.post(
        "/projects/import", data={"path": world.name("copy")}, files={"file": ("a.tar.gz", content)}
    )
    assert reply.status_code == 201, reply.text
    world.run_jobs()
    record: dict[str, Any] = person.client.ok("GET", f"/projects/{reply.json()['id']}/import")
    assert (record["import_status"], record["failed_relations"]) == ("finished", []), record
    return record


# These follow from the project's own rows, which an import makes anew.
OWN_MOMENTS = ("project_feature", "container_expiration_policy", "custom_attributes", "auto_devops", "project_members")


def comparable(result: dict[str, Any]) -> dict[str, Any]:
    for name in OWN_MOMENTS:
        for record in result.get(f"project/{name}.ndjson", []):
            if record:
                record.pop("created_at", None)
                record.pop("updated_at", None)
    return result


def test_an_own_archive_comes_back_the_same(world: World, owner: Person, rich: dict[str, Any]) -> None:
    first = exported(world, owner, rich["id"])
    copy = imported(world, owner, first)

    second = exported(world, owner, copy["id"])

    before, after = comparable(relations(first)), comparable(relations(second))
    for relation, records in before.items():
        if relation == "project/project_members.ndjson":  # owners come back as maintainers of somebody else's project
            continue
        assert after[relation] == records, relation
    names = {ref: sha for ref, sha in list_refs(world.repository(rich)).items() if "keep-around" not in ref}
    again = {ref: sha for ref, sha in list_refs(world.repository(copy)).items() if "keep-around" not in ref}
    assert again == names


def test_the_default_branch_comes_back_where_others_are_at_its_commit(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, default_branch="trunk")
    for branch in ("a-copy", "main"):
        owner.client.ok(
            "POST", f"/projects/{project['id']}/repository/branches", json={"branch": branch, "ref": "trunk"}
        )

    copy = imported(world, owner, exported(world, owner, project["id"]))

    assert owner.client.ok("GET", f"/projects/{copy['id']}")["default_branch"] == "trunk"


def test_members_are_mapped_for_administrators_only(world: World, owner: Person, rich: dict[str, Any]) -> None:
    content = exported(world, Person(1, "root", world.admin, ""), rich["id"])
    stripped = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as source,
        tarfile.open(fileobj=stripped, mode="w:gz") as target,
    ):
        for member in source:
            if member.name != "./INGOT_INSTANCE":  # without the seal it is anybody's archive
                target.addfile(member, source.extractfile(member) if member.isfile() else None)
    admin = Person(1, "root", world.admin, "")
    stranger = world.user()

    by_admin = imported(world, admin, stripped.getvalue())
    by_stranger = imported(world, stranger, stripped.getvalue())

    authors = {
        record["id"]: world.admin.ok("GET", f"/projects/{record['id']}/merge_requests/1")["author"]["id"]
        for record in (by_admin, by_stranger)
    }
    assert authors == {by_admin["id"]: owner.id, by_stranger["id"]: stranger.id}
    bodies = [
        note["body"]
        for note in world.admin.ok("GET", f"/projects/{by_stranger['id']}/merge_requests/1/notes")
        if note["body"].startswith("Looks good")
    ]
    assert "(imported from GitLab)*" in bodies[0]


def test_a_changed_archive_loses_its_seal(world: World, owner: Person, rich: dict[str, Any]) -> None:
    content = exported(world, owner, rich["id"])
    forged = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as source,
        tarfile.open(fileobj=forged, mode="w:gz") as target,
    ):
        for member in source:
            data = source.extractfile(member).read() if member.isfile() else b""  # type: ignore[union-attr]
            if member.name == "./tree/project/issues.ndjson":
                data = data.replace(b"Broken", b"Forged")
            member.size = len(data)
            target.addfile(member, io.BytesIO(data))
    stranger = world.user()

    record = imported(world, stranger, forged.getvalue())

    issue = world.admin.ok("GET", f"/projects/{record['id']}/issues/1")
    assert (issue["title"], issue["author"]["id"]) == ("Forged", stranger.id)
