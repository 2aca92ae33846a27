"""How the last pipelines went and how long they took: figures, a bar for each, and a row for each day."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from ingot.features.ci.pipelines import PipelineSummary
from ingot.web.answers import PipelineRow

HEIGHT, LOWEST = 100, 2
FEWEST = 30  # bars, so that the only one is not as wide as the page
ENDED = ("success", "failed", "canceled")
FILLS = {"success": "ok-fill", "failed": "bad-fill", "canceled": "edge-fill"}


class Bar(msgspec.Struct, frozen=True):
    """A pipeline: its place from the left, and how high it is."""

    x: int
    height: float
    row: PipelineRow
    seconds: float

    @property
    def fill(self) -> str:
        """The class of its colour."""
        return FILLS[self.row["status"]]


class Day(msgspec.Struct, frozen=True):
    """The pipelines that began on a day."""

    day: str
    passed: int
    failed: int
    cancelled: int
    middle: float | None  # seconds, of those that took time
    passed_share: float  # of the busiest day, as the next two
    failed_share: float
    cancelled_share: float

    @property
    def segments(self) -> list[tuple[str, float, float]]:
        """Fill, place and width of the parts of its bar."""
        shares = (self.passed_share, self.failed_share, self.cancelled_share)
        ends = [sum(shares[:place]) for place in range(4)]
        return [(fill, begin, end - begin) for fill, (begin, end) in zip(FILLS.values(), pairwise(ends), strict=True)]


class PipelineChart(msgspec.Struct, frozen=True):
    """What the page of charts shows."""

    passed: int
    failed: int
    cancelled: int
    share: int | None  # per cent of those that passed or failed
    middle: float | None  # seconds
    most: float | None
    slow: float | None  # what one in twenty takes at least
    bars: list[Bar]
    places: int  # that the bars are drawn in
    days: list[Day]

    @property
    def middle_y(self) -> float:
        """Where the line of the middle is drawn."""
        return HEIGHT - _height(self.middle or 0, self.most or 1)


def chart_of(rows: Sequence[PipelineRow], summaries: Mapping[int, PipelineSummary]) -> PipelineChart | None:
    """Of the pipelines of a list, newest first, those that have ended; None if there are none."""
    ended = [row for row in reversed(rows) if row["status"] in ENDED]
    if not ended:
        return None
    times = {
        row["id"]: float(summary.duration)
        for row in ended
        if (summary := summaries.get(row["id"])) is not None and summary.duration is not None
    }
    ordered = sorted(times.values())
    most = ordered[-1] if ordered else None
    timed = [row for row in ended if row["id"] in times]
    places = max(len(timed), FEWEST)
    bars = [
        Bar(places - len(timed) + at, _height(times[row["id"]], most or 1), row, times[row["id"]])
        for at, row in enumerate(timed)
    ]
    passed, failed, cancelled = _outcomes(ended)
    share = round(100 * passed / (passed + failed)) if passed + failed else None
    slow = ordered[int(len(ordered) * 0.95)] if ordered else None
    return PipelineChart(
        passed, failed, cancelled, share, _middle(ordered), most, slow, bars, places, _days(ended, times)
    )  # fmt: skip


def _height(seconds: float, most: float) -> float:
    return round(max(LOWEST, HEIGHT * seconds / max(most, 1)), 1)


def _middle(ordered: Sequence[float]) -> float | None:
    return ordered[len(ordered) // 2] if ordered else None


def _outcomes(rows: Sequence[PipelineRow]) -> tuple[int, int, int]:
    passed, failed, cancelled = (sum(row["status"] == status for row in rows) for status in FILLS)
    return passed, failed, cancelled


def _days(rows: Sequence[PipelineRow], times: Mapping[int, float]) -> list[Day]:
    """The newest first."""
    by_day: defaultdict[str, list[PipelineRow]] = defaultdict(list)
    for row in rows:
        by_day[row["created_at"][:10]].append(row)
    most = max(map(len, by_day.values()))
    result = []
    for day, part in sorted(by_day.items(), reverse=True):
        counts = _outcomes(part)
        middle = _middle(sorted(times[row["id"]] for row in part if row["id"] in times))
        passed, failed, cancelled = (round(100 * count / most, 1) for count in counts)
        result.append(Day(day, *counts, middle, passed, failed, cancelled))
    return result
