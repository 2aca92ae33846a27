"""Counts of answered requests and of what they did, shared in memory between the processes of one node."""

import mmap
from collections import Counter
from collections.abc import Iterable

import msgspec

from ingot.kit import tallies
from ingot.kit.tallies import Tallies, Tally

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
# Only what is written takes memory. A place has two halves: one is read while the other is written.
HALF = 2 * 1024 * 1024
PLACE = 2 * HALF + 1
_LENGTH = 4
# What a place shows: requests, their seconds and buckets, and tallies.
_Shown = tuple[list[tuple[str, str, int, int]], float, list[int], list[tuple[str, str, str, int, float]]]


class Counts(msgspec.Struct):
    """How many requests were answered, and in what time; how many statements, git processes and so on there were."""

    requests: Counter[tuple[str, str, int]] = msgspec.field(default_factory=Counter)
    seconds: float = 0.0
    # By the least bound that is not exceeded, then those above all.
    buckets: list[int] = msgspec.field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    tallies: Tallies = msgspec.field(default_factory=dict)


def sum_of(parts: Iterable[Counts]) -> Counts:
    """All of them together."""
    result = Counts()
    parts = list(parts)
    for part in parts:
        result.requests.update(part.requests)
        result.seconds += part.seconds
        result.buckets = [one + other for one, other in zip(result.buckets, part.buckets, strict=True)]
    result.tallies = tallies.sum_of(part.tallies for part in parts)
    return result


class Board:
    """Memory shared with processes that are forked later; each writes only its own slot."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._memory = mmap.mmap(-1, places * PLACE)

    def write(self, number: int, counts: Counts) -> None:
        """Replace what this place shows."""
        rows = [(*key, count) for key, count in counts.requests.items()]
        parts = [(*key, *tally) for key, tally in counts.tallies.items()]
        data = msgspec.msgpack.encode((rows, counts.seconds, counts.buckets, parts))
        if len(data) + _LENGTH > HALF:
            return
        begin = number * PLACE
        half = 1 - self._memory[begin]
        at = begin + 1 + half * HALF
        self._memory[at : at + _LENGTH] = len(data).to_bytes(_LENGTH, "big")
        self._memory[at + _LENGTH : at + _LENGTH + len(data)] = data
        self._memory[begin] = half

    def read(self, number: int) -> Counts | None:
        """What this place shows; None where nothing was written yet."""
        begin = number * PLACE
        at = begin + 1 + self._memory[begin] * HALF
        length = int.from_bytes(self._memory[at : at + _LENGTH], "big")
        if not length:
            return None
        data = self._memory[at + _LENGTH : at + _LENGTH + length]
        rows, seconds, buckets, parts = msgspec.msgpack.decode(data, type=_Shown)
        return Counts(
            Counter({(method, route, status): count for method, route, status, count in rows}),
            seconds,
            buckets,
            {(part, name, result): Tally(number, spent) for part, name, result, number, spent in parts},
        )

    def read_others(self, number: int) -> list[Counts]:
        """What the other places show."""
        return [counts for other in range(self._places) if other != number and (counts := self.read(other))]
