"""Large files of a private project: a public fork of it, cloned by a member of both, does not give them away."""

import base64
import hashlib
from typing import Any

import httpx
import pytest

from tests.support import plain_http
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

SECRET = b"the content of a large private file"
OID = hashlib.sha256(SECRET).hexdigest()


def sent_as(person: Person | None) -> dict[str, str]:
    if person is None:
        return {}
    return {"Authorization": "Basic " + base64.b64encode(f"{person.username}:{person.token}".encode()).decode()}


def ask(world: World, project: dict[str, Any], person: Person | None, operation: str = "download") -> dict[str, Any]:
    url = f"{world.server.url}/{project['path_with_namespace']}.git/info/lfs/objects/batch"
    body = {"operation": operation, "objects": [{"oid": OID, "size": len(SECRET)}]}
    [answer] = plain_http.post(url, json=body, headers=sent_as(person)).json()["objects"]
    return dict(answer)


def download(world: World, project: dict[str, Any], person: Person | None) -> httpx.Response:
    url = f"{world.server.url}/{project['path_with_namespace']}.git/gitlab-lfs/objects/{OID}"
    return plain_http.get(url, headers=sent_as(person))


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def member(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def attacker(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def fork(world: World, owner: Person, member: Person, attacker: Person) -> dict[str, Any]:
    """Made while the source was public; then the source was closed, with its large files."""
    source = world.project(owner, visibility="public", initialize_with_readme=True)
    world.member(source, member, "developer")
    created: dict[str, Any] = attacker.client.ok("POST", f"/projects/{source['id']}/fork")
    world.run_jobs()
    owner.client.ok("PUT", f"/projects/{source['id']}", json={"visibility": "private"})
    world.admin.ok("PUT", f"/projects/{created['id']}", json={"visibility": "public"})
    upload = f"{world.server.url}/{source['path_with_namespace']}.git/gitlab-lfs/objects/{OID}/{len(SECRET)}"
    assert plain_http.request("PUT", upload, content=SECRET, headers=sent_as(owner)).status_code == 200
    return created


def test_cloning_a_fork_does_not_publish_files_of_its_source(
    world: World, fork: dict[str, Any], member: Person, attacker: Person
) -> None:
    assert "error" in ask(world, fork, attacker)

    assert "actions" in ask(world, fork, member)  # who may read the source gets the file from the fork too
    assert download(world, fork, member).content == SECRET

    for person in (attacker, None):
        assert "error" in ask(world, fork, person)
        assert download(world, fork, person).status_code == 404
    assert "actions" in ask(world, fork, attacker, "upload")  # it is not there
    assert download(world, fork, attacker).status_code == 404


def test_who_pushes_to_a_fork_and_reads_its_source_brings_the_file_along(
    world: World, fork: dict[str, Any], member: Person
) -> None:
    own: dict[str, Any] = member.client.ok("POST", f"/projects/{fork['forked_from_project']['id']}/fork")
    world.run_jobs()

    assert "actions" not in ask(world, own, member, "upload")  # nothing has to be sent

    world.admin.ok("DELETE", f"/projects/{own['id']}/fork")
    assert download(world, own, member).content == SECRET


def test_a_pointer_to_a_private_file_opens_nothing(world: World, fork: dict[str, Any], attacker: Person) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{OID}\nsize {len(SECRET)}\n"
    place = f"/projects/{fork['id']}/repository/files/stolen.bin"
    body = {"branch": "stolen", "start_branch": "main", "content": pointer, "commit_message": "Point"}
    attacker.client.ok("POST", place, json=body)

    reply = attacker.client.get(f"{place}/raw", ref="stolen", lfs=True)

    assert (reply.status_code, reply.text) == (200, pointer)


def test_a_request_of_a_fork_brings_its_own_files_only(world: World, owner: Person, attacker: Person) -> None:
    target = world.project(owner, visibility="public", initialize_with_readme=True)
    fork = attacker.client.ok("POST", f"/projects/{target['id']}/fork")
    world.run_jobs()
    path = f"/projects/{fork['id']}/repository"
    stolen = f"version https://git-lfs.github.com/spec/v1\noid sha256:{OID}\nsize {len(SECRET)}\n"
    body = {"branch": "large", "start_branch": "main", "commit_message": "Track", "content": "*.bin filter=lfs\n"}
    attacker.client.ok("POST", f"{path}/files/.gitattributes", json=body)
    actions = [
        {"action": "create", "file_path": "mine.bin", "content": "of the fork"},
        {"action": "create", "file_path": "stolen.bin", "content": stolen},
    ]
    attacker.client.ok("POST", f"{path}/commits", json={"branch": "large", "commit_message": "Add", "actions": actions})

    request = {"source_branch": "large", "target_branch": "main", "target_project_id": target["id"], "title": "Add"}
    created = attacker.client.ok("POST", f"/projects/{fork['id']}/merge_requests", json=request)
    world.run_jobs()
    owner.client.ok("PUT", f"/projects/{target['id']}/merge_requests/{created['iid']}/merge")

    def read(name: str) -> str:
        return owner.client.get(f"/projects/{target['id']}/repository/files/{name}/raw", ref="main", lfs=True).text

    assert (read("mine.bin"), read("stolen.bin")) == ("of the fork", stolen)
    statistics = owner.client.get(f"/projects/{target['id']}", statistics=True).json()["statistics"]
    assert statistics["lfs_objects_size"] == len("of the fork")
