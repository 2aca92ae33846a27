"""Diffs with more of the lines that did not change."""

from collections.abc import Collection, Iterable

from ingot.web.diff_lines import LINES_OF_GIT, numbered

LONGEST_WIDENED = 2 << 20  # bytes of a file whose unchanged lines are shown too
MOST_WIDENED = 200_000  # lines of a file, and of a diff
Row = tuple[str, int, int]  # the line with its sign, and the numbers that it has or stands before


def widened(diff: str, content: str, more: int | None, besides: Collection[int] = ()) -> str:
    """The diff with so many more lines around each hunk, out of the new file; with None the whole file.

    `besides` are numbers of other lines of the new file, which are shown with those around them.
    """
    rows, changed = _whole(diff.split("\n"), content.removesuffix("\n").split("\n") if content else [])
    is_shown = [more is None] * len(rows)
    if more is not None:
        _show(is_shown, changed, more)
    if besides:
        talked = (place for place, (line, _, new) in enumerate(rows) if new in besides and line[:1] == " ")
        _show(is_shown, talked, LINES_OF_GIT)
    result: list[str] = []
    hunk: list[Row] = []
    for row, is_kept in [*zip(rows, is_shown, strict=True), (("", 0, 0), False)]:
        if is_kept:
            hunk.append(row)
        elif hunk:
            result += _hunk(hunk)
            hunk = []
    return "\n".join([*result, ""])


def _show(is_shown: list[bool], places: Iterable[int], around: int) -> None:
    """Mark so many rows around each of these places, which come in their order; each row is marked once."""
    end = 0
    for place in places:
        first, end = max(end, place - around), min(len(is_shown), place + around + 1)
        is_shown[first:end] = [True] * max(0, end - first)


def _whole(lines: list[str], content: list[str]) -> tuple[list[Row], list[int]]:
    """Every line of both files, and the places of those that the diff has."""
    rows: list[Row] = []
    places: list[int] = []
    old = new = 1

    def fill(end: int) -> None:
        nonlocal old, new
        while new < end and new <= len(content):
            rows.append((f" {content[new - 1]}", old, new))
            old, new = old + 1, new + 1

    for number, sign, _, second in numbered(lines):
        line = lines[number]
        if not sign and not line.startswith("\\"):
            fill(second)
            continue
        places.append(len(rows))
        rows.append((line, old, new))
        old, new = old + (sign in ("-", " ")), new + (sign in ("+", " "))
    fill(len(content) + 1)
    return rows, places


def _hunk(rows: list[Row]) -> list[str]:
    counts = [sum(row[0][:1] in signs for row in rows) for signs in ((" ", "-"), (" ", "+"))]
    # A side without lines is named by the line before.
    old, new = (start if count else start - 1 for start, count in zip(rows[0][1:], counts, strict=True))
    return [f"@@ -{old},{counts[0]} +{new},{counts[1]} @@", *(row[0] for row in rows)]
