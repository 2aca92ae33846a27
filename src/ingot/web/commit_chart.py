"""When the commits of a history were made: bars for all of them and for each author, on one scale of time."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from ingot.gitstore.authors import Author, Authors
from ingot.gitstore.model import moment

PARTS = 60  # bars at most
FEWEST = 15  # days, so that the bar of a single one is not as wide as the page
HEIGHT = 40
DAY = 24 * 3600


class Chart(msgspec.Struct, frozen=True):
    """Heights of bars, and what they mean."""

    count: int
    first: str
    last: str
    days: int  # that a bar stands for
    parts: int
    most: int  # commits of the highest bar
    all: list[float]
    people: dict[str, list[float]]


class _Bars(msgspec.Struct, frozen=True):
    """The commits of each bar, of everybody together and by address."""

    first: int  # seconds
    last: int
    days: int
    parts: int
    whole: Counter[int]
    people: dict[str, Counter[int]]


@lru_cache(4)  # every commit is looked at, and the pages of a list have the same bars
def _bars(everybody: Authors) -> _Bars:
    first = min(min(author.times) for author in everybody)
    last = max(max(author.times) for author in everybody)
    days = -(-((last - first) // DAY + 1) // PARTS)
    parts = (last - first) // (days * DAY) + 1
    if parts < FEWEST:
        first -= (FEWEST - parts) * DAY
        parts = FEWEST
    counted = {author.email: Counter((when - first) // (days * DAY) for when in author.times) for author in everybody}
    whole = Counter[int]()
    for counts in counted.values():
        whole.update(counts)
    return _Bars(first, last, days, parts, whole, counted)


def draw(everybody: Authors, shown: Sequence[Author]) -> Chart | None:
    """The chart of all commits and of those of some authors, who have a scale of their own."""
    if not everybody:
        return None
    bars = _bars(everybody)
    most = max(bars.whole.values())
    people = {author.email: bars.people[author.email] for author in shown}
    highest = max((max(counts.values()) for counts in people.values()), default=1)
    return Chart(
        count=bars.whole.total(), first=_day(bars.first), last=_day(bars.last), days=bars.days, parts=bars.parts,
        most=most, all=_heights(bars.whole, bars.parts, most),
        people={email: _heights(counts, bars.parts, highest) for email, counts in people.items()},
    )  # fmt: skip


def _heights(counts: Counter[int], parts: int, most: int) -> list[float]:
    """Every commit is seen, however many others there are."""
    return [round(max(HEIGHT * counts[part] / most, 1.0), 1) if counts[part] else 0.0 for part in range(parts)]


def _day(seconds: int) -> str:
    return moment(seconds, 0).date().isoformat()
