"""A server whose git hangs when a test wants it to."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN
from tests.support.waiting import until

TOO_SLOW = "503 Service Unavailable - The git operation took too long."
PATIENT = 300.0  # seconds that a git command may take
# `git` of the servers below: hangs while its arguments contain what the file says, and notes that it does.
PROGRAM = """#!/bin/sh
if [ -s "{file}" ]; then
    case "$*" in *"$(cat "{file}")"*) echo >> "{file}.noted"; while [ -s "{file}" ]; do sleep 0.2; done;; esac
fi
exec {git} "$@"
"""


class SlowGit:
    """A server whose git can be made to hang, and a project with a merge request."""

    def __init__(self, database: str, folder: Path) -> None:
        self._file, self._noted = folder / "hangs", folder / "hangs.noted"
        programs = folder / "programs"
        programs.mkdir()
        program = programs / "git"
        program.write_text(PROGRAM.format(file=self._file, git=shutil.which("git")))
        program.chmod(0o755)
        self._path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        self._database, self.folder = database, folder

    @contextmanager
    def serving(self, seconds: float, **environment: str) -> Iterator[None]:
        """With this limit on the time of a git command."""
        more = {"PATH": self._path, "INGOT_GIT_TIMEOUT": str(seconds), **environment}
        with ServerProcess(self._database, self.folder / "data", **more) as self.server:
            yield

    def fill(self) -> None:
        """Needs a patient server."""
        options = {"name": "slow", "initialize_with_readme": True, "visibility": "public"}
        self.project = self.server.call("POST", "/projects", json=options)
        self.path = f"/projects/{self.project['id']}"
        self.commit = self.save("other", "create", "a.txt", "a", start_branch="main")
        request = {"source_branch": "other", "target_branch": "main", "title": "t"}
        self.server.call("POST", f"{self.path}/merge_requests", json=request)

    def save(self, branch: str, action: str, file: str, content: str, **more: str) -> str:
        """Commit one file; returns the commit."""
        actions = [{"action": action, "file_path": file, "content": content}]
        fields = {"branch": branch, "commit_message": "m", "actions": actions, **more}
        return str(self.server.call("POST", f"{self.path}/repository/commits", json=fields)["id"])

    @contextmanager
    def hanging(self, words: str) -> Iterator[None]:
        """Git commands with these words in their arguments hang inside."""
        self._noted.write_text("")
        self._file.write_text(words)
        try:
            yield
        finally:
            self._file.write_text("")

    @property
    def hung(self) -> int:
        """How many commands have hung since `hanging` began last."""
        return len(self._noted.read_text())

    def wait_for_hanging(self, number: int) -> None:
        """Until so many commands hang."""
        until(lambda: self.hung >= number)

    def ask(self, path: str, method: str = "GET", **options: Any) -> httpx.Response:
        """Any call as the administrator; its answer is made anew."""
        headers = {"PRIVATE-TOKEN": ROOT_TOKEN, "Cache-Control": "no-cache"}
        return plain_http.request(method, f"{self.server.url}{path}", headers=headers, **options)


@contextmanager
def slow_git(databases: Databases, folder: Path, seconds: float, **environment: str) -> Iterator[SlowGit]:
    """Filled while git may take its time; then with a limit on the time of a git command."""
    git = SlowGit(databases.fresh(folder), folder)
    with git.serving(PATIENT):
        git.fill()
        if seconds == PATIENT:
            yield git
            return
    with git.serving(seconds, **environment):
        yield git
