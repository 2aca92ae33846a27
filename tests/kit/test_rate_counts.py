"""Requests counted by processes that tell the database now and then."""

from collections import Counter

import pytest

from ingot.kit.rate_counts import RateCounts

ENDLESS = 1_000_000_000  # seconds: no window begins while a test runs, before 2033


class _Told:
    """What the database was told, and how often."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.writes = 0

    def __call__(self, key: str, _starts_at: int, _period: int, number: int) -> int:
        self.counts[key] += number
        self.writes += 1
        return self.counts[key]


def test_one_process_refuses_at_the_limit_and_writes_little() -> None:
    told, counts = _Told(), RateCounts()

    seen = [counts.hit(told, "ada", ENDLESS, 1000).observed for _ in range(3000)]

    assert seen == list(range(1, 3001))
    assert told.counts["ada"] == 1001  # nothing is written beyond the limit
    assert told.writes < 200


def test_several_processes_refuse_nobody_too_soon_and_few_too_late() -> None:
    told, processes = _Told(), [RateCounts() for _ in range(4)]

    allowed = sum(processes[number % 4].hit(told, "ada", ENDLESS, 1000).observed <= 1000 for number in range(3000))

    assert 1000 <= allowed <= 1030


def test_small_limits_are_exact_over_all_processes() -> None:
    told, processes = _Told(), [RateCounts(), RateCounts()]

    seen = [processes[number % 2].hit(told, "ada", ENDLESS, 6).observed for number in range(8)]

    assert seen == [1, 2, 3, 4, 5, 6, 7, 8]


def test_an_event_loop_counts_only_what_need_not_be_told() -> None:
    told, counts = _Told(), RateCounts()
    assert counts.hit_in_memory("ada", ENDLESS, 1000) is None

    counts.hit(told, "ada", ENDLESS, 1000)
    seen = [counts.hit_in_memory("ada", ENDLESS, 1000) for _ in range(11)]

    assert [window.observed if window else None for window in seen] == [*range(2, 12), None]
    assert counts.hit(told, "ada", ENDLESS, 1000).observed == told.counts["ada"] == 12


def test_a_limit_that_was_raised_holds_at_once() -> None:
    told, counts = _Told(), RateCounts()
    for _ in range(20):
        counts.hit(told, "ada", ENDLESS, 10)

    assert counts.hit(told, "ada", ENDLESS, 1000).observed == 21


def test_what_could_not_be_told_is_told_later() -> None:
    told, counts = _Told(), RateCounts()

    def fail(*_: object) -> int:
        raise ConnectionError

    for _ in range(3):
        with pytest.raises(ConnectionError):
            counts.hit(fail, "ada", ENDLESS, 10)

    assert counts.hit(told, "ada", ENDLESS, 10).observed == 1  # those that failed did not happen
