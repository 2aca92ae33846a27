"""What repositories on GlusterFS cost beside a disk, step by step, and what a question to the database would replace.

A node looks at the files each time before it trusts what it knows of refs. A version of each repository in the
database could say instead that nothing changed; it is counted as one statement. Whole requests are asked as well: of a
repository on a disk, on GlusterFS, and of one whose refs alone are on the disk, which is the most that such a version
could save.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import psycopg

from bench._page import write_section
from ingot.gitstore import Person, Repository, handles
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from ingot.gitstore.objects import list_tree
from ingot.gitstore.ref_snapshot import take_snapshot
from ingot.gitstore.refs import RefUpdate, find_branch, update
from ingot.gitstore.storage import Storages
from tests.scale.gluster import running_volume, why_not
from tests.support import plain_http
from tests.support.databases import SqliteDatabases
from tests.support.postgres import PostgresServer
from tests.support.server import RunningServer
from tests.support.world import World

ROUNDS = int(os.environ.get("INGOT_BENCH_ROUNDS", "40"))
REFS = 50
REQUESTS = (
    "Whole requests on SQLite, of three nodes in turn. With *refs alone on the disk*, the objects on GlusterFS, what"
    " looking at refs costs there is gone: no version in a database saves more."
)


def main() -> None:
    """Print the table and write it down."""
    if reason := why_not():
        print(reason)
        return
    with tempfile.TemporaryDirectory() as folder, running_volume(Path(folder) / "volume") as volume:
        places = {"disk": Path(folder) / "disk", "GlusterFS": volume.mounts[0]}
        steps = {name: _steps(place) for name, place in places.items()}
        seen: dict[str, dict[str, list[float]]] = {what: {name: [] for name in places} for what in steps["disk"]}
        for _ in range(ROUNDS):  # in turn, so that both meet the same moments of a busy machine
            for what, by_place in seen.items():
                for name, times in by_place.items():
                    times.append(_milliseconds(steps[name][what]))
        whole = {"disk": Path(folder) / "one", "GlusterFS": volume.mounts[0] / "one", "refs": Path(folder) / "two"}
        requests = _requests(whole, Path(folder))
    asked = _statement()
    rows = ["| Step | disk ms | GlusterFS ms | times |\n|---|---:|---:|---:|"]
    for what, by_place in seen.items():
        disk, shared = (statistics.median(times) for times in by_place.values())
        rows.append(f"| {what} | {disk:.2f} | {shared:.2f} | {shared / disk:.0f} |")
    rows.append(f"| one statement of PostgreSQL | {asked:.2f} | | |")
    about = (
        f"Medians of {ROUNDS}, in one process, a repository of {REFS} branches; GlusterFS of two bricks on this"
        " machine, without any caching by the client. Nodes look at the files each time before they trust what they"
        " know; a version of each repository in the database could replace all rows but the last two by one statement"
        " where nothing has changed. It is not built ([why](decisions/0031-no-version-of-repositories.md))."
    )
    table = "\n".join([*rows, "", REQUESTS, "", *requests])
    print(table)
    write_section("Repositories on GlusterFS", f"{about}\n\n{table}")


def _requests(places: dict[str, Path], folder: Path) -> list[str]:
    """Whole requests: each place has a node, and they are asked in turn."""
    with ExitStack() as stack:
        asked = {name: _asked(stack, name, place, folder) for name, place in places.items()}
        seen: dict[str, list[float]] = {}
        for what in asked["disk"]:
            times: dict[str, list[float]] = {name: [] for name in places}
            for _ in range(ROUNDS):
                for name, questions in asked.items():
                    times[name].append(_milliseconds(questions[what]))
            seen[what] = [statistics.median(one) for one in times.values()]
    rows = ["| Request | disk ms | GlusterFS ms | refs alone on the disk ms | saved |\n|---|---:|---:|---:|---:|"]
    for what, (disk, shared, mixed) in seen.items():
        rows.append(f"| {what} | {disk:.1f} | {shared:.1f} | {mixed:.1f} | {1 - mixed / shared:.0%} |")
    return rows


def _asked(stack: ExitStack, name: str, place: Path, folder: Path) -> dict[str, Callable[[], object]]:
    data = folder / f"data-{name}"
    data.mkdir()
    place.mkdir(exist_ok=True)
    templates = folder / f"database-{name}"
    templates.mkdir()
    url = SqliteDatabases(templates).fresh(data)
    server = stack.enter_context(RunningServer(url, data, repository_storages=f"default={place}"))
    project = World(server).project(initialize_with_readme=True, visibility="public")
    [path] = place.glob("@hashed/*/*/*.git")
    head = find_branch(Repository(path), "main") or ""
    update(Repository(path), [RefUpdate(f"refs/heads/topic-{number}", head) for number in range(REFS)])
    if name == "refs":
        moved = folder / "volume" / "mount-0" / "objects-alone"
        shutil.copytree(path / "objects", moved)
        shutil.rmtree(path / "objects")
        (path / "objects").symlink_to(moved)
    client, base = server.client(), f"/projects/{project['id']}/repository"
    refs = f"{server.url}/{project['path_with_namespace']}.git/info/refs?service=git-upload-pack"
    anew = {"Cache-Control": "no-cache"}
    return {
        "a branch, asked again": lambda: client.ok("GET", f"{base}/branches/main"),
        "a branch, made anew": lambda: client.ok("GET", f"{base}/branches/main", headers=anew),
        "20 branches, made anew": lambda: client.ok("GET", f"{base}/branches", headers=anew),
        "commits, made anew": lambda: client.ok("GET", f"{base}/commits", headers=anew),
        "a file, made anew": lambda: client.ok("GET", f"{base}/files/README.md?ref=main", headers=anew),
        "the tree, made anew": lambda: client.ok("GET", f"{base}/tree", headers=anew),
        "refs for a fetch": lambda: plain_http.get(refs).raise_for_status(),
    }


def _steps(place: Path) -> dict[str, Callable[[], object]]:
    place.mkdir(exist_ok=True)
    repository = Storages({"default": place}).create("default", 1, default_branch="main")
    author = Person.now("Ada", "ada@example.com")
    commits = iter(range(1_000_000))

    def commit() -> str:
        action = FileAction("create", f"file-{next(commits)}.txt", "text")
        return create_commit(repository, CommitOptions("main", "Add a file", [action], author)).sha

    first = commit()
    update(repository, [RefUpdate(f"refs/heads/topic-{number}", first) for number in range(REFS)])
    packed = place / "packed.git"
    shutil.copytree(repository.path, packed)
    Repository(packed).git("pack-refs", "--all")

    def again() -> Repository:
        return Repository(repository.path)

    def opened() -> None:
        handles.forget(str(repository.path))
        find_branch(again(), "main")

    return {
        "see that the repository is there": repository.exists,
        "head of a branch, repository known": lambda: find_branch(again(), "main"),
        "head of a branch, repository opened anew": opened,
        "all refs, for a fetch": lambda: take_snapshot(again(), ()),
        "all refs, for a fetch, once they are packed": lambda: take_snapshot(Repository(packed), ()),
        "files of a folder": lambda: list_tree(again(), first),
        "commit of a file": commit,
    }


def _milliseconds(step: Callable[[], object]) -> float:
    begun = time.perf_counter()
    step()
    return 1000 * (time.perf_counter() - begun)


def _statement() -> float:
    postgres = PostgresServer()
    try:
        with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
            connection.execute("CREATE TABLE versions (id integer PRIMARY KEY, version integer)")
            connection.execute("INSERT INTO versions SELECT n, 1 FROM generate_series(1, 1000) n")
            ask = "SELECT version FROM versions WHERE id = 7"
            return statistics.median(_milliseconds(lambda: connection.execute(ask).fetchone()) for _ in range(ROUNDS))
    finally:
        postgres.close()
