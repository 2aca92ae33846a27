"""A slow request is logged with what it spent its time on, and without the values that people sent."""

import json
import logging
from pathlib import Path

import pytest

from ingot.kit.log_lines import JsonLines
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import ROOT_TOKEN, RunningServer
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


def test_pages_queries_and_other_addresses_are_told_of_as_well(
    databases: Databases, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    issues = "page /{project}/-/issues"

    def number_of_visits() -> int:  # of this process, which other tests visit too
        text = plain_http.get(f"{server.url}/-/metrics").text
        start = f'ingot_http_requests_total{{method="GET",route="{issues}",status="200"}} '
        return sum(int(line.removeprefix(start)) for line in text.splitlines() if line.startswith(start))

    with RunningServer(databases.fresh(tmp_path), tmp_path, slow_request=1e-6) as server:
        project = World(server).project(initialize_with_readme=True, visibility="public")
        visits = number_of_visits()
        place = f"{server.url}/{project['path_with_namespace']}"
        with caplog.at_level(logging.INFO, "ingot.requests"):
            assert plain_http.get(f"{place}/-/issues?search={SECRET}").status_code == 200
            assert plain_http.get(f"{place}/-/blame/main/README.md").status_code == 200
            assert plain_http.get(f"{place}/-/nothing-{SECRET}").status_code == 404
            assert plain_http.get(f"{server.url}/-/sent_notifications/{SECRET}/one_click").status_code < 500
            assert plain_http.get(f"{server.url}/root.keys").status_code == 200
            query = {"query": "{ currentUser { username } }"}
            headers = {"PRIVATE-TOKEN": ROOT_TOKEN}
            assert plain_http.post(f"{server.url}/api/graphql", headers=headers, json=query).status_code == 200
            assert plain_http.get(f"{server.url}/api/scim/v2/groups/{SECRET}/Users").status_code == 401
        assert number_of_visits() == visits + 1

    lines = [JsonLines().format(record) for record in caplog.records if record.name == "ingot.requests"]
    entries = [json.loads(line) for line in lines]
    told = {entry["route"]: entry for entry in entries if entry["message"] == "request"}
    slow = {entry["route"]: entry["parts"] for entry in entries if entry["message"] == "slow request"}
    assert told[issues]["path"] == f"/{project['path_with_namespace']}/-/issues"
    assert told[issues]["statements"] > 0
    assert any(part["kind"] == "statement" and "FROM issues" in part["shape"] for part in slow[issues])
    [blame] = [parts for route, parts in slow.items() if route.startswith("page /{project}/-/blame")]
    assert any(part["kind"] == "git" for part in blame)
    assert told["page none"]["status"] == 404
    assert told["/api/graphql"]["user_id"] == 1
    assert any(part["kind"] == "statement" for part in slow["/api/graphql"])
    assert told["/-/sent_notifications/{token}/one_click"]["path"] == "/-/sent_notifications/{token}/one_click"
    assert told["/{username}.keys"]["status"] == 200
    assert told["/api/scim/v2"]["status"] == 401
    assert SECRET not in "".join(lines)
    assert "readiness" not in "".join(lines)


def test_nothing_is_logged_of_quick_requests(
    databases: Databases, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, slow_request=0) as server:
        server.client().ok("GET", "/version")

    assert "slow request" not in caplog.text
