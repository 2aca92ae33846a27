"""Where the time of a request goes: its statements and git commands by shape, without the values in them."""

from contextvars import ContextVar, Token
from typing import NamedTuple, TypedDict

LONGEST_SHAPE = 400
MOST_SHOWN = 8


class Part(TypedDict):
    """What one shape cost."""

    kind: str
    shape: str
    count: int
    ms: float


class _Sum(NamedTuple):
    number: int
    seconds: float


class Times:
    """The times of one request."""

    __slots__ = ("_sums",)

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], _Sum] = {}

    def add(self, kind: str, shape: str, seconds: float) -> None:
        """One more of this shape took so long."""
        number, before = self._sums.get((kind, shape), (0, 0.0))
        self._sums[kind, shape] = _Sum(number + 1, before + seconds)

    def longest(self) -> list[Part]:
        """The shapes that took longest together, the longest first."""
        ordered = sorted(self._sums.items(), key=lambda item: -item[1].seconds)[:MOST_SHOWN]
        return [
            Part(kind=kind, shape=_short(shape), count=total.number, ms=round(total.seconds * 1000, 2))
            for (kind, shape), total in ordered
        ]


_times: ContextVar[Times | None] = ContextVar("times", default=None)


class noting_times:  # noqa: N801 - read as a verb: `with noting_times(call.times)`
    """Note in this context what statements and git commands take."""

    __slots__ = ("_times", "_token")

    def __init__(self, times: Times) -> None:
        self._times = times

    def __enter__(self) -> None:
        self._token: Token[Times | None] = _times.set(self._times)

    def __exit__(self, *_: object) -> None:
        _times.reset(self._token)


def current_times() -> Times | None:
    """Where times are noted now; None where nobody wants them."""
    return _times.get()


def _short(shape: str) -> str:
    text = " ".join(shape.split())
    return text if len(text) <= LONGEST_SHAPE else f"{text[:LONGEST_SHAPE]}…"
