"""Repositories as tar files."""

import io
import os
import subprocess
import tarfile
from pathlib import Path

import pytest
from pygit2.enums import ObjectType

from ingot.gitstore.filled_archive import CHUNK
from ingot.gitstore.raw_copy import raw_copy
from tests.support.client import Client
from tests.support.world import World


def unpacked(client: Client, path: str, folder: Path) -> Path:
    reply = client.get(path)
    assert (reply.status_code, reply.headers["content-type"]) == (200, "application/x-tar")
    assert reply.headers["content-disposition"] == 'attachment; filename="snapshot.tar"'
    with tarfile.open(fileobj=io.BytesIO(reply.content)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "--git-dir", str(folder), *words], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_snapshot_is_a_whole_bare_repository(world: World, tmp_path: Path, is_packed: bool) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    path = f"/projects/{project['id']}"
    owner.client.ok("POST", f"{path}/repository/tags", params={"tag_name": "v1", "ref": "main", "message": "One"})
    if is_packed:
        git(world.repository(project).path, "gc", "--quiet")
    head = owner.client.ok("GET", f"{path}/repository/commits/main")["id"]

    folder = unpacked(world.admin, f"{path}/snapshot", tmp_path)

    assert sorted(part.name for part in folder.iterdir() if part.name != "packed-refs") == ["HEAD", "objects", "refs"]
    assert (git(folder, "symbolic-ref", "HEAD"), git(folder, "rev-parse", "main")) == ("refs/heads/main", head)
    assert git(folder, "cat-file", "-t", "v1") == "tag"
    git(folder, "fsck", "--full", "--strict")


def test_a_large_loose_object_is_sent_in_pieces(world: World, tmp_path: Path) -> None:
    repository = world.repository(world.project(world.user(), initialize_with_readme=True))
    content = os.urandom(8 * CHUNK)
    name = str(repository.odb.write(ObjectType.BLOB, content))

    chunks = list(raw_copy(repository))

    assert max(map(len, chunks)) < 2 * CHUNK + 4096
    with tarfile.open(fileobj=io.BytesIO(b"".join(chunks))) as archive:
        archive.extractall(tmp_path, filter="data")
    assert git(tmp_path, "cat-file", "-s", name) == str(len(content))


def test_the_wiki_has_a_snapshot_of_its_own(world: World, tmp_path: Path) -> None:
    owner = world.user()
    project = world.project(owner)
    path = f"/projects/{project['id']}"
    missing = world.admin.get(f"{path}/snapshot", wiki=True)
    assert (missing.status_code, missing.json()) == (404, {"message": "404 Repository Not Found"})
    owner.client.ok("POST", f"{path}/wikis", json={"title": "Home", "content": "Welcome"})

    folder = unpacked(world.admin, f"{path}/snapshot?wiki=true", tmp_path)

    assert git(folder, "show", "HEAD:Home.md") == "Welcome"
    assert world.admin.head(f"{path}/snapshot?wiki=true").headers["content-type"] == "application/x-tar"


def test_only_administrators_take_snapshots(world: World) -> None:
    owner = world.user()
    path = f"/projects/{world.project(owner, initialize_with_readme=True)['id']}/snapshot"
    assert owner.client.get(path).status_code == 403
    assert world.anonymous.get(path).status_code == 401
    unknown = world.admin.get("/projects/0/snapshot")
    assert (unknown.status_code, unknown.json()) == (404, {"message": "404 Project Not Found"})
