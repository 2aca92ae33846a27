"""Large pushes and fetches: the server's memory does not grow with them."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.features.code.git_http.git_client import GitClient, clone
from tests.support.databases import Databases
from tests.support.process import ServerProcess

pytestmark = pytest.mark.costly

MEGABYTE = 1_000_000


@pytest.fixture
def process(databases: Databases, tmp_path: Path) -> Iterator[ServerProcess]:
    data = tmp_path / "data"
    data.mkdir()
    with ServerProcess(databases.fresh(data), data) as running:
        yield running


def push_and_clone(process: ServerProcess, folder: Path, megabytes: int) -> int:
    """Push that many bytes that nothing compresses, clone them again; returns by how much the server grew."""
    project = process.call("POST", "/projects", json={"name": "large", "initialize_with_readme": True})
    here = clone(folder / "here", process.address(project))
    here.commit("small.txt")
    here.ok("push", "-q", "origin", "main")
    before = process.peak_memory()
    for number in range(megabytes // 10):
        (here.folder / f"{number}.bin").write_bytes(os.urandom(10 * MEGABYTE))
    here.ok("add", ".")
    here.ok("-c", "core.compression=0", "commit", "-q", "-m", "Large")
    here.ok("-c", "core.compression=0", "-c", "pack.compression=0", "push", "-q", "origin", "main")
    there = clone(folder / "there", process.address(project))
    assert there.ok("rev-parse", "HEAD") == here.ok("rev-parse", "HEAD")
    return process.peak_memory() - before


def fetch_many(process: ServerProcess, folder: Path, objects: int) -> int:
    """Push and clone a repository of that many objects; returns by how much the server grew."""
    project = process.call("POST", "/projects", json={"name": "many"})
    here = GitClient(folder / "many")
    here.ok("init", "-q", "-b", "main")
    files = objects - 300
    lines = ["commit refs/heads/main", "committer C <c@x> 1700000000 +0000", "data 1", "m"]
    for number in range(files):
        text = f"content {number}"
        lines += [f"M 100644 inline {number % 250}/{number}.txt", f"data {len(text)}", text]
    done = here.run("fast-import", "--quiet", stdin=("\n".join(lines) + "\n").encode())
    assert done.code == 0, done.text
    process.call("GET", f"/projects/{project['id']}")
    before = process.peak_memory()
    here.ok("push", "-q", process.address(project), "main")
    there = clone(folder / "clone", process.address(project), "--bare")
    counted = there.ok("count-objects", "-v")
    assert int(next(line for line in counted.splitlines() if line.startswith("in-pack")).split()[1]) >= files
    return process.peak_memory() - before


def test_a_push_of_twenty_megabytes_does_not_fill_the_memory(process: ServerProcess, tmp_path: Path) -> None:
    assert push_and_clone(process, tmp_path, 20) < 20 * MEGABYTE


def test_three_thousand_objects_are_fetched(process: ServerProcess, tmp_path: Path) -> None:
    assert fetch_many(process, tmp_path, 3_000) < 30 * MEGABYTE


@pytest.mark.scale
def test_a_push_of_two_hundred_megabytes_grows_the_server_by_less_than_a_hundred(
    process: ServerProcess, tmp_path: Path
) -> None:
    grown = push_and_clone(process, tmp_path, 200)
    sys.stdout.write(f"the server grew by {grown // MEGABYTE} MB\n")
    assert grown < 100 * MEGABYTE


@pytest.mark.scale
def test_fifty_thousand_objects_are_fetched(process: ServerProcess, tmp_path: Path) -> None:
    grown = fetch_many(process, tmp_path, 50_000)
    sys.stdout.write(f"the server grew by {grown // MEGABYTE} MB\n")
    assert grown < 100 * MEGABYTE
