"""Faults that older versions stored with a pipeline could quote the values of variables: an upgrade rewords them."""

from pathlib import Path

from sqlalchemy import update

from ingot.features.ci.engine import pipelines
from ingot.kit import schema
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

QUOTED = "jobs:build config: $TOKEN is hunter2"


def test_faults_of_an_older_version_are_reworded(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path) as running:
        world = World(running)
        project = world.project(initialize_with_readme=True)
        path = f"/projects/{project['id']}/pipelines"
        for text in ("job: {script: x}", "job: {stage: x, unknown: 1}"):
            world.commit(project, "main", {".gitlab-ci.yml": text})
        faulty, sound = (one["id"] for one in world.admin.ok("GET", path))
        latest = schema.revisions()[-1]
        with running.services.db.write() as tx:
            tx.execute(update(pipelines).where(pipelines.c.id == faulty).values(yaml_errors=QUOTED))
            tx.exec_driver_sql("UPDATE alembic_version SET version_num = '0008'")
            schema.upgrade(tx, "0009")
            tx.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{latest}'")

        reworded = world.admin.ok("GET", f"{path}/{faulty}")["yaml_errors"]
        untouched = world.admin.ok("GET", f"{path}/{sound}")["yaml_errors"]

    assert reworded == "The configuration was faulty. Run the pipeline again to see how."
    assert untouched is None
