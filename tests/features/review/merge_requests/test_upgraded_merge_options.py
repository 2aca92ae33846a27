"""An upgrade keeps how requests are to be merged that wait for their checks."""

from pathlib import Path

from ingot.kit import schema
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World


def test_a_waiting_request_is_merged_as_it_was_asked_before_the_upgrade(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path) as running:
        world = World(running)
        project = world.project(initialize_with_readme=True)
        head = world.commit(project, "feature", {"f.txt": "hello\n"})
        statuses = f"/projects/{project['id']}/statuses/{head}"
        world.admin.ok("POST", statuses, json={"state": "running", "ref": "feature"})
        body = {"title": "Add f", "source_branch": "feature", "target_branch": "main"}
        request = world.admin.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
        path = f"/projects/{project['id']}/merge_requests/{request['iid']}"
        message = "As we agreed last week"
        world.admin.ok("PUT", f"{path}/merge", json={"auto_merge": True, "merge_commit_message": message})
        latest = schema.revisions()[-1]
        with running.services.db.write() as tx:
            tx.exec_driver_sql("ALTER TABLE merge_requests RENAME COLUMN auto_merge_options TO auto_merge_wish")
            tx.exec_driver_sql("UPDATE alembic_version SET version_num = '0012'")
            schema.upgrade(tx, "0013")
            tx.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{latest}'")

        world.admin.ok("POST", statuses, json={"state": "success", "ref": "feature"})

        merged = world.admin.ok("GET", path)
        commit = world.admin.ok("GET", f"/projects/{project['id']}/repository/commits/{merged['merge_commit_sha']}")
    assert (merged["state"], commit["message"].strip()) == ("merged", message)
