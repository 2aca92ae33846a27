"""Locks of Git LFS: who has no right neither sees nor takes nor removes one, and bad requests get clear answers."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.features.code.git_http.git_client import address, clone
from tests.features.code.lfs_locks.test_locks import locks
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World

pytestmark = pytest.mark.costly


@pytest.fixture(scope="module")
def project(world: World) -> dict[str, Any]:
    options = {"name": world.name("locked"), "initialize_with_readme": True, "visibility": "private"}
    created: dict[str, Any] = world.admin.ok("POST", "/projects", json=options)
    return created


@pytest.fixture(scope="module")
def lock(server: RunningServer, project: dict[str, Any]) -> dict[str, Any]:
    created: dict[str, Any] = locks(server, project, ROOT_TOKEN, "POST", json={"path": "secret.psd"}).json()["lock"]
    return created


def test_strangers_and_readers_take_and_remove_nothing(
    server: RunningServer, world: World, project: dict[str, Any], lock: dict[str, Any]
) -> None:
    stranger, reporter = world.user(), world.user()
    world.member(project, reporter, "reporter")
    reading = world.token(1, ["read_repository"])
    calls = [("POST", "", {"path": "x"}), ("POST", "/verify", {}), ("POST", f"/{lock['id']}/unlock", {"force": True})]

    for token, status in ((None, 401), (stranger.token, 404), (reporter.token, 403), (reading, 403)):
        assert {locks(server, project, token, m, rest, json=body).status_code for m, rest, body in calls} == {status}
    assert locks(server, project, None, "GET").status_code == 401
    assert locks(server, project, stranger.token, "GET").status_code == 404
    assert [row["path"] for row in locks(server, project, reporter.token, "GET").json()["locks"]] == ["secret.psd"]


def test_a_lock_is_out_of_reach_from_another_project(server: RunningServer, world: World, lock: dict[str, Any]) -> None:
    owner = world.user()
    other = owner.client.ok("POST", "/projects", json={"name": world.name("other"), "initialize_with_readme": True})

    reply = locks(server, other, owner.token, "POST", f"/{lock['id']}/unlock", json={"force": True})

    assert (reply.status_code, reply.json()["message"]) == (404, "Lock not found")
    assert locks(server, other, owner.token, "GET").json() == {"locks": []}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422), (b"[]", 422), (b"{}", 422), (b'{"path": "a\\u0000b"}', 422), (b'{"path": "a\\nb"}', 422),
        (b'{"path": "' + b"x" * 512 + b'"}', 422), (b'{"path": "\\ud800"}', 422), (b'{"path": ["x"]}', 422),
        (b" " * (1 << 20) + b"{}", 413),
    ],
)  # fmt: skip
def test_bad_paths_get_clear_answers(server: RunningServer, project: dict[str, Any], body: bytes, status: int) -> None:
    reply = locks(server, project, ROOT_TOKEN, "POST", content=body)

    assert reply.status_code == status
    assert reply.json()["message"]


def test_odd_ids_are_no_locks(server: RunningServer, project: dict[str, Any]) -> None:
    for name in ("0", "-1", "9" * 40, "x", "%00"):
        assert locks(server, project, ROOT_TOKEN, "POST", f"/{name}/unlock", json={}).status_code == 404
    for query in ({"cursor": "9" * 40, "limit": "-5"}, {"path": "a\0b"}, {"path": "x" * 5000}):
        assert locks(server, project, ROOT_TOKEN, "GET", params=query).status_code == 200


def test_paths_that_are_no_text_pass_beside_locks(
    server: RunningServer, world: World, project: dict[str, Any], lock: dict[str, Any], tmp_path: Path
) -> None:
    developer = world.user()
    world.member(project, developer, "developer")
    here = clone(tmp_path / "here", address(server, project, developer.token))
    here.ok("checkout", "-q", "-b", "odd")
    (tmp_path / "here" / os.fsdecode(b"caf\xe9")).write_text("x")
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Latin")

    here.ok("push", "-q", "origin", "odd")
