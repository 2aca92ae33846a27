"""Git with the token of a running job, as runners use it; and what the counters and the wire show."""

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.features.code.git_http.git_client import address, clone
from tests.support import ci, plain_http
from tests.support.server import RunningServer
from tests.support.world import Person, World

CONFIG = "build:\n  script: [make]\n"


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def running_job(world: World, owner: Person, project: dict[str, Any]) -> tuple[int, str]:
    world.commit(project, "main", {".gitlab-ci.yml": CONFIG})
    created = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    world.run_jobs()
    job = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{created['id']}/jobs")[0]
    return job["id"], ci.take(world, job["id"])


def status(server: RunningServer, project: dict[str, Any], token: str, service: str = "git-upload-pack") -> int:
    url = f"{server.url}/{project['path_with_namespace']}.git/info/refs"
    return plain_http.get(url, params={"service": service}, auth=("gitlab-ci-token", token)).status_code


def test_a_running_job_fetches_its_project_and_nothing_else(
    world: World, server: RunningServer, owner: Person, tmp_path: Path
) -> None:
    project = world.project(owner, initialize_with_readme=True)
    other = world.project(owner, initialize_with_readme=True)
    job_id, token = running_job(world, owner, project)

    here = clone(tmp_path / "here", address(server, project, token, "gitlab-ci-token"), "--depth", "1")

    assert (here.folder / ".gitlab-ci.yml").exists()
    assert status(server, project, token, "git-receive-pack") == 403
    assert status(server, other, token) == 403
    assert status(server, world.project(world.user()), token) == 404
    assert status(server, project, "glcbt-wrong") == 401
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"ci_push_repository_for_job_token_allowed": True})
    assert status(server, project, token, "git-receive-pack") == 200
    ci.finish(world, job_id)
    assert status(server, project, token) == 401


def test_fetches_are_counted(world: World, server: RunningServer, owner: Person, tmp_path: Path) -> None:
    project = world.project(owner, initialize_with_readme=True)

    for name in ("one", "two"):
        clone(tmp_path / name, address(server, project, owner.token))

    counted = owner.client.ok("GET", f"/projects/{project['id']}/statistics")
    assert counted["fetches"]["total"] == 2


def test_clients_that_wait_for_permission_get_it(world: World, server: RunningServer, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    host, _, port = server.url.removeprefix("http://").partition(":")
    path = f"/{project['path_with_namespace']}.git/git-upload-pack"
    body = b"0014command=ls-refs\n0000"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-git-upload-pack-request\r\n"
        f"Git-Protocol: version=2\r\nExpect: 100-continue\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=120) as wire:
        wire.sendall(head.encode())
        assert wire.recv(100).startswith(b"HTTP/1.1 100 Continue")
        wire.sendall(body)
        answer = b""
        while chunk := wire.recv(65536):
            answer += chunk
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b"refs/heads/main" in answer


def test_git_requests_are_counted_in_the_metrics(world: World, server: RunningServer, owner: Person) -> None:
    project = world.project(owner, visibility="public")
    plain_http.get(f"{server.url}/{project['path_with_namespace']}.git/info/refs?service=git-upload-pack")

    metrics = world.admin.http.get("/-/metrics").text

    assert 'route="/{project}.git/refs"' in metrics
