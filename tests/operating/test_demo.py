"""The demo: a world that is planted once, and a runner in the server's process that runs its pipelines."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from ingot.seed import plant
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until

pytestmark = pytest.mark.costly


def test_the_demo_world_is_planted_once_and_believable(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path) as server:
        first, second = plant(server.services), plant(server.services)
        admin = server.client()
        anvil = admin.ok("GET", "/projects/smithy%2Fanvil")
        place = f"/projects/{anvil['id']}"
        requests = admin.ok("GET", f"{place}/merge_requests?state=all")
        issues = admin.ok("GET", f"{place}/issues?state=all&sort=asc")

        assert ([one.username for one in first], second) == (["ada", "ben", "chloe", "dai"], [])
        assert (anvil["star_count"], anvil["visibility"], anvil["default_branch"]) == (3, "public", "main")
        assert {one["state"] for one in requests} == {"opened", "merged"}
        assert [one["title"] for one in requests if one["draft"]] == ["Draft: Round things"]
        assert [one["path"] for one in server.client(None).ok("GET", "/projects")] == ["anvil"]
        assert admin.ok("GET", "/personal_access_tokens?search=planting") == []
        assert "Say how to install" in [one["title"] for one in admin.ok("GET", f"{place}/repository/commits")]
        assert [(one["title"], one["state"]) for one in issues] == [
            ("Cold iron breaks", "opened"),
            ("A hammer", "opened"),
            ("Nobody knows how to install", "closed"),
        ]
        hammer = next(one for one in requests if one["title"] == "Add the hammer")
        threads = admin.ok("GET", f"{place}/merge_requests/{hammer['iid']}/discussions")
        assert [len(one["notes"]) for one in threads if one["notes"][0].get("position")] == [2]  # a question, answered
        assert [one["tag_name"] for one in admin.ok("GET", f"{place}/releases")] == ["v0.1"]
        for person in first:
            assert server.client(person.token).ok("GET", "/user")["username"] == person.username


@contextmanager
def serving(folder: Path, ends: signal.Signals = signal.SIGTERM) -> Iterator[tuple[str, IO[str]]]:
    """The address of a server with the demo, and what it prints from its second line on; at the end it has a signal."""
    command = [sys.executable, "-m", "ingot", "serve", "--demo", "--demo-runner", "--port", "0", "--data", str(folder)]
    environment = {**os.environ, "INGOT_ROOT_TOKEN": ROOT_TOKEN}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().removeprefix("Ingot is at ").strip(), process.stdout
        process.send_signal(ends)
        assert process.wait(120) == (-ends if ends == signal.SIGKILL else 0)
    finally:
        process.kill()
        process.communicate()


def get(url: str, path: str, token: str = ROOT_TOKEN) -> Any:
    """The JSON of an answer, or the text of one that is none."""
    answer = plain_http.request("GET", f"{url}/api/v4{path}", headers={"PRIVATE-TOKEN": token})
    assert answer.status_code == 200, answer.text
    return answer.json() if "json" in answer.headers["content-type"] else answer.text


@pytest.mark.costly
def test_the_demo_lives(tmp_path: Path) -> None:
    with serving(tmp_path) as (url, printed):
        table = {}
        while "without isolation" not in (line := printed.readline()):
            assert line, "the server ended"
            cells = [cell.strip() for cell in line.split("│")[1:-1]]
            table |= {cells[0]: cells[3]} if cells else {}
        assigned = get(url, "/issues?scope=assigned_to_me", table["chloe"])
        until(lambda: {one["status"] for one in get(url, "/projects/smithy%2Fanvil/pipelines")} == {"success"})
        job = get(url, "/projects/smithy%2Fanvil/jobs?scope[]=success")[0]
        log = get(url, f"/projects/smithy%2Fanvil/jobs/{job['id']}/trace")

        assert list(table) == ["ada", "ben", "chloe", "dai"]
        assert [one["title"] for one in assigned] == ["Cold iron breaks"]
        assert "python3 -m" in log

    with serving(tmp_path) as (url, printed):
        assert "no demo data was added" in printed.readline()  # nobody is introduced again
        assert "without isolation" in printed.readline()
        until(lambda: [one["description"] for one in get(url, "/runners/all")] == ["Demo runner"])


def post(url: str, path: str, **body: object) -> Any:
    """The JSON of an answer to an administrator."""
    answer = plain_http.request("POST", f"{url}/api/v4{path}", json=body, headers={"PRIVATE-TOKEN": ROOT_TOKEN})
    assert answer.status_code == 201, answer.text
    return answer.json()


def is_alive(process: int) -> bool:
    """Whether it runs; one that nobody waits for is over too."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.costly
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "stopped"])
def test_a_job_that_ran_when_the_demo_ended_fails_when_it_starts_again(tmp_path: Path, number: signal.Signals) -> None:
    anvil, folder, pid = "/projects/smithy%2Fanvil", tmp_path / "data", tmp_path / "pid"
    script = f"trap '' TERM; echo $$ > {pid}; echo heated; sleep 600; echo never"
    with serving(folder, ends=number) as (url, _):
        config = f"endless:\n  script: [{json.dumps(script)}]\n"
        action = {"action": "update", "file_path": ".gitlab-ci.yml", "content": config}
        post(
            url, f"{anvil}/repository/commits", branch="endless", start_branch="main", commit_message="Wait",
            actions=[action],
        )  # fmt: skip

        def jobs(address: str) -> list[Any]:
            return [one for one in get(address, f"{anvil}/jobs?per_page=100") if one["name"] == "endless"]

        until(lambda: [one["status"] for one in jobs(url)] == ["running"])
        place = f"{anvil}/jobs/{jobs(url)[0]['id']}"
        until(lambda: "heated" in get(url, f"{place}/trace"))

    with serving(folder) as (url, _):
        until(lambda: get(url, place)["status"] == "failed")
        reason, log = get(url, place)["failure_reason"], get(url, f"{place}/trace")

    assert reason == "runner_interrupted"
    assert log.index("heated") < log.index("ERROR: Job failed: the runner was stopped while it ran the job")
    assert not is_alive(int(pid.read_text()))
    assert list((folder / "demo-builds").rglob("job-*")) == list((folder / "demo-builds/running").iterdir()) == []
