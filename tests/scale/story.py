"""A mixed load on a cluster, from its first call to what is wrong in the end."""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from ingot.kit.db import Database
from ingot.kit.jobs import enqueue, measure
from tests.scale import worker as steps
from tests.scale.changes import CHANGES
from tests.scale.checks import check_steps
from tests.scale.cluster import TOKEN, Cluster
from tests.scale.findings import complaints, findings
from tests.scale.ledger import Ledger
from tests.scale.load import Client, Load, Thread, available
from tests.scale.more_load import do_a_job, over_ssh, push_large_file, run_pipeline, with_hook
from tests.support import plain_http
from tests.support.receiver import Receiver
from tests.support.waiting import until

SETTINGS = {"INGOT_JOB_REQUEST_WAIT": "0", "INGOT_SSH": "on"}
PAUSE = 0.6
# What callers are told of work that has not ended, or that a call did whose answer was lost.
EXPECTED = {
    "download": (404,),
    "ci file": (400,),
    "log": (416,),
    "artifacts": (400,),
    "job end": (403,),
}


class Story:
    """Everybody who works on a cluster with `SETTINGS`, and what they were promised."""

    def __init__(self, cluster: Cluster, receiver: Receiver) -> None:
        self.cluster, self._receiver = cluster, receiver
        self.ledger = Ledger()
        self.database = Database(cluster.database_url)
        permit_local_hooks(cluster)
        self._actions = [*available(cluster.urls), run_pipeline, with_hook(receiver.url), push_large_file]
        self._actions += [over_ssh(cluster, cluster.folder), *CHANGES]

    @contextmanager
    def working(self, threads: int) -> Iterator[Load]:
        """People do everything, and workers take steps that can be counted, until the block ends."""
        steps.traces.metadata.create_all(self.database.writer)
        ended = threading.Event()
        queueing = threading.Thread(target=self._queue_steps, args=(ended,), daemon=True)
        queueing.start()
        try:
            with Load(self.cluster.urls, self.ledger, self._actions, threads) as load:
                yield load
        finally:
            ended.set()
            queueing.join()

    def pause(self, choice: random.Random) -> None:
        """A random moment, with something done meanwhile: on a slow machine all would only start for ever."""
        before = self.ledger.acknowledged
        time.sleep(choice.uniform(0, 2 * PAUSE))
        patience = time.monotonic() + 20.0
        while self.ledger.acknowledged < before + 2 and time.monotonic() < patience:
            time.sleep(0.05)

    def findings(self) -> dict[str, list[str]]:
        """What is wrong, by kind, now that everything runs and the load has ended."""
        for number in range(len(self.cluster.nodes)):
            self.cluster.wait_ready(number)
        finish_pipelines(self.cluster, self.ledger)
        result = findings(self.cluster, self.database, self.ledger, self._receiver)
        more = {
            "steps": complaints(lambda: check_steps(self.database)),
            "never done": self.ledger.never_done(),
            "refused": [
                f"{key}: {said}" for key, said in self.ledger.refusals.items() if key[1] not in EXPECTED.get(key[0], ())
            ],
        }
        return result | {name: found for name, found in more.items() if found}

    def takeovers(self) -> int:
        """How often a worker went on with what another had begun."""
        with self.database.read() as tx:
            return measure(tx).total("takeover")

    def given_up(self) -> list[str]:
        """Background work that failed for good, and why."""
        statement = "SELECT key, faults, takeovers, error FROM background_jobs WHERE state = 'failed' ORDER BY id"
        with self.database.read() as conn:
            return [str(tuple(row)) for row in conn.execute(text(statement))]

    def close(self) -> None:
        self.database.dispose()

    def _queue_steps(self, ended: threading.Event) -> None:
        number = 0
        while not ended.wait(0.5):
            number += 1
            try:
                with self.database.write() as tx:
                    enqueue(tx, steps.KIND, key=f"steps-{number}")
            except SQLAlchemyError:
                pass  # the database is away


def permit_local_hooks(cluster: Cluster) -> None:
    """Hooks to this machine, and exports and imports as fast as they come."""
    changed = plain_http.put(
        f"{cluster.urls[0]}/api/v4/application/settings",
        headers={"PRIVATE-TOKEN": TOKEN},
        json={
            "allow_local_requests_from_web_hooks_and_services": True,
            "project_export_limit": 0,
            "project_import_limit": 0,
            "project_download_export_limit": 0,
        },
    )
    assert changed.status_code == 200, changed.text


def finish_pipelines(cluster: Cluster, ledger: Ledger) -> None:
    """Do what jobs are left."""
    runner = Thread(Client(cluster.urls, ledger), ledger, [])
    until(lambda: not do_a_job(runner))
    runner.client.close()
