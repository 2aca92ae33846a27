"""The graph of a history: each commit's row and lane, and lines to its parents, for an SVG picture."""

from typing import TypedDict

import msgspec

ROW, LANE = 36, 16
COLOURS = 8
MOST_PARENTS = 16  # that are drawn of a commit; git takes any number


class GraphCommit(TypedDict):
    """What the picture needs of a commit."""

    id: str
    parent_ids: list[str]


class Dot(msgspec.Struct, frozen=True):
    """A commit in the picture."""

    x: int
    y: int
    colour: int


class Line(msgspec.Struct, frozen=True):
    """A line from a commit to one of its parents, as the path of an SVG."""

    path: str
    colour: int


class Picture(msgspec.Struct, frozen=True):
    """Dots in the order of the commits, lines, and the size of both."""

    dots: list[Dot]
    lines: list[Line]
    width: int
    height: int


def draw(commits: list[GraphCommit]) -> Picture:
    """The picture of commits that are listed children first."""
    lanes: list[str | None] = []  # the commit that each lane waits for
    places: dict[str, tuple[int, int]] = {}
    for row, commit in enumerate(commits):
        lane = _lane(lanes, commit["id"])
        places[commit["id"]] = (row, lane)
        for number, waiting in enumerate(lanes):
            if waiting == commit["id"]:
                lanes[number] = None
        for number, parent in enumerate(commit["parent_ids"][:MOST_PARENTS]):
            if parent in lanes:
                continue
            if number == 0:
                lanes[lane] = parent
            else:
                _lane(lanes, parent)
    width = LANE * (max((lane for _, lane in places.values()), default=0) + 2)
    height = ROW * len(commits)
    dots = [Dot(_x(lane), _y(row), lane % COLOURS) for row, lane in places.values()]
    return Picture(dots, _lines(commits, places, height), width, height)


def _lane(lanes: list[str | None], sha: str) -> int:
    """The lane that waits for a commit, else the first free one, which then does."""
    if sha in lanes:
        return lanes.index(sha)
    if None in lanes:
        place = lanes.index(None)
        lanes[place] = sha
        return place
    lanes.append(sha)
    return len(lanes) - 1


def _lines(commits: list[GraphCommit], places: dict[str, tuple[int, int]], height: int) -> list[Line]:
    result = []
    for commit in commits:
        row, lane = places[commit["id"]]
        for parent in commit["parent_ids"][:MOST_PARENTS]:
            below = places.get(parent)
            if below is None:  # on a later page
                result.append(Line(f"M{_x(lane)} {_y(row)}V{height}", lane % COLOURS))
                continue
            result.append(Line(_bend(_x(lane), _y(row), _x(below[1]), _y(below[0])), max(lane, below[1]) % COLOURS))
    return result


def _bend(x: int, y: int, to_x: int, to_y: int) -> str:
    """Straight down in one lane; to another lane with one curve, next to the commit that has its own lane."""
    if x == to_x:
        return f"M{x} {y}V{to_y}"
    if to_x > x:  # a second parent: leave at once, then go down
        return f"M{x} {y}C{x} {y + ROW // 2} {to_x} {y + ROW // 2} {to_x} {y + ROW}V{to_y}"
    return f"M{x} {y}V{to_y - ROW}C{x} {to_y - ROW // 2} {to_x} {to_y - ROW // 2} {to_x} {to_y}"


def _x(lane: int) -> int:
    return LANE * lane + LANE


def _y(row: int) -> int:
    return ROW * row + ROW // 2
