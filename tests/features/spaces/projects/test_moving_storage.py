"""A project moves to another storage while people commit and push: whatever was answered for is there afterwards."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ingot.features.spaces.projects.commands.storage import move_storage
from ingot.gitstore import fsck
from ingot.kit.errors import Conflict
from tests.features.code.git_http.git_client import GitClient, address
from tests.operating.test_full_disk import fill, small_disk
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

pytestmark = pytest.mark.costly


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
