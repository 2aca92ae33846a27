"""Diffs with more of the lines that did not change."""

from collections.abc import Collection

from ingot.web.diff_lines import LINES_OF_GIT, numbered

Row = tuple[str, int, int]  # the line with its sign, and the numbers that it has or stands before


def widened(diff: str, content: str, more: int | None, besides: Collection[int] = ()) -> str:
    """The diff with so many more lines around each hunk, out of the new file; with None the whole file.

    `besides` are numbers of other lines of the new file, which are shown with those around them.
    """
    rows, changed = _whole(diff.split("\n"), content.removesuffix("\n").split("\n") if content else [])
    is_shown = [more is None] * len(rows)
    for place in changed if more is not None else ():
        first, last = max(0, place - (more or 0)), min(len(rows), place + (more or 0) + 1)
        is_shown[first:last] = [True] * (last - first)
    for place, (line, _, new) in enumerate(rows if besides else ()):
        if new in besides and line[:1] == " ":
            first, last = max(0, place - LINES_OF_GIT), min(len(rows), place + LINES_OF_GIT + 1)
            is_shown[first:last] = [True] * (last - first)
    result: list[str] = []
    hunk: list[Row] = []
    for row, is_kept in [*zip(rows, is_shown, strict=True), (("", 0, 0), False)]:
        if is_kept:
            hunk.append(row)
        elif hunk:
            result += _hunk(hunk)
            hunk = []
    return "\n".join([*result, ""])


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
