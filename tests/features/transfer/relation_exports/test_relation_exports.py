"""Relations of a project as files of their own: asking, looking, fetching."""

import gzip
import io
import json
import tarfile
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, update

from ingot.features.planning.labels import labels
from ingot.features.transfer.relation_exports.tables import relation_exports
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from tests.support.world import Person, World

EVERY = {
    "self", "labels", "milestones", "issues", "merge_requests", "project_members", "ci_pipelines", "commit_notes",
    "protected_branches", "protected_tags", "project_feature", "ci_cd_settings", "snippets", "releases", "boards",
    "repository", "uploads", "avatar", "lfs_objects", "design", "pipeline_schedules", "custom_attributes",
    "auto_devops", "container_expiration_policy", "external_pull_requests", "project_badges",
}  # fmt: skip


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, description="Parts")
    path = f"/projects/{created['id']}"
    for number in range(3):
        owner.client.ok("POST", f"{path}/labels", json={"name": f"l{number}", "color": "#ff0000"})
    owner.client.ok("POST", f"{path}/issues", json={"title": "Broken", "labels": "l1"})
    return created


def start(world: World, person: Person, project: dict[str, Any], **fields: Any) -> str:
    path = f"/projects/{project['id']}/export_relations"
    answer = person.client.post(path, json=fields)
    assert (answer.status_code, answer.json()) == (202, {"message": "202 Accepted"})
    world.run_jobs()
    return path


def download(person: Person, path: str, relation: str, **more: Any) -> Any:
    return person.client.get(f"{path}/download", relation=relation, **more)


def test_every_relation_gets_a_file(world: World, owner: Person, project: dict[str, Any]) -> None:
    path = start(world, owner, project)

    listed = owner.client.ok("GET", f"{path}/status")

    assert {one["relation"] for one in listed} >= EVERY
    assert {(one["status"], one["error"], one["batched"], one["batches_count"]) for one in listed} == {
        (1, None, False, 0)
    }
    assert not any("batches" in one for one in listed)
    file = download(owner, path, "labels")
    assert 'filename="labels.ndjson.gz"' in file.headers["Content-Disposition"]
    lines = [json.loads(line) for line in gzip.decompress(file.content).splitlines()]
    assert [one["title"] for one in lines] == ["l0", "l1", "l2"]
    itself = json.loads(gzip.decompress(download(owner, path, "self").content))
    assert itself["description"] == "Parts"
    with tarfile.open(fileobj=io.BytesIO(download(owner, path, "repository").content), mode="r:gz") as tar:
        assert "./project.bundle" in tar.getnames()
    assert gzip.decompress(download(owner, path, "boards").content) == b""


def test_one_relation_is_shown_alone(world: World, owner: Person, project: dict[str, Any]) -> None:
    path = start(world, owner, project)

    one = owner.client.ok("GET", f"{path}/status", params={"relation": "issues"})

    assert (one["relation"], one["status"], one["total_objects_count"]) == ("issues", 1, 1)
    unknown = owner.client.get(f"{path}/status", relation="nonsense")
    assert (unknown.status_code, unknown.json()) == (404, {"message": "Export not found"})


def test_batches_of_a_thousand_are_fetched_one_by_one(world: World, owner: Person) -> None:
    project = world.project(owner)
    fresh = {"project_id": project["id"], "color": "#ff0000", "created_at": now(), "updated_at": now()}
    with world.server.services.db.write() as tx:
        tx.execute(insert(labels), [{**fresh, "name": f"l{number}"} for number in range(1001)])
    path = start(world, owner, project, batched=True)

    one = owner.client.ok("GET", f"{path}/status", params={"relation": "labels"})

    assert (one["batched"], one["batches_count"], one["total_objects_count"]) == (True, 2, 1001)
    assert [(part["batch_number"], part["objects_count"], part["status"]) for part in one["batches"]] == [
        (1, 1000, 1), (2, 1, 1)
    ]  # fmt: skip
    second = download(owner, path, "labels", batched=True, batch_number=2)
    assert [json.loads(line)["title"] for line in gzip.decompress(second.content).splitlines()] == ["l1000"]
    assert download(owner, path, "labels").json() == {"message": "Export is batched"}
    beyond = download(owner, path, "labels", batched=True, batch_number=9)
    assert (beyond.status_code, beyond.json()) == (404, {"message": "Batch not found"})
    half = download(owner, path, "labels", batched=True)
    assert half.json() == {"error": "batched, batch_number provide all or none of parameters"}


def test_files_that_are_not_there_are_told(world: World, owner: Person) -> None:
    project = world.project(owner)
    path = f"/projects/{project['id']}/export_relations"

    assert owner.client.ok("GET", f"{path}/status") == []
    assert download(owner, path, "labels").json() == {"message": "Export not found"}
    start(world, owner, project)
    plain = download(owner, path, "labels", batched=True, batch_number=1)
    assert (plain.status_code, plain.json()) == (400, {"message": "Export is not batched"})
    for info in list(world.server.services.blobs.list(f"relation-exports/{project['id']}")):
        world.server.services.blobs.delete(info.key)
    gone = download(owner, path, "labels")
    assert (gone.status_code, gone.json()) == (404, {"message": "Export file not found"})
    assert owner.client.get(f"{path}/download").json() == {"error": "relation is missing"}


def test_a_second_export_replaces_the_first(world: World, owner: Person) -> None:
    project = world.project(owner)
    start(world, owner, project)
    first = {info.key for info in world.server.services.blobs.list(f"relation-exports/{project['id']}")}

    path = start(world, owner, project)

    second = {info.key for info in world.server.services.blobs.list(f"relation-exports/{project['id']}")}
    assert not first & second
    assert len(first) == len(second) == len(owner.client.ok("GET", f"{path}/status"))


def test_files_are_forgotten_after_a_day(world: World, owner: Person) -> None:
    project = world.project(owner)
    path = start(world, owner, project)
    table = relation_exports
    with world.server.services.db.write() as tx:
        old = now() - timedelta(hours=25)
        tx.execute(update(table).where(table.c.project_id == project["id"]).values(updated_at=old))
        enqueue(tx, "relation_export_retention", key=world.name("retention"), args={})

    world.run_jobs()

    assert owner.client.ok("GET", f"{path}/status") == []
    assert list(world.server.services.blobs.list(f"relation-exports/{project['id']}")) == []


def test_roles_and_the_switch(world: World, owner: Person) -> None:
    project = world.project(owner, visibility="public")
    developer = world.user()
    world.member(project, developer, "developer")
    path = f"/projects/{project['id']}/export_relations"

    assert developer.client.post(path).status_code == 403
    assert developer.client.get(f"{path}/status").status_code == 403
    assert world.anonymous.post(path).status_code == 401
    assert world.user().client.post(f"/projects/{world.project(owner)['id']}/export_relations").status_code == 404
    world.admin.ok("PUT", "/application/settings", json={"bulk_import_enabled": False})
    try:
        refused = owner.client.post(path)
        assert (refused.status_code, refused.json()) == (404, {"message": "404 Not Found"})
    finally:
        world.admin.ok("PUT", "/application/settings", json={"bulk_import_enabled": True})
