"""Work that several ask for at a time is done once, and goes on beside those who wait only for a moment."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from ingot.gitstore.errors import CommandFailed, Killed, NotYet, Overloaded
from ingot.gitstore.shared_work import (
    FAULT_HOLDS,
    MOST_BESIDE,
    MOST_OF_CALLER,
    MOST_UNCLAIMED,
    _works,
    briefly,
    shared,
)
from tests.support.waiting import until


class Slow:
    """Work that takes until it is let go."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.times = 0
        self.error = error
        self.begun, self.let_go = threading.Event(), threading.Event()

    def __call__(self) -> int:
        self.times += 1
        self.begun.set()
        assert self.let_go.wait(60)
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return self.times


def is_late(key: str, work: Callable[[], object], caller: str = "one") -> bool:
    """Whether a page would have to do without."""
    with briefly(caller, 0.001):
        try:
            shared(key, work)
        except NotYet:
            return True
    return False


@pytest.fixture
def others() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as threads:
        yield threads


def asked_by_three(others: ThreadPoolExecutor, key: str, work: Slow) -> list[Future[int]]:
    """One does the work, and two more wait for it."""
    first = others.submit(shared, key, work)
    assert work.begun.wait(60)
    entered = threading.Barrier(3)

    def ask() -> int:
        entered.wait(60)
        return shared(key, work)

    more = [others.submit(ask) for _ in range(2)]
    entered.wait(60)
    return [first, *more]


def test_work_is_done_once_for_all_who_ask_meanwhile(others: ThreadPoolExecutor) -> None:
    work = Slow()
    assert is_late("once", work)

    calls = [others.submit(shared, "once", work) for _ in range(3)]
    assert is_late("once", work)
    work.let_go.set()

    assert {call.result(60) for call in calls} <= {1, 2}  # who came when it was over did it again
    assert work.times <= 2


def test_a_page_gets_later_what_took_longer_than_a_moment() -> None:
    work = Slow()
    assert [is_late("later", work) for _ in range(3)] == [True] * 3
    work.let_go.set()

    until(lambda: not is_late("later", work))

    assert work.times == 1


def test_an_error_is_told_to_whoever_asks_next() -> None:
    work = Slow(CommandFailed(["log"], 128, "broken"))
    assert is_late("error", work)
    work.let_go.set()
    until(lambda: "git-beside" not in {thread.name for thread in threading.enumerate()})

    with pytest.raises(CommandFailed):
        shared("error", work)

    assert shared("error", work) == 2


def test_a_fault_that_passes_is_soon_forgotten() -> None:
    work = Slow(Killed())
    assert is_late("fault", work)
    work.let_go.set()
    until(lambda: "git-beside" not in {thread.name for thread in threading.enumerate()})
    _works["fault"].ended_at -= FAULT_HOLDS

    assert shared("fault", work) == 2


def test_who_waits_for_a_request_that_was_ended_does_the_work(others: ThreadPoolExecutor) -> None:
    work = Slow(Overloaded())

    first, *more = asked_by_three(others, "ended", work)
    work.let_go.set()

    with pytest.raises(Overloaded):
        first.result(60)
    assert all(call.result(60) >= 2 for call in more)


def test_nobody_has_much_work_beside_his_requests(others: ThreadPoolExecutor) -> None:
    works = [Slow() for _ in range(MOST_OF_CALLER)]
    assert all(is_late(f"much {number}", work) for number, work in enumerate(works))

    next_one = Slow()
    waits = others.submit(is_late, "one more", next_one)
    assert next_one.begun.wait(60)
    other = Slow()
    assert is_late("of another", other, "other")
    assert not waits.done()

    for work in (*works, next_one, other):
        work.let_go.set()
    assert not waits.result(60)


def test_all_together_have_only_so_much_beside(others: ThreadPoolExecutor) -> None:
    works = [Slow() for _ in range(MOST_BESIDE)]
    assert all(is_late(f"all {number}", work, f"caller {number}") for number, work in enumerate(works))

    next_one = Slow()
    waits = others.submit(is_late, "too many", next_one, "late caller")
    assert next_one.begun.wait(60)
    assert not waits.done()

    for work in (*works, next_one):
        work.let_go.set()
    assert not waits.result(60)
    until(lambda: "git-beside" not in {thread.name for thread in threading.enumerate()})
    claimed = [shared(f"all {number}", work) for number, work in enumerate(works)]
    assert claimed == [2] * (MOST_BESIDE - MOST_UNCLAIMED) + [1] * MOST_UNCLAIMED
