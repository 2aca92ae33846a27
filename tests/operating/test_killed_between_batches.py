"""`kill -9` of an import between two batches whose records depend on each other: the second finds what it needs."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from ingot.features.planning.notes.tables import notes
from ingot.features.transfer.project_exports.leftovers import archive_leftovers
from ingot.features.transfer.project_imports.tables import import_progress
from ingot.kit.jobs.tables import workers
from tests.features.transfer.project_imports.making import MOMENT, archive, upload
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.silence import be_silent_for_long
from tests.support.world import Person, World

# A worker that dies by its own hand as soon as the first batch of a relation is stored. It overrides a method in its
# own process, because no signal from outside is sure to arrive between two batches.
DYING = """
import os, signal, sys
from ingot.cli import main
from ingot.kit.jobs.run import Run
relation, told = sys.argv.pop(), Run.progress
def progress(self, **counters):
    told(self, **counters)
    if counters.get("label") == relation:
        os.kill(os.getpid(), signal.SIGKILL)
Run.progress = progress
main()
"""
THREAD = "a" * 40


@pytest.fixture
def place(databases: Databases, tmp_path: Path) -> Iterator[tuple[World, str, Path]]:
    url = databases.fresh(tmp_path)
    with RunningServer(url, tmp_path, worker=False) as running:
        yield World(running), url, tmp_path


def content() -> bytes:
    """A group's milestone comes first and takes number 1, whose owner is in the next batch; so is a thread's reply."""
    milestones = [
        {"title": "theirs", "iid": 9, "group_id": 5},
        *({"title": f"m{number}", "iid": number} for number in range(2, 101)),
        {"title": "ours", "iid": 1, "project_id": 3},
    ]
    note = {
        "noteable_type": "Commit", "commit_id": "b" * 40, "author_id": 1, "author": {"name": "A"},
        "created_at": MOMENT, "updated_at": MOMENT,
    }  # fmt: skip
    thread = {**note, "type": "DiscussionNote", "discussion_id": THREAD}
    remarks = [{**note, "note": str(number), "discussion_id": f"{number:040x}"} for number in range(99)]
    return archive(
        milestones=milestones, commit_notes=[{**thread, "note": "first"}, *remarks, {**thread, "note": "reply"}]
    )


def ended(owner: Person, project_id: int) -> dict[str, Any]:
    for _ in range(6000):
        record: dict[str, Any] = owner.client.ok("GET", f"/projects/{project_id}/import")
        if record["import_status"] not in ("scheduled", "started"):
            return record
        time.sleep(0.05)
    raise AssertionError("the import did not end")


@pytest.mark.parametrize("relation", ["milestones", "commit_notes"])
def test_an_import_killed_between_two_batches_ends_as_if_nothing_had_been(
    place: tuple[World, str, Path], relation: str
) -> None:
    world, url, data = place
    owner = world.user()
    created = upload(owner, content(), path="killed").json()
    options = ["worker", "--data", str(data), "--database-url", url]
    environment = {**os.environ, "PYTHONPATH": "src"}
    dying = subprocess.run(
        [sys.executable, "-c", DYING, *options, relation],
        env=environment,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert dying.returncode == -signal.SIGKILL, dying.stderr.decode()
    services = world.server.services
    with services.db.read() as conn:
        done = conn.execute(select(import_progress).where(import_progress.c.relation == relation)).one()
    assert (done.next_line, done.stored) == (100, 100)

    with services.db.read() as conn:
        be_silent_for_long(services.db, conn.execute(select(workers.c.pid)).scalar_one())
    with subprocess.Popen([sys.executable, "-m", "ingot", *options], env=environment) as healthy:
        try:
            record = ended(owner, created["id"])
        finally:
            healthy.terminate()

    assert (record["import_status"], record["failed_relations"]) == ("finished", [])
    listed = owner.client.get(f"/projects/{created['id']}/milestones", per_page=100, search="ours").json()
    assert [one["iid"] for one in listed] == [1]
    listed = owner.client.get(f"/projects/{created['id']}/milestones", per_page=100, search="theirs").json()
    assert [one["iid"] for one in listed] == [101]
    with services.db.read() as conn:
        starts = select(func.count()).where(notes.c.project_id == created["id"], notes.c.starts_thread)
        assert conn.execute(starts).scalar_one() == 100
        left = select(func.count()).where(archive_leftovers.c.project_id == created["id"])
        assert conn.execute(left).scalar_one() == 0
