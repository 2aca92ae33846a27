"""Counts that a process writes together, later."""

import threading
from collections import Counter
from collections.abc import Mapping

import pytest
from sqlalchemy.exc import OperationalError

from ingot.kit.pending_counts import PendingCounts
from tests.support.waiting import until

NEVER = 3600.0  # seconds


class Recorded:
    """What the database was told, and how often; `faults` are raised first."""

    def __init__(self, *faults: Exception) -> None:
        self.counts: Counter[str] = Counter()
        self.writes = 0
        self._faults = list(faults)

    def __call__(self, counts: Mapping[str, int]) -> None:
        if self._faults:
            raise self._faults.pop()
        self.counts.update(counts)
        self.writes += 1


def test_many_are_written_at_once() -> None:
    recorded = Recorded()
    counts = PendingCounts(recorded, NEVER)

    for key in ("ada", "ben", "ada"):
        counts.add(key)
    assert recorded.writes == 0
    counts.write()
    counts.write()

    assert recorded.counts == {"ada": 2, "ben": 1}
    assert recorded.writes == 1


def test_they_are_written_by_themselves() -> None:
    recorded = Recorded()
    counts = PendingCounts(recorded, 0.01)

    for total in (1, 2):
        counts.add("ada")
        until(lambda total=total: recorded.counts["ada"] == total)  # type: ignore[misc]


def test_what_the_database_does_not_take_is_written_later() -> None:
    recorded = Recorded(OperationalError("INSERT", None, Exception("the server is away")))
    counts = PendingCounts(recorded, NEVER)

    counts.add("ada")
    counts.write()
    assert recorded.writes == 0
    counts.add("ada")
    counts.write()

    assert recorded.counts == {"ada": 2}


def test_a_fault_of_the_program_is_raised_and_loses_nothing() -> None:
    recorded = Recorded(ValueError("unknown key"))
    counts = PendingCounts(recorded, NEVER)

    counts.add("ada")
    with pytest.raises(ValueError, match="unknown key"):
        counts.write()
    counts.write()

    assert recorded.counts == {"ada": 1}


def test_whoever_writes_waits_for_those_who_write_already() -> None:
    begun, may_end, recorded = threading.Event(), threading.Event(), Recorded()

    def record(counts: Mapping[str, int]) -> None:
        begun.set()
        assert may_end.wait(60)
        recorded(counts)

    counts = PendingCounts(record, NEVER)
    counts.add("ada")
    first, second = (threading.Thread(target=counts.write) for _ in range(2))
    first.start()
    assert begun.wait(60)
    second.start()
    counts.add("ben")  # does not wait
    assert second.is_alive()
    may_end.set()
    for thread in (first, second):
        thread.join()

    assert recorded.counts == {"ada": 1, "ben": 1}


def test_forgotten_counts_are_never_written() -> None:
    recorded = Recorded()
    counts = PendingCounts(recorded, NEVER)

    counts.add("ada")
    counts.forget()
    counts.write()

    assert recorded.writes == 0
