"""Git that never ends: requests that wait for it are answered 503, and other requests do not wait behind them."""

import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN
from tests.support.walking import ENDPOINTS, arguments, named

ROOT = {"PRIVATE-TOKEN": ROOT_TOKEN}
TOO_SLOW = "503 Service Unavailable - The git operation took too long."
ENDED = "503 Service Unavailable - The git operation was ended to make room for others. Try again later."
# `git` of the servers below: hangs while its arguments contain what the file says, and notes that it does.
PROGRAM = """#!/bin/sh
if [ -s "{file}" ]; then
    case "$*" in *"$(cat "{file}")"*) echo >> "{file}.noted"; while [ -s "{file}" ]; do sleep 0.2; done;; esac
fi
exec {git} "$@"
"""
PLACES = 24  # eight turns and sixteen places for slow calls
NOT_DELAYED = 60.0  # seconds; the slow calls hold their threads for as long as the test wants, up to 300


class SlowGit:
    """A server whose git can be made to hang, and a project with a merge request."""

    def __init__(self, database: str, folder: Path, seconds: float) -> None:
        self._file, self._noted = folder / "hangs", folder / "hangs.noted"
        programs = folder / "programs"
        programs.mkdir()
        program = programs / "git"
        program.write_text(PROGRAM.format(file=self._file, git=shutil.which("git")))
        program.chmod(0o755)
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        self.server = ServerProcess(
            database, folder / "data", PATH=path, INGOT_GIT_TIMEOUT=str(seconds), INGOT_WORKER="false"
        )

    def fill(self) -> None:
        options = {"name": "slow", "initialize_with_readme": True, "visibility": "public"}
        self.project = self.server.call("POST", "/projects", json=options)
        self.path = f"/projects/{self.project['id']}"
        action = {"action": "create", "file_path": "a.txt", "content": "a"}
        commit = {"branch": "other", "start_branch": "main", "commit_message": "m", "actions": [action]}
        self.commit = self.server.call("POST", f"{self.path}/repository/commits", json=commit)["id"]
        request = {"source_branch": "other", "target_branch": "main", "title": "t"}
        self.server.call("POST", f"{self.path}/merge_requests", json=request)

    @contextmanager
    def hanging(self, words: str) -> Iterator[None]:
        """Git commands with these words in their arguments hang inside."""
        self._noted.write_text("")
        self._file.write_text(words)
        try:
            yield
        finally:
            self._file.write_text("")

    def wait_for_hanging(self, number: int) -> None:
        """Until so many commands hang."""
        limit = time.monotonic() + 120
        while len(self._noted.read_text()) < number:
            assert time.monotonic() < limit
            time.sleep(0.05)

    def ask(self, path: str, method: str = "GET", **options: Any) -> httpx.Response:
        return httpx.request(method, f"{self.server.url}{path}", headers=ROOT, timeout=120, **options)

    def blame(self) -> httpx.Response:
        return self.ask(f"/api/v4{self.path}/repository/files/README.md/blame?ref=main")

    def branch(self) -> float:
        """Seconds that a cheap git read takes."""
        begin = time.monotonic()
        assert self.ask(f"/api/v4{self.path}/repository/branches/main").status_code == 200
        return time.monotonic() - begin


@contextmanager
def slow_git(databases: Databases, folder: Path, seconds: float) -> Iterator[SlowGit]:
    git = SlowGit(databases.fresh(folder), folder, seconds)
    with git.server:
        git.fill()
        yield git


@pytest.fixture(scope="module")
def impatient(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowGit]:
    with slow_git(databases, tmp_path_factory.mktemp("impatient"), 0.3) as git:
        yield git


@pytest.fixture(scope="module")
def patient(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowGit]:
    with slow_git(databases, tmp_path_factory.mktemp("patient"), 300.0) as git:
        yield git


def test_every_endpoint_says_that_git_took_too_long(impatient: SlowGit) -> None:
    values = {"id": impatient.project["id"], "merge_request_iid": 1, "sha": impatient.commit, "branch": "main"}
    values |= {"file_path": "README.md", "ref": "main", "from": "main", "to": "other", "content": "a", "path": "a"}
    faults, late = [], set()

    with impatient.hanging("git-dir"):
        for endpoint in ENDPOINTS:
            if not endpoint.path.startswith("/projects/{id}/") or endpoint.method == "DELETE" or not endpoint.waits:
                continue
            parts = [part.strip("{}*").removesuffix(":int") if "{" in part else "" for part in endpoint.path.split("/")]
            path = "/".join(
                str(values.get(name, 1)) if name else part
                for name, part in zip(parts, endpoint.path.split("/"), strict=True)
            )
            given = arguments(endpoint.params, skip=endpoint.path_params)
            given |= {name: values[name] for name in given.keys() & values.keys()}
            content: dict[str, Any] = {"params": given} if endpoint.method in ("GET", "HEAD") else {"json": given}
            answer = impatient.ask(f"/api/v4{path}", endpoint.method, **content)
            if answer.status_code == 503:
                late.add(named(endpoint))
                if endpoint.method != "HEAD":
                    assert answer.json() == {"message": TOO_SLOW}, named(endpoint)
                assert answer.headers["Retry-After"] == "5"
            elif answer.status_code >= 500:
                faults.append(f"{named(endpoint)}: {answer.status_code}")

    assert faults == []
    assert len(late) >= 10, late


def test_git_clients_are_told_that_git_took_too_long(impatient: SlowGit) -> None:
    with impatient.hanging("advertise-refs"):
        answer = impatient.ask(f"/{impatient.project['path_with_namespace']}.git/info/refs?service=git-upload-pack")

    assert (answer.status_code, answer.text) == (503, "The git operation took too long.")


def test_a_cheap_git_read_does_not_wait_behind_slow_ones(patient: SlowGit) -> None:
    with ThreadPoolExecutor(16) as clients, patient.hanging(" blame "):
        slow = [clients.submit(patient.blame) for _ in range(16)]
        patient.wait_for_hanging(16)

        waits = [patient.branch() for _ in range(10)]

        assert not any(call.done() for call in slow)
        assert max(waits) < NOT_DELAYED
    assert {call.result().status_code for call in slow} == {200}


def test_more_slow_git_reads_than_places_make_room_for_others(patient: SlowGit) -> None:
    with ThreadPoolExecutor(2 * PLACES) as clients, patient.hanging(" blame "):
        slow: list[Future[httpx.Response]] = [clients.submit(patient.blame) for _ in range(2 * PLACES)]
        patient.wait_for_hanging(PLACES)

        wait = patient.branch()

    answers = [call.result() for call in slow]
    assert wait < NOT_DELAYED  # without an end it would wait as long as git hangs
    assert {answer.json()["message"] for answer in answers if answer.status_code != 200} == {ENDED}
