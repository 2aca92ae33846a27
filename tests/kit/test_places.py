"""Places for expensive work: how many there are, who waits, and who is refused."""

import asyncio

import pytest

from ingot.kit.places import LINE, NoPlace, Places

LONG = 120.0


class Work:
    """Holds a place until it is told to end."""

    def __init__(self, places: Places, caller: str, subject: str = "", address: str = "") -> None:
        self.has_begun = False
        self.end = asyncio.Event()
        self.task = asyncio.create_task(self._run(places, caller, subject, address))

    async def _run(self, places: Places, caller: str, subject: str, address: str) -> None:
        async with places.place(caller, subject, address):
            self.has_begun = True
            await self.end.wait()


async def settle() -> None:
    """Let every task run as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def begin(places: Places, *callers: str) -> list[Work]:
    works = [Work(places, caller) for caller in callers]
    await settle()
    return works


async def finish(*works: Work) -> None:
    for work in works:
        work.end.set()
    await asyncio.gather(*(work.task for work in works))


def test_a_caller_with_all_their_places_lets_others_pass() -> None:
    async def run() -> list[bool]:
        works = await begin(Places(3, 2, LONG), "a", "a", "a", "b")
        begun = [work.has_begun for work in works]
        await finish(*works)
        return begun

    assert asyncio.run(run()) == [True, True, False, True]


def test_a_subject_with_all_its_places_leaves_the_others_to_the_rest() -> None:
    async def run() -> tuple[list[bool], bool]:
        places = Places(4, 4, LONG, most_per_subject=2)
        guests = [("a", "x"), ("b", "x"), ("c", "x"), ("a", "y"), ("b", "")]
        works = [Work(places, caller, subject) for caller, subject in guests]
        await settle()
        begun = [work.has_begun for work in works]
        await finish(works[1])
        await settle()
        is_let_in = works[2].has_begun
        await finish(*works)
        return begun, is_let_in

    assert asyncio.run(run()) == ([True, True, False, True, True], True)


def test_callers_of_one_address_share_its_places() -> None:
    async def run() -> tuple[list[bool], bool]:
        places = Places(4, 4, LONG, most_per_address=2)
        guests = [("a", "here"), ("b", "here"), ("c", "here"), ("c", "there"), ("d", "")]
        works = [Work(places, caller, "", address) for caller, address in guests]
        await settle()
        begun = [work.has_begun for work in works]
        await finish(works[0])
        await settle()
        is_let_in = works[2].has_begun
        await finish(*works)
        return begun, is_let_in

    assert asyncio.run(run()) == ([True, True, False, True, True], True)


def test_the_line_of_one_subject_does_not_keep_others_out() -> None:
    async def run() -> int:
        places = Places(2, 2, LONG, most_per_subject=1)
        works = [Work(places, f"caller {number}", "x") for number in range(1 + LINE)]
        await settle()
        with pytest.raises(NoPlace):
            async with places.place("late", "x"):
                pass
        async with places.place("other", "y"):
            begun = sum(work.has_begun for work in works)
        await finish(*works)
        return begun

    assert asyncio.run(run()) == 1


def test_whoever_waits_comes_in_when_somebody_leaves() -> None:
    async def run() -> tuple[bool, bool]:
        first, second = await begin(Places(1, 1, LONG), "a", "b")
        waited = second.has_begun
        await finish(first)
        await settle()
        begun = second.has_begun
        await finish(second)
        return waited, begun

    assert asyncio.run(run()) == (False, True)


def test_who_has_waited_in_vain_is_refused_and_leaves_no_trace() -> None:
    async def run() -> None:
        places = Places(1, 1, 0.0)
        (holder,) = await begin(places, "a")
        for _ in range(2):
            with pytest.raises(NoPlace):
                await places.room("b")
        await finish(holder)
        await places.room("b")

    asyncio.run(run())


@pytest.mark.parametrize("line", [LINE, 2 * LINE])
def test_a_line_has_an_end(line: int) -> None:
    async def run() -> None:
        places = Places(1, 1, LONG, line=line)
        works = await begin(places, *["a"] * (1 + line))
        with pytest.raises(NoPlace):
            await places.room("a")
        await finish(*works)

    asyncio.run(run())


def test_who_gives_up_waiting_takes_no_place() -> None:
    async def run() -> None:
        places = Places(1, 1, LONG)
        holder, gone = await begin(places, "a", "b")
        gone.task.cancel()
        await finish(holder)
        await asyncio.gather(gone.task, return_exceptions=True)
        await places.room("c")

    asyncio.run(run())
