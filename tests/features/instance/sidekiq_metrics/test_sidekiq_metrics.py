"""Figures of background work, read as python-gitlab reads those of Sidekiq."""

from datetime import timedelta
from typing import Any

import gitlab
import pytest

from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from tests.support.world import World


def test_python_gitlab_reads_the_figures(world: World) -> None:
    sidekiq: Any = gitlab.Gitlab(world.server.url, private_token=world.admin.token).sidekiq
    world.admin.ok("POST", f"/projects/{world.project()['id']}/export")
    world.run_jobs()
    before = sidekiq.compound_metrics()
    with world.server.services.db.write() as tx:
        enqueue(tx, "project_export", args={"export_id": 0}, run_after=now() + timedelta(days=1))

    after = sidekiq.compound_metrics()

    assert after["queues"]["default"]["backlog"] == before["queues"]["default"]["backlog"] + 1
    assert after["jobs"]["enqueued"] == before["jobs"]["enqueued"] + 1
    assert set(after["jobs"]) == {"processed", "failed", "enqueued", "dead"}
    assert after["jobs"]["processed"] > 0
    assert sidekiq.queue_metrics()["queues"] == after["queues"]
    assert sidekiq.job_stats()["jobs"] == after["jobs"]
    assert sidekiq.process_metrics() == {"processes": after["processes"]}
    for process in after["processes"]:
        assert set(process) == {
            "hostname", "pid", "tag", "started_at", "queues", "labels", "concurrency", "busy",
        }  # fmt: skip


@pytest.mark.parametrize("name", ["queue_metrics", "process_metrics", "job_stats", "compound_metrics"])
def test_only_administrators_read_them(world: World, name: str) -> None:
    path = f"/sidekiq/{name}"

    assert world.anonymous.get(path).status_code == 401
    assert world.user().client.get(path).status_code == 403
