"""A slow request is logged with what it spent its time on, and without the values that people sent."""

import json
import logging
from pathlib import Path

import pytest

from ingot.kit.log_lines import JsonLines
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

SECRET = "something-nobody-may-read"


def test_a_slow_request_names_its_statements_and_git_commands(
    databases: Databases, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, slow_request=1e-6) as server:
        project = World(server).project(initialize_with_readme=True)
        with caplog.at_level(logging.WARNING, "ingot.requests"):
            server.client().ok("GET", f"/projects/{project['id']}/issues?search={SECRET}")
            server.client().ok("GET", f"/projects/{project['id']}/repository/files/README.md/blame?ref=main")

    lines = [JsonLines().format(record) for record in caplog.records if record.message == "slow request"]
    entries = {entry["route"]: entry for entry in map(json.loads, lines)}
    listing = entries["/projects/{id}/issues"]
    assert any(part["kind"] == "statement" and "FROM issues" in part["shape"] for part in listing["parts"])
    assert all(part["count"] >= 1 and part["ms"] >= 0 for part in listing["parts"])
    assert listing["parts"] == sorted(listing["parts"], key=lambda part: -part["ms"])
    blame = entries["/projects/{id}/repository/files/{file_path}/blame"]
    assert any(part["kind"] == "git" and part["shape"] == "blame" for part in blame["parts"])
    assert SECRET not in "".join(lines)


def test_nothing_is_logged_of_quick_requests(
    databases: Databases, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, slow_request=0) as server:
        server.client().ok("GET", "/version")

    assert "slow request" not in caplog.text
