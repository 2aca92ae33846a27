"""`kill -9` in the middle of merges: afterwards the database and the repository agree."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from ingot.gitstore import Storages, objects, refs
from ingot.gitstore.fsck import check
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN

HEADERS = {"PRIVATE-TOKEN": ROOT_TOKEN}


def prepared(server: ServerProcess, count: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    project = server.call("POST", "/projects", json={"name": "killed", "initialize_with_readme": True})
    path = f"/projects/{project['id']}"
    requests = []
    for number in range(count):
        action = {"action": "create", "file_path": f"file-{number}.txt", "content": f"{number}\n"}
        body = {
            "branch": f"topic-{number}",
            "start_branch": "main",
            "commit_message": f"Add {number}",
            "actions": [action],
        }
        server.call("POST", f"{path}/repository/commits", json=body)
        opening = {"title": f"t{number}", "source_branch": f"topic-{number}", "target_branch": "main"}
        requests.append(server.call("POST", f"{path}/merge_requests", json=opening))
    return project, requests


def merge_all(server: ServerProcess, requests: list[dict[str, Any]]) -> None:
    def merge(request: dict[str, Any]) -> None:
        path = f"{server.url}/api/v4/projects/{request['project_id']}/merge_requests/{request['iid']}/merge"
        with suppress(httpx.TransportError):
            httpx.put(path, headers=HEADERS, timeout=60)

    with ThreadPoolExecutor(8) as pool:
        pool.map(merge, requests)


def kill_and_look(databases: Databases, folder: Path, count: int, rounds: int) -> None:
    draw = random.Random(7)
    server = ServerProcess(databases.fresh(folder), folder)
    with server:
        project, requests = prepared(server, count)
        for _ in range(rounds):
            with ThreadPoolExecutor(1) as pool:
                pool.submit(merge_all, server, requests)
                time.sleep(draw.uniform(0.05, 0.6))
                server.kill()
            server.start()
        repository = Storages({"default": folder / "repositories"}).repository("default", project["id"])
        states = {}
        for request in requests:
            path = f"/projects/{request['project_id']}/merge_requests/{request['iid']}"
            states[request["sha"]] = server.call("GET", path)["state"]
        tip = refs.find_branch(repository, "main") or ""
        for sha, state in states.items():
            assert state in ("opened", "merged")
            assert objects.is_ancestor(repository, sha, tip) is (state == "merged"), (sha, state)
        assert check(repository).is_sound


def test_merges_are_whole_after_a_kill(databases: Databases, tmp_path: Path) -> None:
    kill_and_look(databases, tmp_path, count=8, rounds=1)


@pytest.mark.scale
def test_merges_are_whole_after_many_kills(databases: Databases, tmp_path: Path) -> None:
    kill_and_look(databases, tmp_path, count=50, rounds=10)
