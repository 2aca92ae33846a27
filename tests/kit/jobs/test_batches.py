"""Many short jobs: claimed and ended in batches, and never kept from a worker that has time for them."""

from collections.abc import Callable
from pathlib import Path

from ingot.kit.db import Database
from ingot.kit.jobs import JobWorker, enqueue, list_jobs, measure
from tests.kit.jobs import kinds
from tests.support.waiting import until

Start = Callable[..., JobWorker]


def queue_notes(db: Database, prefix: str, number: int, *, behind: Path | None = None) -> list[str]:
    names = [f"{prefix}{index}" for index in range(number)]
    with db.write() as tx:
        if behind is not None:
            enqueue(tx, "test_gate", args={"gate": str(behind)})
        for name in names:
            enqueue(tx, "test_note", args={"word": name})
    return names


def words(db: Database) -> list[str]:
    with db.read() as tx:
        return kinds.words(tx)


def states(db: Database) -> set[str]:
    with db.read() as tx:
        return {job.state for job in list_jobs(tx, kind="test_note", limit=1000)}


def test_many_jobs_run_once_each(db: Database, start: Start) -> None:
    names = queue_notes(db, "note ", 400)
    start(concurrency=4)
    until(lambda: states(db) == {"done"})

    assert sorted(words(db)) == sorted(names)
    with db.read() as tx:
        assert measure(tx).events["test_note", "done"] == len(names)


def test_jobs_behind_one_that_takes_long_go_to_another_worker(db: Database, start: Start, tmp_path: Path) -> None:
    first = start(concurrency=2)
    # Jobs that prove to be short are claimed ahead.
    warm_up = queue_notes(db, "short ", 60)
    until(lambda: len(words(db)) == len(warm_up))
    gate = tmp_path / "gate"
    behind = queue_notes(db, "behind ", 20, behind=gate)
    until(lambda: "read" in words(db))

    second = start(concurrency=2)
    until(lambda: set(behind) <= set(words(db)))

    assert first.name != second.name
    gate.touch()
    assert sorted(words(db)) == sorted([*warm_up, *behind, "read"])
