"""Counts of statements, git processes and object calls: over threads, over forks, and as text."""

import threading
from collections.abc import Callable, Iterator

import pytest

from ingot.kit import tallies
from ingot.kit.request_counts import Board, Counts, sum_of
from ingot.kit.tallies import FAILED, Tally


@pytest.fixture
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    """A name of its own: other tests of this process count as well."""
    return request.node.name.replace("_", "-")


def in_thread(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_threads_count_together_also_those_that_have_ended(name: str) -> None:
    for _ in range(tallies.MOST_CELLS + 5):
        in_thread(lambda: tallies.add("git", name, 0.5))
    tallies.add("git", name, 0.25)
    tallies.add("git", name, 1.0, FAILED)

    seen = tallies.totals()

    number = tallies.MOST_CELLS + 6
    assert seen["git", name, "ok"] == Tally(number, 0.5 * (number - 1) + 0.25)
    assert seen["git", name, "failed"] == Tally(1, 1.0)
    assert tallies.totals()["git", name, "ok"].number == number


def test_threads_that_count_at_once_lose_nothing(name: str) -> None:
    def work() -> None:
        for _ in range(2_000):
            tallies.add("object", name, 1.0)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        tallies.totals()

    assert tallies.totals()["object", name, "ok"] == Tally(16_000, 16_000.0)


def test_a_process_begins_with_what_its_predecessor_counted(name: str) -> None:
    before = tallies.totals()
    tallies.add("git", name, 2.0)

    tallies.begin_anew({("git", name, "ok"): Tally(40, 3.0)})
    tallies.add("git", name, 2.0)

    assert tallies.totals() == {("git", name, "ok"): Tally(41, 5.0)}
    tallies.begin_anew(before)


def test_processes_show_each_other_what_they_counted() -> None:
    board = Board(2)
    key = ("object", "get", "missing")
    board.write(0, Counts(seconds=1.0, tallies={key: Tally(2, 0.5)}))
    board.write(1, Counts(seconds=2.0, tallies={key: Tally(3, 0.25), ("ssh", "greeting", "ok"): Tally(1, 0.125)}))

    seen = sum_of([*board.read_others(0), *board.read_others(1)])

    assert seen.seconds == 3.0
    assert seen.tallies == {key: Tally(5, 0.75), ("ssh", "greeting", "ok"): Tally(1, 0.125)}


def test_text_has_numbers_and_seconds_of_each_part() -> None:
    lines = tallies.lines({("git", "log", "ok"): Tally(3, 0.5), ("job", "merge", "ok"): Tally(1, 1.0)})

    assert 'ingot_git_processes_total{command="log",result="ok"} 3' in lines
    assert 'ingot_git_process_seconds_total{command="log",result="ok"} 0.500000' in lines
    assert not any("merge" in line for line in lines)
    types = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert types == [name for metric in tallies.METRICS.values() for name in (metric.number, metric.seconds)]
