"""One attempt after another: steps, transient faults, final failures, time limits, graceful stop."""

import time
from collections.abc import Callable
from pathlib import Path

from ingot.kit.db import Database
from ingot.kit.jobs import JobWorker, measure
from tests.kit.jobs import kinds
from tests.kit.jobs.test_queue import queue, state, words
from tests.support.waiting import until

Start = Callable[..., JobWorker]


def test_transient_faults_are_tried_again_up_to_the_limit(db: Database, start: Start) -> None:
    queue(db, "test_flaky", "passes", faults=2)
    queue(db, "test_flaky", "stays", faults=9)
    start()

    until(lambda: state(db, "passes") == "done" and state(db, "stays") == "failed")

    assert sorted(words(db)) == ["after 2", "failed: A required service did not respond (Transient)."]
    with db.read() as tx:
        assert measure(tx).events["test_flaky", "retry"] == 4


def test_a_final_failure_tells_its_row_a_sentence(db: Database, start: Start) -> None:
    queue(db, "test_hopeless", "a")
    start()

    until(lambda: state(db, "a") == "failed")

    assert words(db) == ["failed: The archive is broken."]


def test_the_text_of_an_unexpected_fault_is_not_shown(db: Database, start: Start) -> None:
    queue(db, "test_hopeless", "a", secret="password=swordfish")
    start()

    until(lambda: state(db, "a") == "failed")

    assert words(db) == ["failed: An unexpected error stopped the job (ValueError)."]


def test_a_job_ends_even_when_telling_its_row_fails(db: Database, start: Start) -> None:
    queue(db, "test_bad_hook", "a")
    start()

    until(lambda: state(db, "a") == "failed")


def test_a_job_past_its_time_limit_fails(db: Database, start: Start) -> None:
    queue(db, "test_slow", "a")
    start()

    until(lambda: state(db, "a") == "failed")

    assert words(db) == ["failed: The job exceeded its time limit of 0.2 seconds."]


def test_the_time_of_all_attempts_is_counted(db: Database, start: Start) -> None:
    queue(db, "test_slow", "a")
    queue(db, "test_slow", "b")
    worker = start()

    until(lambda: state(db, "a") == state(db, "b") == "failed")
    worker.stop()

    with db.read() as tx:
        figures = measure(tx)
    assert figures.seconds["test_slow"] >= 0.4
    assert all(event != "milliseconds" for _, event in figures.events)


def test_a_stopped_worker_hands_its_job_on_with_the_steps_done(db: Database, start: Start, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    queue(db, "test_steps", "a", gate=str(gate))
    first = start()
    until(lambda: "third-began" in words(db))

    first.stop(grace=0.0)
    assert state(db, "a") == "queued"
    gate.touch()
    start()

    until(lambda: state(db, "a") == "done")
    assert words(db) == ["first", "second", "third-began", "third-began", "third"]


def test_a_job_of_a_kind_this_version_does_not_know_waits(db: Database, start: Start) -> None:
    job_id = queue(db, "test_note", "a", word="x")
    with db.write() as tx:
        tx.exec_driver_sql(f"UPDATE background_jobs SET kind = 'of_a_newer_version' WHERE id = {job_id}")
    start()
    queue(db, "test_note", "b", word="y")

    until(lambda: state(db, "b") == "done")

    assert state(db, "a") == "queued"


def test_work_queued_in_this_process_starts_at_once(db: Database, start: Start) -> None:
    """By itself, this worker would look again in an hour."""
    start(poll=3600.0)
    for key in ("warm", "a", "b"):
        queue(db, "test_note", key, word="x")
        until(lambda key=key: state(db, key) == "done")  # type: ignore[misc]


def test_periodic_work_runs_once_per_interval_over_all_workers(db: Database, start: Start) -> None:
    def ticks() -> int:
        with db.read() as tx:
            return kinds.ticks(tx)

    began = time.monotonic()
    for _ in range(2):
        start()

    until(lambda: ticks() >= 3)

    assert ticks() <= (time.monotonic() - began) / 0.5


def test_short_work_does_not_wait_behind_long_work(db: Database, start: Start, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    for number in range(5):
        queue(db, "test_long_lane", f"long-{number}", gate=str(gate))
    start(concurrency=4)
    until(lambda: [state(db, f"long-{number}") for number in range(5)].count("running") == 2)

    queue(db, "test_note", "short", word="short")
    until(lambda: state(db, "short") == "done")

    assert [state(db, f"long-{number}") for number in range(5)].count("queued") == 3
    gate.touch()
    until(lambda: all(state(db, f"long-{number}") == "done" for number in range(5)))
