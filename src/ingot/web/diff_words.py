"""What changed inside a line: the words between the beginning and the end that the old and the new line share."""

from collections.abc import Sequence
from html import escape, unescape

from markupsafe import Markup

from ingot.kit.patterns import pattern

_PIECES = pattern(r"<[^>]*>|[^<]+")
# Lines that share less are different lines.
LEAST_SHARED = 0.3
LONGEST_LINE = 2000


def changed_words(lines: Sequence[str]) -> dict[int, tuple[int, int]]:
    """By number of a diff's line, where the changed words begin and end in it, without its sign.

    Only where as many lines were added as removed: then each stands for the one in its place.
    """
    result: dict[int, tuple[int, int]] = {}
    removed: list[int] = []
    added: list[int] = []
    for number, line in enumerate([*lines, ""]):
        sign = line[:1]
        if sign == "+":
            added.append(number)
        elif sign == "-" and not added:
            removed.append(number)
        elif sign != "\\":  # a line without an end is said so between the two
            if len(removed) == len(added):
                for old, new in zip(removed, added, strict=True):
                    result |= _compare(old, lines[old][1:], new, lines[new][1:])
            removed, added = [number] if sign == "-" else [], []
    return result


def _compare(old: int, before: str, new: int, after: str) -> dict[int, tuple[int, int]]:
    shortest = min(len(before), len(after))
    if not shortest or max(len(before), len(after)) > LONGEST_LINE:
        return {}
    start = next((at for at in range(shortest) if before[at] != after[at]), shortest)
    rest = shortest - start
    end = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    # A word is marked whole.
    while start and _is_inside(before, start) and _is_inside(after, start):
        start -= 1
    while end and _is_inside(before, len(before) - end) and _is_inside(after, len(after) - end):
        end -= 1
    shared = len(before[:start].strip()) + len(before[len(before) - end :].strip())
    if shared < LEAST_SHARED * max(len(before.strip()), len(after.strip())):
        return {}
    spans = {old: (start, len(before) - end), new: (start, len(after) - end)}
    return {number: span for number, span in spans.items() if span[0] < span[1]}


def _is_inside(line: str, place: int) -> bool:
    """Whether the place cuts a word."""
    return 0 < place < len(line) and all(sign.isalnum() or sign == "_" for sign in line[place - 1 : place + 1])


def mark_words(html: str, start: int, end: int) -> Markup:
    """A line of highlighted code with a mark around these characters; its elements do not hold each other."""
    parts: list[str] = []
    place = 0
    for piece in _PIECES.findall(html):
        if piece.startswith("<"):
            parts.append(piece)
            continue
        text = unescape(piece) if "&" in piece else piece
        last = place + len(text)
        if last <= start or place >= end:
            parts.append(piece)
        else:
            before, marked, after = (
                escape(text[: max(start - place, 0)], quote=False),
                escape(text[max(start - place, 0) : end - place], quote=False),
                escape(text[end - place :], quote=False),
            )
            parts.append(f"{before}<mark>{marked}</mark>{after}")
        place = last
    return Markup("".join(parts))  # noqa: S704 - the line is escaped, and only tags of our own came in
