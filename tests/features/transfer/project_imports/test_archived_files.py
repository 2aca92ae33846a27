"""Large files and files of snippets in archives: they come back, broken ones are refused before anything is stored."""

import hashlib
import io
import json
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ingot.gitstore.model import Person as Author
from ingot.gitstore.snapshots import bundle_of_files, files_of_bundle
from tests.contract.parameters import ssh_key
from tests.features.code.lfs.test_transfer import batch, send
from tests.features.transfer.project_imports.making import (
    MOMENT,
    archive,
    exported,
    files_of,
    imported,
    upload,
)
from tests.support.world import Person, World

CONTENT = b"large" * 1000
OID = hashlib.sha256(CONTENT).hexdigest()
OTHER = hashlib.sha256(b"wiki").hexdigest()
SNIPPET = {"title": "S", "visibility_level": 0, "created_at": MOMENT, "updated_at": MOMENT, "author_id": 1}
DIGEST = hashlib.sha256(b"S2024-02-01 09:00:00 UTC2024-02-01 09:00:00 UTC").hexdigest()
BUNDLE = f"snippets/{DIGEST}.bundle"
AUTHOR = Author("Ann", "ann@example.com", datetime(2024, 2, 1, 9, tzinfo=UTC))


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def bundle(files: dict[str, str]) -> bytes:
    return b"".join(bundle_of_files(files, AUTHOR))


def download(world: World, owner: Person, project: dict[str, Any], oid: str) -> bytes | None:
    """The object as git-lfs would get it, None where the project does not have it."""
    answer = batch(world.server, project, owner.token, "download", oid, 1).json()["objects"][0]
    if "actions" not in answer:
        return None
    action = answer["actions"]["download"]
    return owner.client.http.get(action["href"], headers=action["header"]).content


def with_large_file(world: World, owner: Person) -> dict[str, Any]:
    project = world.project(owner, initialize_with_readme=True)
    action = batch(world.server, project, owner.token, "upload", OID, len(CONTENT)).json()["objects"][0]["actions"]
    assert send(action["upload"], CONTENT).status_code == 200
    return project


def copy_of(owner: Person, record: dict[str, Any]) -> dict[str, Any]:
    assert (record["import_status"], record["failed_relations"]) == ("finished", []), record
    result: dict[str, Any] = owner.client.ok("GET", f"/projects/{record['id']}", params={"statistics": True})
    return result


def test_large_files_come_back(world: World, owner: Person) -> None:
    project = with_large_file(world, owner)

    content = exported(world, owner, project["id"])
    copy = copy_of(owner, imported(world, owner, content))

    files = files_of(content)
    assert files[f"lfs-objects/{OID}"] == CONTENT
    assert json.loads(files["lfs-objects.json"]) == {OID: [0]}
    assert download(world, owner, copy, OID) == CONTENT
    assert copy["statistics"]["lfs_objects_size"] == len(CONTENT)
    assert {name: data for name, data in files_of(exported(world, owner, copy["id"])).items() if "lfs" in name} == {
        name: data for name, data in files.items() if "lfs" in name
    }


def test_large_files_have_a_file_of_their_own_among_the_relations(world: World, owner: Person) -> None:
    project = with_large_file(world, owner)
    path = f"/projects/{project['id']}/export_relations"

    owner.client.ok("POST", path)
    world.run_jobs()

    packed = owner.client.get(f"{path}/download", relation="lfs_objects").content
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as tar:
        parts = {one.name: tar.extractfile(one).read() for one in tar if one.isfile()}  # type: ignore[union-attr]
    assert parts == {f"./{OID}": CONTENT, "./lfs_objects.json": json.dumps({OID: [0]}, separators=(",", ":")).encode()}


def test_large_files_of_the_wiki_are_kept_for_the_next_export(world: World, owner: Person) -> None:
    kinds = {OID: ["project", "wiki"], OTHER: [1]}
    files = {
        f"lfs-objects/{OID}": CONTENT,
        f"lfs-objects/{OTHER}": b"wiki",
        "lfs-objects.json": json.dumps(kinds).encode(),
    }

    copy = copy_of(owner, imported(world, owner, archive(files=files)))

    assert download(world, owner, copy, OID) == CONTENT
    assert download(world, owner, copy, OTHER) is None
    again = files_of(exported(world, owner, copy["id"]))
    assert json.loads(again["lfs-objects.json"]) == {OID: [0, 1], OTHER: [1]}
    assert again[f"lfs-objects/{OTHER}"] == b"wiki"


def test_all_files_of_a_snippet_and_what_was_said_of_it_come_back(world: World, owner: Person) -> None:
    project = world.project(owner)
    path = f"/projects/{project['id']}/snippets"
    files = [{"file_path": name, "content": f"{name}\n"} for name in ("z.txt", "a/b.md", "ö.txt")]
    body = {"title": "Three", "visibility": "private"}
    # Two of one title in one second: their bundles must not take each other's name.
    made = owner.client.ok("POST", path, json={**body, "files": files})
    owner.client.ok("POST", path, json={**body, "files": [{**one, "content": "second"} for one in files]})
    owner.client.ok("POST", f"{path}/{made['id']}/notes", json={"body": "Told"})
    owner.client.ok("POST", f"{path}/{made['id']}/award_emoji", json={"name": "rocket"})

    content = exported(world, owner, project["id"])
    copy = copy_of(owner, imported(world, owner, content))

    later, first = owner.client.ok("GET", f"/projects/{copy['id']}/snippets")
    assert [one["path"] for one in first["files"]] == ["z.txt", "a/b.md", "ö.txt"]
    for name in ("z.txt", "a%2Fb.md"):
        raw = f"/projects/{copy['id']}/snippets/{{}}/files/main/{name}/raw"
        assert owner.client.get(raw.format(first["id"])).text == f"{name.replace('%2F', '/')}\n"
        assert owner.client.get(raw.format(later["id"])).text == "second"
    there = f"/projects/{copy['id']}/snippets/{first['id']}"
    assert [one["body"] for one in owner.client.ok("GET", f"{there}/notes")] == ["Told"]
    assert [one["name"] for one in owner.client.ok("GET", f"{there}/award_emoji")] == ["rocket"]


def test_the_history_of_a_snippet_is_kept_until_it_changes(world: World, owner: Person, tmp_path: Path) -> None:
    packed = bundle({"one.txt": "1", "two.txt": "2"})
    record = {**SNIPPET, "file_name": "two.txt", "content": "old"}

    copy = copy_of(owner, imported(world, owner, archive(snippets=[record], files={BUNDLE: packed})))

    [shown] = owner.client.ok("GET", f"/projects/{copy['id']}/snippets")
    assert [one["path"] for one in shown["files"]] == ["two.txt", "one.txt"]
    assert files_of(exported(world, owner, copy["id"]))[BUNDLE] == packed
    path = f"/projects/{copy['id']}/snippets/{shown['id']}"
    owner.client.ok("PUT", path, json={"files": [{"action": "update", "file_path": "one.txt", "content": "new"}]})
    [(name, changed)] = [(n, d) for n, d in files_of(exported(world, owner, copy["id"])).items() if "snippets/" in n]
    assert name != BUNDLE
    (tmp_path / "x").write_bytes(changed)
    assert files_of_bundle(tmp_path / "x", 10) == {"one.txt": b"new", "two.txt": b"2"}


def test_files_that_are_no_text_are_left_out_and_listed(world: World, owner: Person) -> None:
    packed = bundle({"text.txt": "t", "zero.bin": "a\0b"})

    record = imported(world, owner, archive(snippets=[{**SNIPPET, "content": "t"}], files={BUNDLE: packed}))

    [failure] = record["failed_relations"]
    assert (failure["relation_name"], failure["exception_message"]) == ("snippets", "File zero.bin is not text")
    [shown] = owner.client.ok("GET", f"/projects/{record['id']}/snippets")
    assert [one["path"] for one in shown["files"]] == ["text.txt"]


def large(name: str, kinds: object) -> dict[str, bytes]:
    return {f"lfs-objects/{name}": CONTENT, "lfs-objects.json": json.dumps(kinds).encode()}


BROKEN = {
    "an object that is not listed": (large("x", {OTHER: [0]}), "not in its list"),
    "an object under the name of another": (large(OTHER, {OTHER: [0]}), "not in its list"),
    "a list that is none": (large(OID, []), "JSON"),
    "a list of other kinds": (large(OID, {OID: [7]}), "repository that is none"),
    "kinds that are no list": (large(OID, {OID: {"a": 1}}), "repository that is none"),
    "kinds in kinds": (large(OID, {OID: [[0]]}), "repository that is none"),
    "a snippet that is no bundle": ({BUNDLE: b"# v2 git bundle\nnonsense"}, "A snippet of the archive"),
    "a bundle that is cut": ({BUNDLE: bundle({"a": "a", "b": "b"})[:-30]}, "A snippet of the archive"),
    "a snippet of many files": ({BUNDLE: bundle({f"{n}.txt": "x" for n in range(11)})}, "more than 10 files"),
    "a snippet with a long name": ({BUNDLE: bundle({f"{'d' * 200}/{'n' * 200}": "x", "a": "a"})}, "too long"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_end_the_import_before_anything_is_stored(world: World, owner: Person, name: str) -> None:
    files, sentence = BROKEN[name]
    label = {"title": "stays out", "color": "#ff0000", "type": "ProjectLabel"}

    record = imported(world, owner, archive(files=files, snippets=[SNIPPET], labels=[label]))

    assert record["import_status"] == "failed"
    assert sentence in record["import_error"]
    assert owner.client.ok("GET", f"/projects/{record['id']}/labels") == []
    assert owner.client.ok("GET", f"/projects/{record['id']}/snippets") == []
    assert download(world, owner, owner.client.ok("GET", f"/projects/{record['id']}"), OID) is None


def test_an_object_above_the_limit_of_unpacked_archives_ends_the_import(world: World, owner: Person) -> None:
    world.admin.ok("PUT", "/application/settings", json={"max_decompressed_archive_size": 1})
    try:
        heavy = bytes(2 << 20)
        record = imported(world, owner, archive(files={"lfs-objects/x": heavy}))
    finally:
        world.admin.ok("PUT", "/application/settings", json={"max_decompressed_archive_size": 25600})

    assert "size validation failed" in record["import_error"]
    assert (
        download(world, owner, owner.client.ok("GET", f"/projects/{record['id']}"), hashlib.sha256(heavy).hexdigest())
        is None
    )


def test_overwriting_keeps_large_files_and_deploy_keys(world: World, owner: Person) -> None:
    old = with_large_file(world, owner)
    owner.client.ok(
        "POST", f"/projects/{old['id']}/deploy_keys", json={"title": "ci", "key": ssh_key(), "can_push": True}
    )

    created = upload(owner, archive(), path=old["path"], overwrite="true").json()
    world.run_jobs()

    new = owner.client.ok("GET", f"/projects/{created['id']}", params={"statistics": True})
    assert new["path"] == old["path"]
    assert download(world, owner, new, OID) == CONTENT
    assert new["statistics"]["lfs_objects_size"] == len(CONTENT)
    [key] = owner.client.ok("GET", f"/projects/{new['id']}/deploy_keys")
    assert (key["title"], key["can_push"]) == ("ci", True)
