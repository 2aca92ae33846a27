"""Workers that die or pause: their jobs go on elsewhere, once, and nothing is done twice."""

import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from ingot.kit.db import Database
from ingot.kit.jobs import JobWorker, enqueue, liveness, measure
from ingot.kit.jobs.counting import database_now
from ingot.kit.jobs.ownership import claim, fence, record_step
from ingot.kit.jobs.roster import Roster
from ingot.kit.jobs.tables import jobs
from tests.kit.jobs.conftest import WorkerProcess
from tests.kit.jobs.test_queue import queue, state, words
from tests.support.silence import be_silent_for_long, pause_for_long
from tests.support.waiting import until

Start = Callable[..., JobWorker]
Spawn = Callable[..., WorkerProcess]


def takeovers(db: Database) -> int:
    with db.read() as tx:
        return measure(tx).total("takeover")


def test_a_killed_worker_s_job_goes_on_from_its_last_step_elsewhere_once(
    db: Database, start: Start, spawn: Spawn, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    queue(db, "test_steps", "a", gate=str(gate))
    process = spawn()
    until(lambda: "third-began" in words(db))

    process.signal(signal.SIGKILL)
    process.popen.wait()
    be_silent_for_long(db, process.popen.pid)
    start()
    start()
    until(lambda: words(db).count("third-began") == 2)
    gate.touch()

    until(lambda: state(db, "a") == "done")
    assert words(db) == ["first", "second", "third-began", "third-began", "third"]
    assert takeovers(db) == 1


def test_a_worker_paused_beyond_its_lease_does_nothing_twice(
    db: Database, start: Start, spawn: Spawn, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    queue(db, "test_paused", "a", gate=str(gate))
    process = spawn()
    until(lambda: words(db) == ["began", "entered"])

    pause_for_long(db, process.popen.pid)
    start()
    until(lambda: words(db) == ["began", "entered", "entered"])
    gate.touch()
    until(lambda: state(db, "a") == "done")
    process.signal(signal.SIGCONT)
    # The paused process comes back, finds its job gone at its next beat, and takes new work under a new name.
    until(lambda: workers_alive(db) == 2)

    assert words(db) == ["began", "entered", "entered", "effect"]
    assert takeovers(db) == 1


def test_a_worker_that_slept_through_its_lease_knows_it() -> None:
    roster = Roster(lease=60.0)

    roster.last_beat = time.monotonic() - 61
    assert not roster.is_live()
    roster.last_beat = time.monotonic()
    assert roster.is_live()


def workers_alive(db: Database) -> int:
    with db.read() as tx:
        return measure(tx).workers


def test_a_paused_worker_that_continues_first_cannot_write_over_the_new_one(
    db: Database, start: Start, spawn: Spawn, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    queue(db, "test_paused", "a", gate=str(gate))
    process = spawn()
    until(lambda: words(db) == ["began", "entered"])

    pause_for_long(db, process.popen.pid)
    start()
    until(lambda: words(db) == ["began", "entered", "entered"])
    process.signal(signal.SIGCONT)
    gate.touch()

    until(lambda: state(db, "a") == "done")
    until(lambda: workers_alive(db) == 2)
    assert words(db).count("effect") == 1
    assert takeovers(db) == 1


def test_a_worker_that_signs_off_leaves_its_jobs_to_others_at_once(
    db: Database, start: Start, spawn: Spawn, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    queue(db, "test_steps", "a", gate=str(gate))
    process = spawn()
    until(lambda: "third-began" in words(db))

    process.signal(signal.SIGTERM)
    process.popen.wait()
    gate.touch()
    start()

    until(lambda: state(db, "a") == "done")
    assert takeovers(db) == 0


def test_eight_claimers_get_each_job_exactly_once(db: Database) -> None:
    with db.write() as tx:
        for number in range(200):
            enqueue(tx, "test_note", key=f"n{number}", args={"word": str(number)})

    def take(name: str) -> list[int]:
        got: list[int] = []
        while True:
            with db.write() as tx:
                claims = claim(tx, name, ["test_note"], 3)
            if not claims:
                return got
            got.extend(one.job_id for one in claims)

    with ThreadPoolExecutor(8) as pool:
        taken = [job_id for part in pool.map(take, [f"w{number}" for number in range(8)]) for job_id in part]

    assert len(taken) == len(set(taken)) == 200
    with db.read() as tx:
        assert tx.execute(sa.select(sa.func.max(jobs.c.attempts))).scalar_one() == 1


def make_due(db: Database) -> None:
    """As if its pause were over."""
    with db.write() as tx:
        tx.execute(sa.update(jobs).values(run_after=jobs.c.created_at))


def test_a_job_that_kills_each_worker_is_given_up(db: Database) -> None:
    queue(db, "test_hopeless", "a")
    pauses = []
    for _ in range(liveness.MAX_TAKEOVERS + 1):
        make_due(db)
        with db.write() as tx:
            worker = liveness.register(tx)
            assert len(claim(tx, worker, ["test_hopeless"], 1)) == 1
        with db.write() as tx:
            begun = database_now(tx)
            assert liveness.take_over(tx, worker, limit=-1.0) == 1
            pauses.append(tx.execute(sa.select(jobs.c.run_after)).scalar_one() - begun)

    # It waits longer each time, so that it does not keep workers from other work.
    assert all(pause >= timedelta(seconds=seconds) for pause, seconds in zip(pauses, (0, 1, 2, 4, 8), strict=False))
    assert state(db, "a") == "failed"
    assert words(db) == [f"failed: {liveness.WORN_OUT}"]


def test_a_job_that_gets_on_may_lose_any_number_of_workers(db: Database) -> None:
    queue(db, "test_hopeless", "a")
    for number in range(2 * liveness.MAX_TAKEOVERS):
        make_due(db)
        with db.write() as tx:
            worker = liveness.register(tx)
            [one] = claim(tx, worker, ["test_hopeless"], 1)
            record_step(tx, one, str(number), None)
        with db.write() as tx:
            assert liveness.take_over(tx, worker, limit=-1.0) == 1

    assert state(db, "a") == "queued"


def test_a_claim_whose_answer_was_lost_is_queued_again(db: Database, start: Start) -> None:
    worker = start(lease=12.0)  # it looks every two seconds at what is booked
    until(lambda: worker.name is not None)
    with db.write() as tx:
        enqueue(tx, "test_note", key="a", args={"word": "found"})
        assert len(claim(tx, str(worker.name), ["test_note"], 1)) == 1

    until(lambda: state(db, "a") == "done")

    assert words(db) == ["found"]


@pytest.mark.postgres  # on SQLite a paused writer holds back every other writer
def test_a_job_locked_by_a_paused_transaction_is_left_for_the_next_look(db: Database) -> None:
    queue(db, "test_note", "locked", word="x")
    queue(db, "test_note", "free", word="y")
    with db.write() as tx:
        worker = liveness.register(tx)
        locked, _ = claim(tx, worker, ["test_note"], 2)
    paused = db.writer.connect()
    fence(paused, locked)

    with db.write() as tx:
        assert liveness.take_over(tx, worker, limit=-1.0) == 1
    assert state(db, "locked") == "running"
    paused.rollback()
    paused.close()

    with db.write() as tx:
        assert liveness.take_over(tx, worker, limit=-1.0) == 1
    assert (state(db, "locked"), state(db, "free"), takeovers(db)) == ("queued", "queued", 2)
