"""Merging through the API against bare git: merge-tree, commit-tree and update-ref on the same repository."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from ingot import settings as configuration
from ingot.gitstore import Person, Repository, refs
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from tests.support.server import RunningServer
from tests.support.world import World

ROUNDS = 25
GOAL = 3.0


def git(repository: Repository, *words: str) -> str:
    """One bare git command."""
    done = subprocess.run(["git", *words], cwd=repository.path, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def bare_merge(repository: Repository, branch: str) -> float:
    """Seconds for a merge into `bare` by hand."""
    started = time.perf_counter()
    target = git(repository, "rev-parse", "refs/heads/bare")
    source = git(repository, "rev-parse", f"refs/heads/{branch}")
    tree = git(repository, "merge-tree", "--write-tree", target, source).splitlines()[0]
    created = git(
        repository, "-c", "user.name=B", "-c", "user.email=b@example.com",
        "commit-tree", tree, "-p", target, "-p", source, "-m", "Merge",
    )  # fmt: skip
    git(repository, "update-ref", "refs/heads/bare", created, target)
    return time.perf_counter() - started


def main() -> None:
    """Print both medians and their ratio."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        folder = Path(place)
        from ingot import app
        from ingot.kit import schema

        app.load_features()
        url = f"sqlite:///{folder / 'ingot.db'}"
        services = app.build_services(configuration.make({"data": place, "database_url": url}))
        schema.prepare(services.db)
        services.pools.close()
        services.db.dispose()
        with RunningServer(url, folder) as running:
            world = World(running)
            _measure(
                world, "different files", lambda number: FileAction("create", f"folder/file-{number}.txt", "text\n")
            )
            _measure(world, "one file", lambda number: FileAction("update", "README.md", _edited(number)))


def _edited(number: int | None) -> str:
    """The common file, with a line of its own for every topic; far enough from each other to merge."""
    return "".join(f"line {line}{' changed' if line == number else ''}\n" + "same\n" * 4 for line in range(ROUNDS))


def _measure(world: World, what: str, change: Callable[[int], FileAction]) -> None:
    """Topics that touch different files need no merging of texts; those that touch one file do, line by line."""
    project = world.project(initialize_with_readme=True)
    repository = world.repository(project)
    person = Person.now("Ada", "ada@example.com")
    start = CommitOptions("main", "Start", [FileAction("update", "README.md", _edited(None))], person)
    create_commit(repository, start)
    refs.create_branch(repository, "bare", "main")
    paths = []
    for number in range(ROUNDS):
        body = CommitOptions(
            branch=f"topic-{number}",
            message=f"Add {number}",
            actions=[change(number)],
            author=person,
            start_branch="main",
        )
        create_commit(repository, body)
        request = {"title": f"t{number}", "source_branch": f"topic-{number}", "target_branch": "main"}
        created = world.admin.ok("POST", f"/projects/{project['id']}/merge_requests", json=request)
        paths.append(f"{world.server.url}/api/v4/projects/{project['id']}/merge_requests/{created['iid']}/merge")
    ours, theirs = [], []
    with httpx.Client(headers={"PRIVATE-TOKEN": world.admin.token or ""}, timeout=60) as client:
        for number, path in enumerate(paths):
            theirs.append(bare_merge(repository, f"topic-{number}"))
            started = time.perf_counter()
            client.put(path).raise_for_status()
            ours.append(time.perf_counter() - started)
    api, bare = statistics.median(ours) * 1000, statistics.median(theirs) * 1000
    ratio = f"{api / bare:.2f} times (goal: {GOAL:.0f})"
    print(f"merge of {what} through the API {api:.1f} ms, bare git {bare:.1f} ms: {ratio}")


if __name__ == "__main__":
    main()
