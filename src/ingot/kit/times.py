"""Where the time of a request goes: statements, git commands and object calls by shape, without the values in them."""

from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import TypedDict, TypeVar

from ingot.kit import tallies

T = TypeVar("T")
LONGEST_SHAPE = 400
MOST_SHOWN = 8


class Part(TypedDict):
    """What one shape cost."""

    kind: str
    shape: str
    count: int
    ms: float


class Times:
    """The times of one request."""

    __slots__ = ("_sums",)

    def __init__(self) -> None:
        # By kind and shape: the number of them and their seconds, which are changed in place.
        self._sums: dict[str, dict[str, list[float]]] = {"statement": {}, "git": {}, "object": {}}

    def add(self, kind: str, shape: str, seconds: float) -> None:
        """One more of this shape took so long."""
        sums = self._sums[kind]
        known = sums.get(shape)
        if known is None:
            sums[shape] = [1, seconds]
        else:
            known[0] += 1
            known[1] += seconds

    def number(self, kind: str) -> int:
        """How many there were of a kind."""
        return int(sum(total[0] for total in self._sums[kind].values()))

    def longest(self) -> list[Part]:
        """The shapes that took longest together, the longest first."""
        parts = [(kind, shape, total) for kind, sums in self._sums.items() for shape, total in sums.items()]
        parts.sort(key=lambda part: -part[2][1])
        return [
            Part(kind=kind, shape=_short(shape), count=int(total[0]), ms=round(total[1] * 1000, 2))
            for kind, shape, total in parts[:MOST_SHOWN]
        ]


# What makes the times of a request; traces put a kind of their own here.
make: type[Times] = Times

noted_in: ContextVar[Times | None] = ContextVar("times", default=None)


class noting_times:  # noqa: N801 - read as a verb: `with noting_times(call.times)`
    """Note in this context what statements, git commands and object calls take."""

    __slots__ = ("_times", "_token")

    def __init__(self, times: Times) -> None:
        self._times = times

    def __enter__(self) -> None:
        self._token: Token[Times | None] = noted_in.set(self._times)

    def __exit__(self, *_: object) -> None:
        noted_in.reset(self._token)


def also_noted(work: Callable[[], T]) -> Callable[[], T]:
    """Work for another thread, whose times are noted where those of this context are."""
    times = noted_in.get()
    if times is None:
        return work

    def noted() -> T:
        with noting_times(times):
            return work()

    return noted


def note(part: str, shape: str, seconds: float, result: str = tallies.OK) -> None:
    """A git process or an object call took so long: for the process, and for the request where there is one."""
    tallies.add(part, shape, seconds, result)
    times = noted_in.get()
    if times is not None:
        times.add(part, shape, seconds)


def _short(shape: str) -> str:
    text = " ".join(shape.split())
    return text if len(text) <= LONGEST_SHAPE else f"{text[:LONGEST_SHAPE]}…"
