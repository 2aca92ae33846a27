"""Deliveries under load and after a power cut: none is lost, none overtakes another, and nothing else waits."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from ingot.features.integrations.web_hooks.tables import web_hook_messages
from ingot.kit.clock import now
from ingot.kit.db import Database
from ingot.kit.jobs import JobWorker
from ingot.kit.jobs.tables import workers
from tests.features.integrations.web_hooks.conftest import Make
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.receiver import Receiver, running_receiver
from tests.support.server import ROOT_TOKEN
from tests.support.waiting import until
from tests.support.world import World

pytestmark = pytest.mark.costly


@pytest.fixture
def process(databases: Databases, tmp_path: Path) -> Iterator[tuple[ServerProcess, str]]:
    url = databases.fresh(tmp_path)
    with ServerProcess(url, tmp_path, INGOT_OUTBOUND_ALLOW_LOCAL="true", INGOT_WEBHOOK_TIMEOUT="600") as running:
        yield running, url


def test_a_power_cut_loses_no_delivery(process: tuple[ServerProcess, str], receiver: Receiver) -> None:
    server, database_url = process

    def call(method: str, path: str, body: dict[str, Any]) -> Any:
        headers = {"PRIVATE-TOKEN": ROOT_TOKEN}
        response = plain_http.request(method, f"{server.url}/api/v4{path}", json=body, headers=headers)
        response.raise_for_status()
        return response.json()

    place = f"/projects/{call('POST', '/projects', {'name': 'anvil'})['id']}"
    hook = {"url": f"{receiver.url}/held/cut/", "issues_events": True}
    call("POST", f"{place}/hooks", hook)
    issue = call("POST", f"{place}/issues", {"title": "0"})
    receiver.wait_for("/held/cut/")  # it is on its way, and its answer has not come
    for number in range(1, 5):
        call("PUT", f"{place}/issues/{issue['iid']}", {"title": str(number)})

    server.kill()
    database = Database(database_url)
    with database.write() as tx:
        tx.execute(update(workers).values(beat_at=now() - timedelta(hours=1)))  # as after the lease
    database.dispose()
    receiver.release()
    server.start()

    arrived = receiver.wait_for("/held/cut/", 6)
    titles = [one.body["object_attributes"]["title"] for one in arrived]
    assert titles == ["0", "0", "1", "2", "3", "4"]
    assert arrived[0].headers["Idempotency-Key"] == arrived[1].headers["Idempotency-Key"]
    assert len({one.headers["Idempotency-Key"] for one in arrived}) == 5


@pytest.fixture
def silent() -> Iterator[Receiver]:
    """A receiver that nobody has released yet."""
    with running_receiver() as running:
        yield running


def test_receivers_that_do_not_answer_hold_up_nothing_else(
    make_hooked: Make, open_world: World, silent: Receiver
) -> None:
    """Many hooks whose receiver keeps silent; an export and another hook are done while they wait."""
    hooked = make_hooked("issues_events")
    client = hooked.owner.client
    slow = [open_world.project(hooked.owner) for _ in range(8)]
    for project in slow:
        body = {"url": f"{silent.url}/held/slow/{project['id']}", "issues_events": True}
        client.ok("POST", f"/projects/{project['id']}/hooks", json=body)
        for number in range(3):
            client.ok("POST", f"/projects/{project['id']}/issues", json={"title": str(number)})
    client.ok("POST", f"{hooked.place}/issues", json={"title": "Quick"})
    assert client.post(f"{hooked.place}/export").status_code == 202
    worker = JobWorker(open_world.server.services.db, open_world.server.services, concurrency=2)
    worker.start()
    try:
        hooked.receiver.wait_for(hooked.path)
        until(lambda: client.ok("GET", f"{hooked.place}/export")["export_status"] == "finished")
        # Nothing has been answered there, and what waits for one subject does not wait for another.
        until(lambda: _number_waiting(open_world) == 24)  # the quick one is forgotten a moment after it arrived
        silent.wait_for("/held/slow/", 24)
    finally:
        silent.release()
        worker.stop()
    open_world.server.run_jobs()
    assert _number_waiting(open_world) == 0


def _number_waiting(world: World) -> int:
    with world.server.services.db.read() as conn:
        return int(conn.execute(select(func.count()).select_from(web_hook_messages)).scalar_one())
