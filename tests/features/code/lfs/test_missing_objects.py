"""Pushes whose pointers name large files that were not sent, and files that no pointer names."""

import hashlib
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select, update

from ingot.features.code.lfs_objects import link
from ingot.features.code.lfs_objects.tables import lfs_objects
from ingot.gitstore.pointers import write_pointer
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from tests.features.code.git_http.git_client import address, clone
from tests.features.code.lfs.test_transfer import batch, send, tracked
from tests.support.large_files import needs_git_lfs
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World

MISSING = 'GitLab: LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".'
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 5\n"


@needs_git_lfs
def test_a_push_without_its_objects_is_refused(
    server: RunningServer,
    world: World,
    project: dict[str, Any],
    tmp_path: Path,
) -> None:
    here = tracked(server, project, tmp_path / "here", b"first")
    (here.folder / "second.bin").write_bytes(b"second")
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Second")

    refused = here.refused("push", "--no-verify", "origin", "main")

    assert MISSING in refused
    assert "pre-receive hook declined" in refused
    here.ok("lfs", "push", "--all", "origin")
    here.ok("push", "-q", "--no-verify", "origin", "main")


def test_only_pointers_count_and_only_where_large_files_are_on(
    server: RunningServer,
    world: World,
    project: dict[str, Any],
    tmp_path: Path,
) -> None:
    here = clone(tmp_path / "here", address(server, project, ROOT_TOKEN))
    pointer = POINTER.format("b" * 64)
    here.commit("about.md", f"A pointer:\n{pointer}")
    here.commit("long.txt", pointer + "x" * 1024)
    here.ok("push", "-q", "origin", "main")
    here.commit("pointer", pointer)

    assert MISSING in here.refused("push", "origin", "main")
    world.admin.ok("PUT", f"/projects/{project['id']}", json={"lfs_enabled": False})
    here.ok("push", "-q", "origin", "main")


@needs_git_lfs
def test_files_that_no_pointer_names_go_when_they_are_a_day_old(
    server: RunningServer, world: World, project: dict[str, Any], tmp_path: Path
) -> None:
    db, names, past = server.services.db, ("young", "old", "announced", "forked"), now() - timedelta(days=2)
    here = tracked(server, project, tmp_path / "here", b"named by a pointer")
    mine = lfs_objects.c.project_id == project["id"]
    oids = {name: hashlib.sha256(name.encode()).hexdigest() for name in names}

    def announce(name: str) -> Any:
        return batch(server, project, ROOT_TOKEN, "upload", oids[name], len(name)).json()["objects"][0]

    def left() -> set[str]:
        with db.read() as conn:
            return set(conn.execute(select(lfs_objects.c.oid).where(mine)).scalars())

    for name in names:
        assert send(announce(name)["actions"]["upload"], name.encode()).status_code == 200
    with db.write() as tx:
        old = mine & (lfs_objects.c.oid != oids["young"])
        tx.execute(update(lfs_objects).where(old).values(created_at=past))
    assert "actions" not in announce("announced")
    fork_name = world.name("fork")
    fork = world.admin.ok("POST", f"/projects/{project['id']}/fork", json={"name": fork_name, "path": fork_name})
    world.run_jobs()
    world.commit(fork, "kept", {"a": write_pointer(oids["forked"], len("forked")).decode()})
    with db.write() as tx:
        enqueue(tx, "collect_lfs_objects")
    world.run_jobs()

    named = hashlib.sha256(b"named by a pointer").hexdigest()
    assert left() == {named, oids["young"], oids["announced"], oids["forked"]}
    statistics = world.admin.get(f"/projects/{project['id']}", statistics=True).json()["statistics"]
    assert statistics["lfs_objects_size"] == len("named by a pointer" + "young" + "announced" + "forked")
    here.ok("lfs", "fetch", "--all")


def test_a_damaged_repository_keeps_its_files_and_holds_up_no_other(server: RunningServer, world: World) -> None:
    owner, db = world.user(), server.services.db
    damaged, whole = (world.project(owner, initialize_with_readme=True)["id"] for _ in range(2))
    both = lfs_objects.c.project_id.in_((damaged, whole))
    with db.write() as tx:
        for project_id in (damaged, whole):
            link(tx, project_id, "b" * 64, 3, "lfs/nowhere")
        tx.execute(update(lfs_objects).where(both).values(created_at=now() - timedelta(days=2)))
    for file in (world.repository({"id": damaged}).path / "objects").glob("??/*"):
        file.unlink()

    with db.write() as tx:
        enqueue(tx, "collect_lfs_objects")
    world.run_jobs()

    with db.write() as tx:
        left = tx.execute(delete(lfs_objects).where(both).returning(lfs_objects.c.project_id)).scalars().all()
    assert left == [damaged]
