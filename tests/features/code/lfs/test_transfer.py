"""Large files with the real git-lfs, and requests that it would not send."""

import base64
import hashlib
import io
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from ingot.features.people.oauth.issuing import TokenOptions, issue
from ingot.gitstore import pointers
from ingot.kit import tallies
from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.features.people.oauth.flows import Application
from tests.support.databases import Databases
from tests.support.large_files import needs_git_lfs
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World


def tracked(server: RunningServer, project: dict[str, Any], folder: Path, content: bytes) -> GitClient:
    """A clone whose `.bin` files go to LFS, with one of them pushed."""
    here = clone(folder, address(server, project, ROOT_TOKEN))
    here.ok("lfs", "install", "--local")
    here.ok("lfs", "track", "*.bin")
    (here.folder / "large.bin").write_bytes(content)
    (here.folder / "empty.bin").write_bytes(b"")
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Large")
    here.ok("push", "-q", "origin", "main")
    return here


def batch(
    server: RunningServer, project: dict[str, Any], token: str | None, operation: str, oid: str, size: int
) -> Any:
    headers = {} if token is None else {"Authorization": "Basic " + base64.b64encode(f"x:{token}".encode()).decode()}
    return httpx.post(
        f"{server.url}/{project['path_with_namespace']}.git/info/lfs/objects/batch",
        json={"operation": operation, "objects": [{"oid": oid, "size": size}]}, headers=headers, timeout=120,
    )  # fmt: skip


def send(action: dict[str, Any], content: bytes) -> httpx.Response:
    headers = {name: value for name, value in action["header"].items() if name != "Transfer-Encoding"}
    return httpx.put(action["href"], content=content, headers=headers, timeout=120)


def files_of(archive: bytes, kind: str) -> dict[str, bytes]:
    """The files of an archive, without the folder around them."""
    if kind == "zip":
        with zipfile.ZipFile(io.BytesIO(archive)) as source:
            names = [info for info in source.infolist() if not info.is_dir()]
            return {info.filename.partition("/")[2]: source.read(info) for info in names}
    with tarfile.open(fileobj=io.BytesIO(archive)) as source:
        members = [(info.name, source.extractfile(info)) for info in source if info.isfile()]
        return {name.partition("/")[2]: content.read() for name, content in members if content is not None}


@needs_git_lfs
def test_git_lfs_pushes_and_pulls(server: RunningServer, world: World, project: dict[str, Any], tmp_path: Path) -> None:
    content = os.urandom(3_000_000)

    tracked(server, project, tmp_path / "here", content)
    there = GitClient(tmp_path / "there")
    there.ok("clone", "-q", address(server, project, ROOT_TOKEN), ".")
    there.ok("lfs", "install", "--local")
    there.ok("lfs", "pull")

    assert (there.folder / "large.bin").read_bytes() == content
    shown = world.admin.get(f"/projects/{project['id']}", statistics=True).json()
    assert shown["statistics"]["lfs_objects_size"] == len(content)
    pointer = world.admin.get(f"/projects/{project['id']}/repository/files/large.bin/raw", ref="main").content
    assert f"oid sha256:{hashlib.sha256(content).hexdigest()}".encode() in pointer
    raw = f"/projects/{project['id']}/repository/files/{{}}/raw"
    large = world.admin.get(raw.format("large.bin"), ref="main", lfs=True)
    assert (large.content, large.headers["content-length"]) == (content, str(len(content)))
    assert world.admin.get(raw.format("README.md"), ref="main", lfs=True).text.startswith("# ")
    assert world.admin.get(raw.format("empty.bin"), ref="main", lfs=True).content == b""
    archive = f"/projects/{project['id']}/repository/archive"
    for kind in ("tar.gz", "tar", "zip"):
        whole = files_of(world.admin.get(f"{archive}.{kind}").content, kind)
        assert whole["large.bin"] == content
        pointers = files_of(world.admin.get(f"{archive}.{kind}", include_lfs_blobs=False).content, kind)
        assert pointers["large.bin"] == pointer
        assert {**whole, "large.bin": pointer} == pointers


@needs_git_lfs
def test_git_ends_well_when_large_files_are_put_into_an_archive(
    server: RunningServer, project: dict[str, Any], tmp_path: Path
) -> None:
    tracked(server, project, tmp_path / "here", b"large")
    failed = (tallies.GIT, "archive", tallies.FAILED)
    before = tallies.totals().get(failed)

    for _ in range(20):
        answer = server.client().get(f"/projects/{project['id']}/repository/archive.tar")
        assert files_of(answer.content, "tar")["large.bin"] == b"large"

    assert tallies.totals().get(failed) == before


def test_only_the_content_that_was_announced_is_kept(server: RunningServer, project: dict[str, Any]) -> None:
    content = b"what was announced"
    oid = hashlib.sha256(content).hexdigest()
    action = batch(server, project, ROOT_TOKEN, "upload", oid, len(content)).json()["objects"][0]["actions"]["upload"]

    for wrong in (b"something else....", content + b"more", content[:-1]):
        reply = send(action, wrong)
        assert (reply.status_code, reply.text) == (400, "SHA256 or size mismatch")
    nothing = send(action, b"")
    assert (nothing.status_code, nothing.text) == (422, "Unprocessable entity")
    missing = batch(server, project, ROOT_TOKEN, "download", oid, len(content)).json()["objects"][0]
    assert missing["error"]["code"] == 404
    assert send(action, content).status_code == 200
    assert "actions" not in batch(server, project, ROOT_TOKEN, "upload", oid, len(content)).json()["objects"][0]
    result = batch(server, project, ROOT_TOKEN, "download", oid, 0).json()["objects"][0]["actions"]["download"]
    assert httpx.get(result["href"], headers=result["header"], timeout=120).content == content
    part = httpx.get(result["href"], headers={**result["header"], "Range": "bytes=5-7"}, timeout=120)
    assert (part.status_code, part.content) == (206, content[5:8])


def test_the_same_rights_as_for_fetch_and_push(server: RunningServer, world: World, project: dict[str, Any]) -> None:
    content = b"for members"
    oid = hashlib.sha256(content).hexdigest()
    action = batch(server, project, ROOT_TOKEN, "upload", oid, len(content)).json()["objects"][0]["actions"]["upload"]
    send(action, content)
    other = world.admin.ok("POST", "/projects", json={"name": world.name("other"), "initialize_with_readme": True})
    person = world.user()

    assert batch(server, project, None, "download", oid, 1).status_code == 401
    assert batch(server, project, person.token, "download", oid, 1).status_code == 404
    assert httpx.get(action["href"].rpartition("/")[0], timeout=120).status_code == 401
    world.admin.ok("POST", f"/projects/{project['id']}/members", json={"user_id": person.id, "access_level": 20})
    assert "actions" in batch(server, project, person.token, "download", oid, 1).json()["objects"][0]
    assert batch(server, project, person.token, "upload", oid, 1).status_code == 403
    # The name of an object opens it in no other project.
    assert "error" in batch(server, other, ROOT_TOKEN, "download", oid, len(content)).json()["objects"][0]
    world.admin.ok("PUT", f"/projects/{project['id']}", json={"lfs_enabled": False})
    refused = batch(server, project, ROOT_TOKEN, "download", oid, 1)
    assert refused.status_code == 403
    assert refused.json()["documentation_url"].endswith("/help")


def test_transfers_get_a_token_of_their_own_that_ends_with_what_it_was_given_for(
    server: RunningServer, world: World, project: dict[str, Any]
) -> None:
    person, oid = world.user(), "a" * 64
    world.member(project, person, 30)
    action = batch(server, project, person.token, "upload", oid, 3).json()["objects"][0]["actions"]["upload"]
    name, _, token = base64.b64decode(action["header"]["Authorization"].split()[1]).decode().partition(":")
    other = world.admin.ok("POST", "/projects", json={"name": world.name("other"), "initialize_with_readme": True})
    world.member(other, person, 30)
    forged = token.replace(".upload.", ".download.")

    assert (name, person.token in token) == (person.username, False)
    again = batch(server, project, token, "upload", oid, 3).json()["objects"][0]["actions"]["upload"]["header"]
    assert base64.b64decode(again["Authorization"].split()[1]).decode().endswith(f":{token}")  # it is not extended
    # Not for the other operation, another project, or anything else.
    assert batch(server, project, token, "download", oid, 3).status_code == 403
    assert batch(server, other, token, "upload", oid, 3).status_code == 404
    assert batch(server, project, forged, "download", oid, 3).status_code == 401
    refs = f"{server.url}/{project['path_with_namespace']}.git/info/refs?service=git-upload-pack"
    assert httpx.get(refs, auth=("x", token), timeout=120).status_code == 401
    assert httpx.get(f"{server.url}/api/v4/user", headers={"PRIVATE-TOKEN": token}, timeout=120).status_code == 401
    person.client.ok("DELETE", "/personal_access_tokens/self")
    assert send(action, b"abc").status_code == 401


def test_a_transfer_ends_with_the_token_of_an_application(
    server: RunningServer, world: World, project: dict[str, Any]
) -> None:
    person, application, oid = world.user(), Application(world), hashlib.sha256(b"abc").hexdigest()
    world.member(project, person, 30)
    with server.services.db.write() as tx:
        clear = issue(tx, TokenOptions(application.row["id"], person.id, ["api"])).access_token
    action = batch(server, project, clear, "upload", oid, 3).json()["objects"][0]["actions"]["upload"]

    httpx.post(f"{server.url}/oauth/revoke", data={"token": clear, **application.credentials}, timeout=120)

    assert send(action, b"abc").status_code == 401


def test_a_wiki_shares_the_objects_of_its_project(server: RunningServer, world: World, project: dict[str, Any]) -> None:
    content = b"in a wiki"
    oid, wiki = hashlib.sha256(content).hexdigest(), {"path_with_namespace": project["path_with_namespace"] + ".wiki"}
    guest = world.user()
    world.admin.ok("POST", f"/projects/{project['id']}/members", json={"user_id": guest.id, "access_level": 10})

    action = batch(server, wiki, ROOT_TOKEN, "upload", oid, len(content)).json()["objects"][0]["actions"]["upload"]

    assert ".wiki.git/gitlab-lfs/objects/" in action["href"]
    assert send(action, content).status_code == 200
    result = batch(server, wiki, ROOT_TOKEN, "download", oid, len(content)).json()["objects"][0]["actions"]["download"]
    shown = httpx.get(result["href"], headers=result["header"], timeout=120)
    assert shown.content == content
    # Who reads the wiki but not the code reads no objects: they may be those of the code.
    assert batch(server, wiki, guest.token, "download", oid, len(content)).status_code == 403


def test_the_whole_server_may_have_none(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, lfs=False) as server:
        admin = server.client(ROOT_TOKEN)
        project = admin.ok("POST", "/projects", json={"name": "without", "initialize_with_readme": True})
        refused = batch(server, project, ROOT_TOKEN, "download", "a" * 64, 1)
        rule = {"branch": "main", "commit_message": "Track", "content": "*.bin filter=lfs\n"}
        path = f"/projects/{project['id']}/repository/files/{{}}"
        admin.ok("POST", path.format(".gitattributes"), json=rule)
        admin.ok("POST", path.format("a.bin"), json={**rule, "content": "plain"})
        written = admin.get(path.format("a.bin") + "/raw", ref="main").text

    assert refused.status_code == 501
    assert refused.json()["message"] == "Git LFS is not enabled on this GitLab server, contact your admin."
    assert (project["lfs_enabled"], written) == (False, "plain")


def test_files_written_over_the_api_become_objects(world: World, project: dict[str, Any]) -> None:
    path, body = f"/projects/{project['id']}/repository", {"branch": "main", "commit_message": "Write"}
    files = f"{path}/files/{{}}"
    rule = {**body, "content": "*.bin filter=lfs diff=lfs merge=lfs -text\n"}
    world.admin.ok("POST", files.format(".gitattributes"), json=rule)
    before = world.admin.get(f"/projects/{project['id']}", statistics=True).json()["statistics"]["lfs_objects_size"]

    world.admin.ok("POST", files.format("api.bin"), json={**body, "content": "aGVsbG8=", "encoding": "base64"})
    pointer = world.admin.get(files.format("api.bin") + "/raw", ref="main").text
    actions = [
        {"action": "update", "file_path": "api.bin", "content": "changed"},
        {"action": "create", "file_path": "folder/copy.bin", "content": pointer},
        {"action": "create", "file_path": "plain.txt", "content": "plain"},
    ]
    world.admin.ok("POST", f"{path}/commits", json={**body, "actions": actions})

    def read(name: str, **options: Any) -> str:
        return world.admin.get(files.format(name) + "/raw", ref="main", **options).text

    digest = hashlib.sha256(b"hello").hexdigest()
    assert pointer == f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 5\n"
    assert read("api.bin").startswith("version https://git-lfs")
    assert read("api.bin", lfs=True) == "changed"
    assert (read("folder%2Fcopy.bin"), read("folder%2Fcopy.bin", lfs=True)) == (pointer, "hello")
    assert read("plain.txt") == "plain"
    shown = world.admin.get(f"/projects/{project['id']}", statistics=True).json()
    assert shown["statistics"]["lfs_objects_size"] == before + len("hello") + len("changed")


def test_rules_of_folders_count_and_endless_ones_are_given_up(world: World, project: dict[str, Any]) -> None:
    path = f"/projects/{project['id']}/repository/commits"
    body = {"branch": "rules", "start_branch": "main", "commit_message": "Write"}

    def write(**files: str) -> httpx.Response:
        names = {name.replace("__", "/").replace("_", "."): text for name, text in files.items()}
        actions = [{"action": "create", "file_path": name, "content": text} for name, text in names.items()]
        return world.admin.post(path, json={**body, "actions": actions})

    slow = "**/*a" * 14 + "/b filter=lfs\n"
    assert write(rules___gitattributes=f"{slow}/*.dat filter=lfs\n").status_code == 201
    del body["start_branch"]
    assert write(rules__x_dat="large", rules__deeper__x_dat="small", x_dat="small").status_code == 201
    raw = f"/projects/{project['id']}/repository/files/{{}}/raw"
    found = [
        world.admin.get(raw.format(name), ref="rules").text for name in ("rules%2Fx.dat", "rules%2Fdeeper%2Fx.dat")
    ]
    assert (found[0][:7], found[1]) == ("version", "small")
    refused = write(**{f"rules__{'aaaaaa__' * 20}c": "text"})
    assert (refused.status_code, refused.json()["message"]) == (400, pointers.TOO_SLOW)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422), (b"[]", 422), (b'{"operation": "upload"}', 404), (b'{"operation": "x", "objects": [1]}', 422),
        (b'{"operation": "upload", "objects": [{"oid": "x", "size": 1}], "hash_algo": "md5"}', 409),
        (b'{"operation": "upload", "objects": [{"oid": "../../x", "size": -1}]}', 200),
    ],
)  # fmt: skip
def test_bad_questions_get_clear_answers(
    server: RunningServer, project: dict[str, Any], body: bytes, status: int
) -> None:
    url = f"{server.url}/{project['path_with_namespace']}.git/info/lfs/objects/batch"
    reply = httpx.post(url, content=body, auth=("x", ROOT_TOKEN), timeout=120)

    assert reply.status_code == status
    if status == 200:
        assert reply.json()["objects"][0]["error"]["code"] == 422
