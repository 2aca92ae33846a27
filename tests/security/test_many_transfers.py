"""Clones and fetches that are begun and never finished: others are told so, and come in when there is room."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.features.code.git_http.git_client import GitClient
from tests.features.code.git_ssh.ssh_client import OPTIONS, Key, SshWorld, ssh_server
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.waiting import until

pytestmark = pytest.mark.costly

SENTENCE = "Too many clones, fetches and pushes are under way. Please try again in a minute."
LIMITS = {"INGOT_GIT_TRANSFERS": "2", "INGOT_GIT_TRANSFERS_PER_CALLER": "1", "INGOT_GIT_TRANSFER_WAIT": "0"}


@pytest.fixture(scope="module")
def world(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshWorld]:
    data = tmp_path_factory.mktemp("data")
    with ssh_server(databases.fresh(data), data, **LIMITS) as server:
        world = SshWorld(server, tmp_path_factory.mktemp("ssh"))
        world.project(visibility="public")
        yield world


@contextmanager
def unfinished_fetch(world: SshWorld, project: dict[str, Any]) -> Iterator[None]:
    """A request of an anonymous caller whose body does not end."""
    path = f"/{project['path_with_namespace']}.git/git-upload-pack"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0032\r\n"
    with socket.create_connection(("127.0.0.1", world.server.port)) as line:
        line.sendall(head.encode())
        yield


@contextmanager
def unfinished_ssh(world: SshWorld, key: Key, project: dict[str, Any]) -> Iterator[None]:
    """A fetch whose client says nothing once it has seen the refs."""
    words = ["ssh", *OPTIONS, "-i", str(key.file), "-p", str(world.port), "git@127.0.0.1"]
    command = [*words, f"git-upload-pack '{project['path_with_namespace']}'"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as client:
        assert client.stdout is not None
        assert client.stdout.read(4)
        yield
        client.kill()


def test_an_anonymous_caller_who_has_all_places_is_refused_with_a_sentence(world: SshWorld, tmp_path: Path) -> None:
    project, private = world.project(visibility="public"), world.project()
    git = GitClient(tmp_path / "git")
    address = f"{world.server.url}/{project['path_with_namespace']}.git"

    with unfinished_fetch(world, project):
        until(lambda: plain_http.get(f"{address}/info/refs?service=git-upload-pack").status_code == 503)
        assert f"remote: {SENTENCE}" in git.refused("clone", address, "refused")
        answer = plain_http.post(f"{address}/git-upload-pack", content=b"0000")
        assert (answer.status_code, answer.text, answer.headers["Retry-After"]) == (503, SENTENCE, "60")
        git.ok("clone", world.server.address(private), "somebody-else")

    until(lambda: git.run("clone", address, "later").code == 0)


def test_the_same_holds_over_ssh(world: SshWorld) -> None:
    project = world.project(visibility="public")
    _, key = world.person()
    _, other = world.person()
    world.wait_for_ssh(key)
    address = f"ssh://git@127.0.0.1:{world.port}/{project['path_with_namespace']}.git"
    git = world.git(key, "one")

    with unfinished_ssh(world, key, project):
        assert f"remote: ERROR: {SENTENCE}" in git.refused("clone", address, "refused")
        world.git(other, "two").ok("clone", address, "other")

    until(lambda: git.run("clone", address, "later").code == 0)
