"""Archives of groups tell how far they are: stages, groups, records, and what was left out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from ingot.features.transfer.group_archives import cancel_import, export_state, import_state
from ingot.features.transfer.group_archives.commands import EXPORT
from ingot.identity.authentication import actor_of_user, user_by_name_or_id
from ingot.kit.clock import now
from ingot.kit.errors import Conflict
from ingot.kit.jobs.tables import jobs, progress
from tests.features.transfer.group_archives.test_group_archives import imported, packed
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

ROOT = '{"id": 1, "name": "Root", "path": "root"}'
BELOW = '{"id": 2, "name": "Below", "path": "below", "parent_id": 1}'
LABELS = '{"title": "Bug", "color": "#112233"}\n{"title": "Bug", "color": "#445566"}\n{"title": ""}\n'
MEMBERS = '{"access_level": 30, "user": {"id": 999999, "username": "nobody"}}\n'
ARCHIVE = packed(
    {
        "VERSION": "0.2.4",
        "tree/groups/_all.ndjson": "1\n2\n",
        "tree/groups/1.json": ROOT,
        "tree/groups/2.json": BELOW,
        "tree/groups/1/labels.ndjson": LABELS,
        "tree/groups/2/members.ndjson": MEMBERS,
    }
)


@pytest.fixture
def idle(databases: Databases, tmp_path: Path) -> Iterator[World]:
    """A world whose background jobs wait."""
    with RunningServer(databases.fresh(tmp_path), tmp_path, worker=False) as server:
        yield World(server)


def set_job(world: World, key: str, state: str, **counters: object) -> None:
    """Let the job look as it does while a worker has it."""
    with world.server.services.db.write() as tx:
        number = tx.execute(select(jobs.c.id).where(jobs.c.key == key)).scalar_one()
        tx.execute(update(jobs).where(jobs.c.id == number).values(state=state))
        tx.execute(insert(progress).values(job_id=number, counters=counters, updated_at=now()))


def test_a_running_export_tells_groups_records_and_time(idle: World) -> None:
    owner = idle.user()
    group = idle.group(owner)
    owner.client.ok("POST", f"/groups/{group['id']}/export")
    db = idle.server.services.db
    with db.read() as conn:
        waiting = export_state(conn, group["id"], owner.id)
    assert waiting.progress is not None
    assert [stage.state for stage in waiting.progress.stages] == ["later", "later"]

    with db.read() as conn:
        [key] = conn.execute(
            select(jobs.c.key).where(jobs.c.kind == EXPORT, jobs.c.subject == f"group:{group['id']}")
        ).scalars()
    pace = {"what": "records", "bytes": 3, "bytes_total": 12, "bytes_before": 0, "since": 100.0, "at": 130.0}
    set_job(idle, key, "running", stage="records", parts=3, parts_total=12, records=40, bytes_written=2048, **pace)
    with db.read() as conn:
        running = export_state(conn, group["id"], owner.id)
    assert running.progress is not None
    assert [stage.state for stage in running.progress.stages] == ["now", "later"]
    assert (running.word, running.progress.counted.parts, running.progress.seconds_left) == ("started", 3, 90)


def test_an_import_compares_what_the_archive_holds_with_what_is_stored(world: World) -> None:
    owner = world.user()
    group = imported(world, owner, ARCHIVE)
    with world.server.services.db.read() as conn:
        state = import_state(conn, group["id"])
    assert state is not None
    assert (state.word, state.groups, state.groups_total) == ("finished", 2, 2)
    assert [stage.state for stage in state.progress.stages] == ["done"] * 3
    assert state.relations == [("groups", 2, 2), ("labels", 3, 1), ("members", 1, 0)]


def test_an_import_is_cancelled_once_and_says_by_whom(idle: World) -> None:
    owner = idle.user()
    name = idle.name("cancelled")
    data = {"name": name, "path": name}
    owner.client.post("/groups/import", data=data, files={"file": ("a.tar.gz", ARCHIVE)})
    group = owner.client.ok("GET", f"/groups/{name}")
    services = idle.server.services

    with services.db.write() as tx:
        user = user_by_name_or_id(tx, owner.username)
        assert user is not None
        cancel_import(tx, group["id"], actor_of_user(user))
    with services.db.write() as tx, pytest.raises(Conflict):
        cancel_import(tx, group["id"], actor_of_user(user))

    with services.db.read() as conn:
        state = import_state(conn, group["id"])
    assert state is not None
    assert (state.word, state.error) == ("canceled", f"@{owner.username} cancelled the import.")


def test_an_import_whose_job_was_cancelled_elsewhere_does_not_wait_for_ever(idle: World) -> None:
    owner = idle.user()
    name = idle.name("left")
    data = {"name": name, "path": name}
    owner.client.post("/groups/import", data=data, files={"file": ("a.tar.gz", ARCHIVE)})
    group = owner.client.ok("GET", f"/groups/{name}")
    services = idle.server.services
    with services.db.write() as tx:
        tx.execute(update(jobs).where(jobs.c.subject == f"group:{group['id']}").values(state="cancelled"))

    with services.db.read() as conn:
        state = import_state(conn, group["id"])
    assert state is not None
    assert (state.word, state.error) == ("failed", "The import stopped unexpectedly.")
