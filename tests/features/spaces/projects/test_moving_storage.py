"""A project moves to another storage while people commit and push: whatever was answered for is there afterwards."""

import os
import shutil
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import update

from ingot import doctor
from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.storage import FILLED, move_storage
from ingot.gitstore import fsck, writers
from ingot.gitstore.errors import LockTimeout
from ingot.gitstore.listing import branch_names
from ingot.kit.clock import now
from ingot.kit.errors import Conflict
from ingot.kit.jobs.tables import jobs
from tests.features.code.git_http.git_client import GitClient, address
from tests.operating.test_full_disk import fill, small_disk
from tests.support.databases import Databases
from tests.support.forked_program import ForkedProgram
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World

pytestmark = pytest.mark.costly

STEPS = ("noted", "copied", "caught up", "sealed", "arrived", "switched", "left")
MOVER = """
import os, signal
from types import SimpleNamespace
from ingot import app, settings
from ingot.features.spaces.projects.commands.storage import move_steps

services = app.build_services(settings.make({settings}))
for step in move_steps(services, SimpleNamespace(**{project}), {target!r}):
    if step == {step!r}:
        os.kill(os.getpid(), signal.SIGSTOP)
"""


def test_nothing_is_lost_when_a_project_moves_under_load(databases: Databases, tmp_path: Path) -> None:
    named = ",".join(f"{name}={tmp_path / name}" for name in ("hot", "cold", "spare"))
    with RunningServer(databases.fresh(tmp_path), tmp_path, repository_storages=named) as server:
        world = World(server)
        owner = world.user()
        project = world.project(owner, initialize_with_readme=True)
        here = f"/projects/{project['id']}"
        owner.client.ok("POST", f"{here}/wikis", json={"title": "home", "content": "Welcome"})
        ended = Event()
        faults: list[str] = []

        def commit(name: str) -> bool:
            body = {"branch": f"api-{name}", "start_branch": "main", "content": name, "commit_message": name}
            answer = owner.client.post(f"{here}/repository/files/{name}.txt", json=body)
            if answer.status_code == 500:
                faults.append(answer.text)
            return answer.status_code == 201

        git = GitClient(tmp_path / "copy")
        git.ok("init", "-q")
        remote = address(server, project, owner.token)

        def push(name: str) -> bool:
            git.commit("pushed.txt", name, name)
            return git.run("push", "-q", remote, f"HEAD:refs/heads/git-{name}").code == 0

        def repeat(work: Callable[[str], bool]) -> set[str]:
            acknowledged = set()
            while not ended.is_set():
                name = world.name("n")
                if work(name):
                    acknowledged.add(name)
            return acknowledged

        with ThreadPoolExecutor(2) as pool:
            committing, pushing = pool.submit(repeat, commit), pool.submit(repeat, push)
            try:
                for storage in ("cold", "hot", "cold"):
                    moved = world.admin.ok("PUT", here, json={"repository_storage": storage})
                    assert moved["repository_storage"] == storage
            finally:
                ended.set()
            acknowledged = {f"api-{name}" for name in committing.result()} | {
                f"git-{name}" for name in pushing.result()
            }

        assert faults == []
        assert acknowledged
        branches = set(git.ok("ls-remote", "--heads", remote).split())
        assert {name for name in acknowledged if f"refs/heads/{name}" not in branches} == set()
        assert world.repository(project).path.is_relative_to(tmp_path / "cold")
        assert fsck.check(world.repository(project)).is_sound
        assert owner.client.ok("GET", f"{here}/wikis/home")["content"] == "Welcome"
        assert not [path for path in (tmp_path / "hot").rglob("*.git*") if path.suffix != ".lock"]
        # A second move that was asked for when the project was still elsewhere leaves it where it is.
        earlier = SimpleNamespace(id=project["id"], repository_storage="hot")
        with pytest.raises(Conflict):
            move_storage(server.services, cast("Any", earlier), "spare")
        assert world.admin.ok("GET", here)["repository_storage"] == "cold"
        assert set(git.ok("ls-remote", "--heads", remote).split()) >= branches


def test_a_move_that_is_killed_loses_nothing_and_leaves_nothing(databases: Databases, tmp_path: Path) -> None:
    """Somebody pushes in that moment, to a server that lives on: what git was told has arrived is there afterwards."""
    url = databases.fresh(tmp_path)
    roots = {name: tmp_path / name for name in ("hot", "cold")}
    named = ",".join(f"{name}={root}" for name, root in roots.items())
    with RunningServer(url, tmp_path, repository_storages=named) as server, ThreadPoolExecutor(1) as pool:
        world = World(server)
        owner = world.user()
        project = world.project(owner, initialize_with_readme=True)
        here = f"/projects/{project['id']}"
        owner.client.ok("POST", f"{here}/wikis", json={"title": "home", "content": "Welcome"})
        git = GitClient(tmp_path / "copy")
        remote = address(server, project, owner.token)
        git.ok("clone", "-q", remote, ".")
        pushed = set()
        storage = "hot"
        for number, step in enumerate(STEPS):
            target = "cold" if storage == "hot" else "hot"
            mover = killed_at(step, server, project["id"], storage, target)
            branch = f"pushed-{number}"
            git.commit("pushed.txt", branch, branch)
            old = server.services.storages.repository(storage, project["id"]).path
            pushing = pool.submit(git.run, "push", "-q", remote, f"HEAD:refs/heads/{branch}")
            until(lambda old=old, pushing=pushing: pushing.done() or any((old / "objects").glob("tmp_objdir-*")))
            mover.send_signal(signal.SIGKILL)
            mover.wait()
            if pushing.result().code == 0:
                pushed.add(branch)
            settle_now(server)

            storage = target if step in ("switched", "left") else storage
            assert world.admin.ok("GET", here)["repository_storage"] == storage
            repository = world.repository(project)
            assert repository.path.is_relative_to(roots[storage])
            assert fsck.check(repository).is_sound
            folders = [path for root in roots.values() for path in root.glob("@hashed/*/*/*") if path.is_dir()]
            assert sorted(folders) == [repository.path, repository.path.with_suffix(".wiki.git")]
            git.ok("push", "-q", remote, f"HEAD:refs/heads/after-{number}")
            pushed.add(f"after-{number}")
            assert pushed <= set(branch_names(repository))
            page = {"content": f"Welcome {number}"}
            owner.client.ok("PUT", f"{here}/wikis/home", json=page)
            assert owner.client.ok("GET", f"{here}/wikis/home")["content"] == page["content"]
        assert "pushed-0" in pushed  # nothing was closed then


def test_a_move_waits_for_a_push_that_git_takes_long_to_store(databases: Databases, tmp_path: Path) -> None:
    named = ",".join(f"{name}={tmp_path / name}" for name in ("hot", "cold"))
    with (
        RunningServer(databases.fresh(tmp_path), tmp_path, repository_storages=named) as server,
        ThreadPoolExecutor(2) as pool,
    ):
        world = World(server)
        owner = world.user()
        project = world.project(owner, initialize_with_readme=True)
        here = f"/projects/{project['id']}"
        git = GitClient(tmp_path / "copy")
        remote = address(server, project, owner.token)
        git.ok("clone", "-q", remote, ".")
        git.commit("pushed.txt")
        old = world.repository(project).path
        # Git waits for the lock of a ref, for ten seconds at most.
        lock = old / "refs" / "heads" / "slow.lock"
        lock.touch()
        pushing = pool.submit(git.run, "push", "-q", remote, "HEAD:refs/heads/slow")
        until(lambda: pushing.done() or is_written(old))
        moving = pool.submit(world.admin.ok, "PUT", here, json={"repository_storage": "cold"})
        until(lambda: pushing.done() or any((tmp_path / "cold").glob("@hashed/*/*/*.moving-*")))
        lock.unlink()

        assert moving.result()["repository_storage"] == "cold"
        assert ("slow" in branch_names(world.repository(project))) == (pushing.result().code == 0)
        assert not old.exists()

        # A copy that a former version left behind is found, and goes.
        shutil.copytree(world.repository(project).path, old)
        assert [finding.repaired for finding in doctor.EXAMINATIONS["repositories"](server.services, True)] == [True]
        assert not old.exists()
        assert world.repository(project).exists()

        # A project that is being filled stays where it is.
        with server.services.db.write() as tx:
            tx.execute(update(projects).where(projects.c.id == project["id"]).values(import_status="started"))
        refused = world.admin.put(here, json={"repository_storage": "hot"})
        assert (refused.status_code, refused.json()["message"]) == (409, FILLED)
        assert not [path for path in (tmp_path / "hot").glob("@hashed/*/*/*") if path.is_dir()]


def is_written(path: Path) -> bool:
    try:
        with writers.closed(path, seconds=0):
            return False
    except LockTimeout:
        return True


def killed_at(step: str, server: RunningServer, project_id: int, storage: str, target: str) -> ForkedProgram:
    """A process that moves the project and stands still once that step is done."""
    given = server.settings
    prelude = MOVER.format(
        settings={
            "database_url": given.database_url,
            "data": given.data,
            "repository_storages": given.repository_storages,
        },
        project={"id": project_id, "repository_storage": storage, "default_branch": "main"},
        target=target,
        step=step,
    )
    mover = ForkedProgram(environment=dict(os.environ), prelude=prelude)
    until(lambda: Path(f"/proc/{mover.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T")
    return mover


def settle_now(server: RunningServer) -> None:
    """The job that was queued before the first step, without waiting until it is due."""
    waiting = (jobs.c.kind == "settle_storage") & (jobs.c.state == "queued")
    with server.services.db.write() as tx:
        assert tx.execute(update(jobs).where(waiting).values(run_after=now())).rowcount == 1
    server.run_jobs()


def test_a_storage_without_room_takes_nothing(databases: Databases, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    with (
        small_disk(full, 1),
        RunningServer(
            databases.fresh(tmp_path), tmp_path, repository_storages=f"hot={tmp_path / 'hot'},full={full}"
        ) as server,
    ):
        world = World(server)
        project = world.project(initialize_with_readme=True)
        here = f"/projects/{project['id']}"
        fill(full)

        assert world.admin.put(here, json={"repository_storage": "full"}).status_code == 507

        assert world.admin.ok("GET", here)["repository_storage"] == "hot"
        assert world.admin.ok("GET", f"{here}/repository/files/README.md?ref=main")["file_name"] == "README.md"
        assert not list(full.rglob("*.git*"))
