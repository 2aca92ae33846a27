"""Forks of earlier versions read the LFS objects of their source. An upgrade makes them their own."""

import hashlib
from pathlib import Path

from ingot.kit import schema
from tests.features.code.lfs.test_transfer import batch, send
from tests.support.databases import Databases
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World


def test_a_fork_keeps_what_it_had_when_it_was_made(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path) as running:
        world = World(running)
        source = world.project(initialize_with_readme=True)
        place = f"/projects/{source['id']}"
        names = {}
        for text in (b"before", b"after"):
            names[text] = name = hashlib.sha256(text).hexdigest()
            reply = batch(running, source, ROOT_TOKEN, "upload", name, len(text)).json()
            send(reply["objects"][0]["actions"]["upload"], text).raise_for_status()
            if text == b"before":
                fork = world.admin.ok("POST", f"{place}/fork", json={"path": "copy", "name": "Copy"})
                world.run_jobs()
        latest = schema.revisions()[-1]
        with running.services.db.write() as tx:
            tx.exec_driver_sql(f"DELETE FROM lfs_objects WHERE project_id = {fork['id']}")
            tx.exec_driver_sql("UPDATE project_statistics SET storage_size = storage_size - lfs_objects_size")
            tx.exec_driver_sql("UPDATE project_statistics SET lfs_objects_size = 0")
            tx.exec_driver_sql("UPDATE alembic_version SET version_num = '0045'")
            schema.upgrade(tx, "0046")
            tx.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{latest}'")
        world.admin.ok("DELETE", place)
        world.run_jobs()

        offered = {
            text: "actions" in batch(running, fork, ROOT_TOKEN, "download", name, len(text)).json()["objects"][0]
            for text, name in names.items()
        }
        sizes = world.admin.ok("GET", f"/projects/{fork['id']}?statistics=true")["statistics"]
    assert offered == {b"before": True, b"after": False}
    assert sizes["lfs_objects_size"] == len(b"before")
    assert sizes["storage_size"] == sum(
        sizes[name] for name in sizes if name.endswith("_size") and name != "storage_size"
    )
