"""When the commits of a history were made: bars for all of them and for each author, on one scale of time."""

from collections.abc import Collection, Sequence

import msgspec

from ingot.gitstore.model import moment

PARTS = 60  # bars at most
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


def draw(times: Sequence[tuple[str, int]], emails: Collection[str]) -> Chart | None:
    """The chart of commits, given as address and time; authors have a scale of their own."""
    if not times:
        return None
    first, last = min(when for _, when in times), max(when for _, when in times)
    days = -(-((last - first) // DAY + 1) // PARTS)
    parts = (last - first) // (days * DAY) + 1
    whole = [0] * parts
    people = {email: [0] * parts for email in emails}
    for email, when in times:
        place = (when - first) // (days * DAY)
        whole[place] += 1
        if email in people:
            people[email][place] += 1
    highest = max((max(row) for row in people.values()), default=1)
    return Chart(
        count=len(times), first=_day(first), last=_day(last), days=days, parts=parts, most=max(whole),
        all=_heights(whole, max(whole)), people={email: _heights(row, highest) for email, row in people.items()},
    )  # fmt: skip


def _heights(counts: Sequence[int], most: int) -> list[float]:
    """Every commit is seen, however many others there are."""
    return [round(max(HEIGHT * count / most, 1.0), 1) if count else 0.0 for count in counts]


def _day(seconds: int) -> str:
    return moment(seconds, 0).date().isoformat()
