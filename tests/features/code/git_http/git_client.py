"""The real git client, as a person uses it against the test server."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.server import RunningServer


@dataclass(frozen=True)
class Run:
    """What git printed and how it ended."""

    code: int
    text: str


class GitClient:
    """Runs git in one working folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, *args: str, stdin: bytes | None = None, **env: str) -> Run:
        """Any git command; never asks."""
        surroundings = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder.parent), "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0", "GIT_AUTHOR_NAME": "Cli", "GIT_AUTHOR_EMAIL": "cli@x",
            "GIT_COMMITTER_NAME": "Cli", "GIT_COMMITTER_EMAIL": "cli@x", "LC_ALL": "C.UTF-8", **env,
        }  # fmt: skip
        done = subprocess.run(
            ["git", *args],
            cwd=self.folder,
            env=surroundings,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return Run(done.returncode, done.stdout.decode("utf-8", "replace"))

    def ok(self, *args: str, **env: str) -> str:
        """A command that must succeed."""
        done = self.run(*args, **env)
        assert done.code == 0, f"git {' '.join(args)}: {done.text}"
        return done.text

    def refused(self, *args: str, **env: str) -> str:
        """A command that must fail."""
        done = self.run(*args, **env)
        assert done.code != 0, f"git {' '.join(args)} succeeded: {done.text}"
        return done.text

    def commit(self, path: str, content: str = "x\n", message: str = "Change") -> str:
        """Write a file and commit it; returns the id."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
        self.ok("add", path)
        self.ok("commit", "-q", "-m", message)
        return self.ok("rev-parse", "HEAD").strip()


def address(server: RunningServer, project: dict[str, Any], token: str | None, user: str = "anybody") -> str:
    """The project's address with credentials in it."""
    credentials = f"{user}:{token}@" if token is not None else ""
    return f"{server.url.replace('://', '://' + credentials)}/{project['path_with_namespace']}.git"


def clone(folder: Path, url: str, *options: str) -> GitClient:
    """A fresh clone."""
    outside = GitClient(folder.parent)
    outside.ok("clone", "-q", *options, url, str(folder))
    return GitClient(folder)
