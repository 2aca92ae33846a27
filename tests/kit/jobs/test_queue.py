"""Queueing: in the caller's transaction, once per key, cancelled, tried again, kept for a while."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from ingot.kit.clock import now
from ingot.kit.db import Database
from ingot.kit.jobs import JobWorker, NotRetryable, cancel, enqueue, find_job, list_jobs, measure, retention, retry
from ingot.kit.jobs.ownership import Claim, claim
from ingot.kit.jobs.tables import jobs
from tests.kit.jobs import kinds
from tests.support.waiting import until

Start = Callable[..., JobWorker]


def state(db: Database, key: str) -> str:
    with db.read() as tx:
        result = find_job(tx, key)
    return "absent" if result is None else result.state


def words(db: Database) -> list[str]:
    with db.read() as tx:
        return kinds.words(tx)


def queue(db: Database, kind: str, key: str, **args: object) -> int:
    with db.write() as tx:
        return enqueue(tx, kind, key=key, args=args)


def test_a_job_of_a_rolled_back_transaction_does_not_exist(db: Database, start: Start) -> None:
    def write_and_fail() -> None:
        with db.write() as tx:
            enqueue(tx, "test_note", key="a", args={"word": "lost"})
            raise KeyError

    with pytest.raises(KeyError):
        write_and_fail()
    start()
    queue(db, "test_note", "b", word="kept")

    until(lambda: state(db, "b") == "done")

    assert state(db, "a") == "absent"
    assert words(db) == ["kept"]


def test_the_same_key_is_one_job_until_it_has_ended(db: Database, start: Start) -> None:
    first = queue(db, "test_note", "a", word="one")
    assert queue(db, "test_note", "a", word="two") == first
    start()
    until(lambda: state(db, "a") == "done")

    assert queue(db, "test_note", "a", word="three") != first
    until(lambda: words(db) == ["one", "three"])


def test_a_duplicate_key_leaves_the_callers_transaction_usable(db: Database) -> None:
    queue(db, "test_note", "a", word="one")

    with db.write() as tx:
        enqueue(tx, "test_note", key="a", args={"word": "two"})
        kinds.note(tx, "row")

    assert words(db) == ["row"]


def test_work_asked_for_again_while_it_runs_runs_once_more(db: Database, start: Start, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    first = queue(db, "test_gate", "refresh", gate=str(gate))
    start()
    until(lambda: words(db) == ["read"])

    again = [ask_again(db, gate) for _ in range(3)]
    assert len(set(again)) == 1
    assert again[0] != first
    assert words(db) == ["read"]
    gate.touch()

    until(lambda: len(done(db, "refresh")) == 2)
    assert words(db) == ["read", "read"]


def ask_again(db: Database, gate: Path) -> int:
    with db.write() as tx:
        return enqueue(tx, "test_gate", key="refresh", args={"gate": str(gate)}, rerun=True)


def done(db: Database, key: str) -> list[int]:
    with db.read() as tx:
        return list(tx.execute(sa.select(jobs.c.id).where(jobs.c.key == key, jobs.c.state == "done")).scalars())


def test_a_job_given_back_takes_up_the_request_that_waited_for_it(db: Database, start: Start, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    queue(db, "test_gate", "refresh", gate=str(gate))
    first = start()
    until(lambda: words(db) == ["read"])
    ask_again(db, gate)

    first.stop(grace=0.0)
    with db.read() as tx:
        assert [one.state for one in list_jobs(tx, kind="test_gate")] == ["queued"]
    gate.touch()
    start()

    until(lambda: len(done(db, "refresh")) == 1)
    assert words(db) == ["read", "read"]


@pytest.mark.postgres  # on SQLite nobody claims while somebody writes
def test_a_waiting_job_is_not_begun_before_the_request_for_it_is_committed(db: Database) -> None:
    queue(db, "test_note", "refresh", word="x")
    with db.write() as tx:
        enqueue(tx, "test_note", key="refresh", args={"word": "x"}, rerun=True)
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(claim_one, db).result() == []

    assert len(claim_one(db)) == 1


def claim_one(db: Database) -> list[Claim]:
    with db.write() as tx:
        return claim(tx, "w", ["test_note"], 1)


def test_an_unknown_kind_is_refused(db: Database) -> None:
    with pytest.raises(LookupError), db.write() as tx:
        enqueue(tx, "test_nothing")


def test_a_job_waits_for_its_time(db: Database, start: Start) -> None:
    with db.write() as tx:
        enqueue(tx, "test_note", key="later", args={"word": "later"}, run_after=now() + timedelta(hours=1))
    start()
    queue(db, "test_note", "soon", word="soon")

    until(lambda: state(db, "soon") == "done")

    assert state(db, "later") == "queued"


def test_cancelling_a_subject_ends_queued_and_running_jobs(db: Database, start: Start, tmp_path: Path) -> None:
    cleaned = tmp_path / "cleaned"
    with db.write() as tx:
        enqueue(tx, "test_long", key="running", args={"cleaned": str(cleaned)}, subject="project:1")
        enqueue(tx, "test_long", key="other", subject="project:2")
        later = now() + timedelta(hours=1)
        enqueue(tx, "test_long", key="waiting", subject="project:1", run_after=later)
    start()
    until(lambda: state(db, "running") == state(db, "other") == "running")

    with db.write() as tx:
        assert cancel(tx, subject="project:1") == 2

    until(cleaned.exists)
    assert (state(db, "running"), state(db, "waiting"), state(db, "other")) == ("cancelled", "cancelled", "running")


def test_a_cancelled_run_can_write_nothing_more(db: Database, start: Start, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    queue(db, "test_paused", "a", gate=str(gate))
    start()
    until(lambda: words(db) == ["began", "entered"])

    with db.write() as tx:
        cancel(tx, key="a")
    gate.touch()
    queue(db, "test_note", "b", word="later")
    until(lambda: state(db, "b") == "done")

    assert words(db) == ["began", "entered", "later"]


def test_counters_can_be_read_while_the_job_runs(db: Database, start: Start) -> None:
    queue(db, "test_long", "a")
    start()

    def counters() -> object:
        with db.read() as tx:
            result = find_job(tx, "a")
        return result and result.counters

    until(lambda: counters() == {"done": 1, "total": 10, "label": "notes"})


def test_a_failed_job_is_listed_and_can_be_tried_again(db: Database, start: Start) -> None:
    failed = queue(db, "test_hopeless", "a")
    worker = start()
    until(lambda: state(db, "a") == "failed")
    worker.stop()
    with db.read() as tx:
        [view] = list_jobs(tx, state="failed")
    assert (view.id, view.error, view.attempts) == (failed, "The archive is broken.", 1)

    with db.write() as tx:
        retry(tx, failed)

    assert state(db, "a") == "queued"
    with pytest.raises(NotRetryable), db.write() as tx:
        retry(tx, failed)


def test_a_job_whose_key_is_queued_again_is_not_retried(db: Database) -> None:
    first = queue(db, "test_note", "a", word="one")
    with db.write() as tx:
        cancel(tx, job_id=first)
    queue(db, "test_note", "a", word="two")

    with pytest.raises(NotRetryable), db.write() as tx:
        retry(tx, first)


def test_ended_jobs_are_deleted_after_their_time(db: Database) -> None:
    ids = {name: queue(db, "test_note", name, word=name) for name in ("old", "new", "failed", "open")}
    long_ago = now() - timedelta(days=retention.KEEP_DAYS + 1)
    with db.write() as tx:
        for name, moment, word in (("old", long_ago, "done"), ("new", now(), "done"), ("failed", long_ago, "failed")):
            tx.execute(sa.update(jobs).where(jobs.c.id == ids[name]).values(state=word, ended_at=moment))
        retention.delete_batch(tx)

    assert [state(db, name) for name in ids] == ["absent", "done", "failed", "queued"]


def test_figures_tell_depth_age_and_failures(db: Database, start: Start) -> None:
    queue(db, "test_hopeless", "a")
    start()
    until(lambda: state(db, "a") == "failed")
    with db.write() as tx:
        enqueue(tx, "test_note", key="later", args={"word": "x"}, run_after=now() + timedelta(hours=1))

    with db.read() as tx:
        figures = measure(tx)

    assert figures.queued["test_note"] == 1
    assert figures.total("failed") == 1
    assert figures.workers == 1
    until(lambda: oldest_due(db) == 0.0)  # periodic work may be due for a moment


def oldest_due(db: Database) -> float:
    with db.read() as tx:
        return measure(tx).oldest_due_seconds
