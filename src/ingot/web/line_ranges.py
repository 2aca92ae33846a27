"""Several lines of a diff as the place of one comment, and what a suggestion for them begins with."""

from typing import TypedDict

from ingot.web.diff_lines import numbered
from ingot.web.diffs import anchor_of

TYPES = {"+": "new", "-": "old"}  # unchanged lines have none
MOST_ABOVE = 100  # lines that a suggestion can replace above its own


class LineOfRange(TypedDict):
    """One end of several lines."""

    line_code: str | None
    type: str | None
    old_line: int | None
    new_line: int | None


class LineRange(TypedDict):
    """Several lines, by the first and the last."""

    start: LineOfRange
    end: LineOfRange


def line_range(diff: str, path: str, first: int, last: int, *, is_new: bool) -> LineRange | None:
    """The lines with these numbers in the new or the old file; None where they are no range or not in the diff."""
    ends = [_line_at(diff, path, number, is_new=is_new) for number in (first, last)]
    if not 0 < first < last or ends[0] is None or ends[1] is None:
        return None
    return {"start": ends[0], "end": ends[1]}


def suggestion_for(content: str, first: int, last: int) -> str:
    """A block that proposes these lines of a file as they are, to be changed."""
    first = max(first, last - MOST_ABOVE)
    lines = content.split("\n")[first - 1 : last]
    fence = "```"
    while any(line.startswith(fence) for line in lines):
        fence += "`"
    return "\n".join([f"{fence}suggestion:-{last - first}+0", *lines, fence, ""])


def _line_at(diff: str, path: str, wanted: int, *, is_new: bool) -> LineOfRange | None:
    """The line with this number; those that did not change count too where the diff leaves them out."""
    old = new = shift = 0
    for _, sign, old, new in numbered(diff.split("\n")):
        if not sign:
            shift = new - old
            if wanted < (new if is_new else old):
                break
        elif wanted == (new if is_new else old) and sign != ("-" if is_new else "+"):
            return _line(path, sign, old, new)
        shift = new - old + {"+": 1, "-": -1}.get(sign, 0)
    numbers = (wanted - shift, wanted) if is_new else (wanted, wanted + shift)
    return _line(path, " ", *numbers) if min(numbers) > 0 else None


def _line(path: str, sign: str, old: int, new: int) -> LineOfRange:
    return {
        "line_code": f"{anchor_of(path)}_{old}_{new}", "type": TYPES.get(sign),
        "old_line": None if sign == "+" else old, "new_line": None if sign == "-" else new,
    }  # fmt: skip
