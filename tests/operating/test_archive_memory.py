"""Large projects come in and go out through the server without its process growing with them."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench.archives import fill_repository, make_archive
from tests.features.transfer.project_imports.making import archive
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN

pytestmark = pytest.mark.costly

MEGABYTE = 1024 * 1024
HEAVY = (int(os.environ.get("ARCHIVE_MEGABYTES", "1000")), int(os.environ.get("ARCHIVE_NOTES", "200000")))
LIMIT = 3600.0


@pytest.fixture
def server(databases: Databases, tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(databases.fresh(tmp_path), tmp_path / "data") as running:
        yield running


def wait(server: ServerProcess, path: str, key: str) -> dict[str, Any]:
    end = time.monotonic() + LIMIT
    while True:
        result: dict[str, Any] = server.call("GET", path)
        if result[key] in ("finished", "failed"):
            return result
        assert time.monotonic() < end
        time.sleep(0.05)


def bring(server: ServerProcess, archive: Path, name: str) -> int:
    """Upload an archive and wait until it is stored; returns the project's id."""
    with archive.open("rb") as file:
        answer = httpx.post(
            f"{server.url}/api/v4/projects/import",
            headers={"PRIVATE-TOKEN": ROOT_TOKEN},
            data={"path": name},
            files={"file": ("archive.tar.gz", file, "application/gzip")},
            timeout=LIMIT,
        )
    assert answer.status_code == 201, answer.text
    record = wait(server, f"/projects/{answer.json()['id']}/import", "import_status")
    assert (record["import_status"], record["failed_relations"]) == ("finished", []), record
    return int(record["id"])


def fetch(server: ServerProcess, project_id: int) -> int:
    """Export a project and download the archive; returns its size."""
    server.call("POST", f"/projects/{project_id}/export")
    assert wait(server, f"/projects/{project_id}/export", "export_status")["export_status"] == "finished"
    size = 0
    address = f"{server.url}/api/v4/projects/{project_id}/export/download"
    with httpx.stream("GET", address, headers={"PRIVATE-TOKEN": ROOT_TOKEN}, timeout=LIMIT) as answer:
        for chunk in answer.iter_raw():
            size += len(chunk)
    return size


@pytest.mark.parametrize(
    ("megabytes", "notes", "each", "growth"),
    [
        pytest.param(60, 6000, 3000, 75, id="short"),
        pytest.param(*HEAVY, 20, 150, id="many requests", marks=pytest.mark.scale),
        pytest.param(10, HEAVY[1], 50_000, 150, id="few requests with many notes", marks=pytest.mark.scale),
    ],
)
def test_the_process_does_not_grow_with_the_archive(
    server: ServerProcess, tmp_path: Path, megabytes: int, notes: int, each: int, growth: int
) -> None:
    source = tmp_path / "source.git"
    subprocess.run(["git", "init", "-q", "--bare", str(source)], check=True)
    fill_repository(source, megabytes, packed=True)
    bundle = tmp_path / "large.bundle"
    create = ["git", "-C", str(source), "-c", "pack.window=0", "bundle", "create", "-q", str(bundle), "HEAD", "--all"]
    subprocess.run(create, check=True)
    large, small = tmp_path / "large.tar.gz", tmp_path / "small.tar.gz"
    make_archive(large, notes // each, each, bundle)
    make_archive(small, 100, 5)
    warm = bring(server, small, "warm")
    fetch(server, warm)
    before, began = server.peak_memory(), time.monotonic()

    project_id = bring(server, large, "large")
    came, imported = server.peak_memory() - before, time.monotonic() - began
    size = fetch(server, project_id)
    went = server.peak_memory() - before

    sys.stdout.write(
        f"{megabytes} MB and {notes} notes: import {imported:.0f} s, grew by {came / MEGABYTE:.0f} MB; "
        f"export {time.monotonic() - began - imported:.0f} s, {size / MEGABYTE:.0f} MB, "
        f"both grew by {went / MEGABYTE:.0f} MB\n"
    )
    assert size > megabytes * 900_000
    assert came < growth * MEGABYTE
    assert went < growth * MEGABYTE


@pytest.mark.scale
def test_the_process_does_not_grow_with_the_jobs_of_pipelines(server: ServerProcess, tmp_path: Path) -> None:
    options = {"script": ["echo " + "x" * 100] * 20, "image": {"name": "alpine:3"}}
    variables = [{"key": f"NAME_{number}", "value": "v" * 20, "public": True} for number in range(15)]
    builds = [
        {"name": f"job {number}", "status": "success", "options": options, "yaml_variables": variables}
        for number in range(60)
    ]
    stages = [{"name": "test", "position": 0, "builds": builds}]
    pipelines = [
        {"iid": number, "ref": "main", "sha": "a" * 40, "status": "success", "source": "push", "stages": stages}
        for number in range(1, 201)
    ]
    small, large = tmp_path / "small.tar.gz", tmp_path / "large.tar.gz"
    small.write_bytes(archive(ci_pipelines=pipelines[:5]))
    large.write_bytes(archive(ci_pipelines=pipelines))
    fetch(server, bring(server, small, "warm"))
    before = server.peak_memory()

    fetch(server, bring(server, large, "large"))

    grew = server.peak_memory() - before
    sys.stdout.write(f"200 pipelines of 60 jobs: grew by {grew / MEGABYTE:.0f} MB\n")
    assert grew < 100 * MEGABYTE
