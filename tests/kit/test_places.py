"""Places for expensive work: how many there are, who waits, and who is refused."""

import asyncio

import pytest

from ingot.kit.places import LINE, NoPlace, Places

LONG = 120.0


class Work:
    """Holds a place until it is told to end."""

    def __init__(self, places: Places, caller: str) -> None:
        self.has_begun = False
        self.end = asyncio.Event()
        self.task = asyncio.create_task(self._run(places, caller))

    async def _run(self, places: Places, caller: str) -> None:
        async with places.place(caller):
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
