"""The jobs of a pipeline by what they need: columns of boxes with lines between them, for an SVG picture."""

from collections.abc import Mapping, Sequence

import msgspec

from ingot.web.answers import NamedJob

BOX, GAP, ROW, TALL = 200, 64, 44, 32
MOST_WITH_ALL_LINES = 40  # jobs; beyond this the lines of one are told apart


class Box(msgspec.Struct, frozen=True):
    """A job in the picture."""

    job: NamedJob
    x: int
    y: int


class NeedsPicture(msgspec.Struct, frozen=True):
    """Boxes, lines as paths, and the size of both."""

    boxes: list[Box]
    lines: list[str]
    width: int
    height: int


def draw(jobs: Sequence[NamedJob], needs: Mapping[str, list[str]], focus: str = "") -> NeedsPicture:
    """The picture of jobs in the order of their stages; that of many jobs has the lines of the one in focus."""
    depths = _depths(jobs, needs)
    rows: dict[int, int] = {}
    boxes: dict[str, Box] = {}
    for job in jobs:
        column = depths[job["name"]]
        boxes[job["name"]] = Box(job, column * (BOX + GAP), rows.get(column, 0) * ROW)
        rows[column] = rows.get(column, 0) + 1
    pairs = [(need, name) for name in boxes for need in needs.get(name, []) if need in boxes]
    lines = [_line(boxes[need], boxes[name]) for need, name in pairs if not focus or focus in (need, name)]
    if len(boxes) > MOST_WITH_ALL_LINES and not focus:
        lines = []
    columns = max(rows, default=0) + 1
    height = ROW * max(rows.values(), default=1)
    return NeedsPicture(list(boxes.values()), lines, columns * (BOX + GAP) - GAP, height)


def _depths(jobs: Sequence[NamedJob], needs: Mapping[str, list[str]]) -> dict[str, int]:
    """How many jobs in a row come before each; a job without `needs` waits for the stages before its own."""
    result: dict[str, int] = {}
    deepest_before: dict[str, int] = {}  # by stage: the first column that its jobs may have
    deepest = 0
    for job in jobs:
        first = deepest_before.setdefault(job["stage"], deepest)
        named = [result[need] + 1 for need in needs.get(job["name"], []) if need in result]
        result[job["name"]] = max(named, default=0) if job["name"] in needs else first
        deepest = max(deepest, result[job["name"]] + 1)
    return result


def _line(source: Box, target: Box) -> str:
    x, y = source.x + BOX, source.y + TALL // 2
    to_x, to_y = target.x, target.y + TALL // 2
    middle = (x + to_x) // 2
    return f"M{x} {y}C{middle} {y} {middle} {to_y} {to_x} {to_y}"
