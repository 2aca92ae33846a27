"""A fresh bare repository per test and a short way to commit files into it."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from ingot.gitstore import refs
from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.model import Person
from ingot.gitstore.objects import get_commit
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import Storages
from ingot.gitstore.tree_edit import Folder

ANNA = Person(
    "Anna Ångström", "anna@example.com", datetime(2026, 3, 1, 10, 20, 30, tzinfo=timezone(timedelta(hours=1)))
)
BEN = Person("Ben", "ben@example.com", datetime(2026, 3, 2, 8, 0, 0, tzinfo=UTC))


class Builder:
    """Writes commits from a dict of files; None removes a file."""

    def __init__(self, repo: Repository) -> None:
        self.repo = repo
        self.clock = datetime(2026, 1, 1, tzinfo=UTC)

    def commit(
        self,
        branch: str,
        files: dict[str, str | bytes | None],
        message: str = "Change files",
        *,
        parents: list[str] | None = None,
        author: Person | None = None,
    ) -> str:
        self.clock += timedelta(minutes=1)
        head = refs.find_branch(self.repo, branch)
        chosen = parents if parents is not None else ([head] if head else [])
        root = Folder(self.repo, get_commit(self.repo, chosen[0]).tree_id if chosen else None)
        for path, content in files.items():
            parts = path.encode("utf-8", "surrogateescape").split(b"/")
            if content is None:
                root.remove(parts)
            else:
                body = content if isinstance(content, bytes) else content.encode()
                root.put(parts, "100644", write_blob(self.repo, body))
        who = author or Person(ANNA.name, ANNA.email, self.clock)
        sha = write_commit(self.repo, root.write(), chosen, message, who, Person(BEN.name, BEN.email, self.clock))
        refs.update(self.repo, [RefUpdate(f"refs/heads/{branch}", sha)])
        return sha

    def git(self, *args: str) -> str:
        """Plain git, as an independent witness."""
        done = subprocess.run(
            ["git", "-c", "safe.directory=*", f"--git-dir={self.repo.path}", *args],
            check=True, capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"},
        )  # fmt: skip
        return done.stdout.strip()


@pytest.fixture
def storages(tmp_path: Path) -> Storages:
    return Storages({"default": tmp_path / "one", "second": tmp_path / "two"})


@pytest.fixture
def repo(storages: Storages) -> Repository:
    return storages.create("default", 1)


@pytest.fixture
def build(repo: Repository) -> Builder:
    return Builder(repo)
