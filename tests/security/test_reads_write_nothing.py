"""Reading leaves no trace: no GET changes a repository, and a fork's commits stay the fork's."""

# ruff: noqa: F811 - fixtures of the walks are imported

import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ingot.gitstore import refs
from ingot.kit.endpoint import Endpoint
from tests.contract.conftest import people, scenery  # noqa: F401
from tests.support.walking import ENDPOINTS, READS, Scenery, arguments, call, named
from tests.support.world import Person, World

EXEMPT = {
    "GET /projects/{id}/merge_requests/{merge_request_iid}/merge_ref": "its purpose is to write the merge ref",
}
Snapshot = dict[str, bytes]


def snapshot(world: World) -> Snapshot:
    """Every file of every repository: objects by name, everything else with its content."""
    files: Snapshot = {}
    for root in world.server.settings.storage_roots.values():
        # `os.walk` does not mind folders that vanish meanwhile.
        for path in (Path(place, name) for place, _, names in os.walk(root) for name in names):
            # A lock beside a repository is there for ever once somebody has written.
            if path.suffix != ".lock":
                with suppress(FileNotFoundError):
                    files[str(path.relative_to(root))] = b"" if "objects" in path.parts else path.read_bytes()
    return files


def changes(before: Snapshot, after: Snapshot) -> list[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


@pytest.fixture(scope="module")
def fork(world: World, scenery: Scenery) -> dict[str, Any]:
    """A fork of the walked project with a commit that only it has, on the branch `secret`."""
    return fork_with_secret(world, scenery.project)


def fork_with_secret(world: World, project: dict[str, Any], owner: Person | None = None) -> dict[str, Any]:
    client = owner.client if owner else world.admin
    created = client.ok("POST", f"/projects/{project['id']}/fork", json={"path": world.name("fork")})
    world.run_jobs()
    created["secret"] = world.commit(created, "secret", {"secret.txt": f"only in {created['path']}\n"})
    created["secret_blob"] = client.ok("GET", f"/projects/{created['id']}/repository/files/secret.txt?ref=secret")[
        "blob_id"
    ]
    world.run_jobs()
    return dict(created)


@pytest.fixture
def quiet(world: World, fork: dict[str, Any]) -> Snapshot:
    """The repositories once nothing works on them in the background."""
    world.run_jobs()
    return snapshot(world)


def foreign_values(endpoint: Endpoint, fork: dict[str, Any]) -> dict[str, str]:
    """Values of the fork for every parameter that can name another project or a revision."""
    values = {"from_project_id": fork["id"], "to": "main", "from": "secret"}
    values |= dict.fromkeys(("ref", "sha", "ref_name", "revision", "content_ref"), fork["secret"])
    names = {one.wire for one in endpoint.params.fields.values()} - set(endpoint.path_params)
    return {name: str(values[name]) for name in names & values.keys()}


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.method in READS], ids=named)
def test_no_read_changes_a_repository(
    world: World,
    scenery: Scenery,
    fork: dict[str, Any],
    quiet: Snapshot,
    endpoint: Endpoint,
) -> None:
    given = arguments(endpoint.params, skip=endpoint.path_params)
    foreign = {
        name: value for name, value in foreign_values(endpoint, fork).items() if name not in endpoint.path_params
    }

    answers = [
        call(world.admin, scenery, endpoint),
        world.admin.request(endpoint.method, scenery.url(endpoint), params={**given, **foreign}),
    ]

    assert all(answer.status_code < 500 for answer in answers)
    changed = changes(quiet, snapshot(world))
    if named(endpoint) in EXEMPT:
        assert all("/merge-requests/" in path or "/objects/" in path for path in changed), EXEMPT[named(endpoint)]
    else:
        assert changed == []


@pytest.fixture(scope="module")
def ada(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def parent(world: World, ada: Person) -> dict[str, Any]:
    return world.project(ada, visibility="public", initialize_with_readme=True)


@pytest.mark.parametrize("straight", ["true", "false"])
@pytest.mark.parametrize("start", ["secret", "the id"])
def test_comparing_with_a_fork_leaves_nothing_behind(
    world: World, ada: Person, parent: dict[str, Any], start: str, straight: str
) -> None:
    attacker = world.user()
    fork = fork_with_secret(world, parent, attacker)
    before = snapshot(world)
    params = {
        "from": fork["secret"] if start == "the id" else start,
        "to": "main", "from_project_id": fork["id"], "straight": straight,
    }  # fmt: skip

    compared = attacker.client.get(f"/projects/{parent['id']}/repository/compare", **params)

    assert compared.status_code == 200
    diffs = [(diff["new_path"], diff["deleted_file"]) for diff in compared.json()["diffs"]]
    assert diffs == ([("secret.txt", True)] if straight == "true" else [])
    assert changes(before, snapshot(world)) == []
    assert_unknown(world, attacker, parent, fork)


def assert_unknown(world: World, person: Person, project: dict[str, Any], fork: dict[str, Any]) -> None:
    """No way of asking the project for the commit, or for what it holds, finds it."""
    sha, blob = fork["secret"], fork["secret_blob"]
    here = f"/projects/{project['id']}/repository"
    paths = [
        f"commits/{sha}", f"commits/{sha[:12]}", f"commits/{sha}/diff", f"tree?ref={sha}", f"archive?sha={sha}",
        f"files/secret.txt?ref={sha}", f"files/secret.txt/raw?ref={sha}", f"files/secret.txt/blame?ref={sha}",
        f"compare?from=main&to={sha}", f"compare?from={sha}&to=main", f"merge_base?refs[]=main&refs[]={sha}",
        f"blobs/{blob}", f"blobs/{blob}/raw",
    ]  # fmt: skip
    statuses = {path: person.client.get(f"{here}/{path}").status_code for path in paths}
    assert {path: status for path, status in statuses.items() if status not in (400, 404)} == {}
    assert refs.find_ref(world.repository(project), f"refs/keep-around/{sha}") is None


def test_commits_of_a_fork_are_not_fetched_from_its_parent(
    world: World, parent: dict[str, Any], tmp_path: Path
) -> None:
    attacker = world.user()
    fork = fork_with_secret(world, parent, attacker)
    subprocess.run(["git", "init", "-q", str(tmp_path / "copy")], check=True)

    def fetch_from(project: dict[str, Any]) -> int:
        words = ["git", "-C", str(tmp_path / "copy"), "fetch", "-q", project["http_url_to_repo"], fork["secret"]]
        return subprocess.run(words, capture_output=True, check=False, timeout=60).returncode

    assert fetch_from(parent) != 0
    assert fetch_from(fork) == 0


def test_a_merge_request_brings_its_commits(world: World, parent: dict[str, Any]) -> None:
    attacker = world.user()
    fork = fork_with_secret(world, parent, attacker)

    request = attacker.client.ok(
        "POST",
        f"/projects/{fork['id']}/merge_requests",
        json={"source_branch": "secret", "target_branch": "main", "title": "x", "target_project_id": parent["id"]},
    )
    world.run_jobs()

    result = attacker.client.ok("GET", f"/projects/{parent['id']}/repository/commits/{fork['secret']}")
    assert (request["project_id"], result["id"]) == (parent["id"], fork["secret"])
