"""Diffs as rows of a table: line numbers, signs, and the place of each line."""

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from markupsafe import Markup, escape

from ingot.web.diff_lines import KINDS, LINES_OF_GIT, Talk, comment_link, numbered, widen_cell
from ingot.web.diff_words import changed_words, mark_words
from ingot.web.file_views import has_hidden_signs, with_signs_shown


def anchor_of(path: str) -> str:
    """The name of a file inside a page; the same as in `line_code`."""
    return hashlib.sha1(path.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()


def rows_of(
    text: str,
    anchor: str,
    path: str = "",
    talk: Talk | None = None,
    *,
    spaces: Mapping[int, bool] | None = None,
    coloured: Sequence[Markup] | None = None,
    widen: str = "",
) -> tuple[Markup, int, int]:
    """The table rows of one file's diff, with the numbers of added and removed lines.

    `spaces` are the lines of the text in which only white space changed, which look like those that did not: false
    for the old ones, which are left out. `coloured` are the lines with the colours of their language. `widen` is where
    more lines are shown around each hunk.
    """
    unchanged = spaces or {}
    lines = text.split("\n")
    words, is_odd = changed_words(lines), has_hidden_signs(text)
    parts: list[str] = []
    comment = comment_link(talk, anchor)
    added = removed = around = 0
    more = widen_cell(widen)
    for number, sign, old, new in numbered(lines):
        line = lines[number]
        if not sign:
            is_inside = line.startswith("@@") and (old, new) > (1, 1)
            cell = more if is_inside else "<td></td>"
            parts.append(f'<tr class="hunk">{cell}<td></td><td>{escape(line)}</td></tr>')
            around = 0
            continue
        around = around + 1 if sign == " " else 0
        place = f"{anchor}_{old}_{new}"
        link = f"{comment}_{old}_{new}#{place}" if comment else f"#{place}"
        left = "" if sign == "+" else f'<a href="{link}">{old}</a>'
        right = "" if sign == "-" else f'<a href="{link}">{new}</a>'
        shown = unchanged.get(number)
        html = escape(line[1:]) if coloured is None else coloured[number]
        if number in words and shown is None:
            html = mark_words(html, *words[number])
        html = with_signs_shown(html) if is_odd else html
        if shown is None:
            parts.append(
                f'<tr id="{place}" class="{KINDS.get(sign, "same")}"><td>{left}</td><td>{right}</td>'
                f'<td data-sign="{sign}">{html}</td></tr>'
            )
        elif shown:
            parts.append(f'<tr id="{place}" class="same"><td></td><td>{right}</td><td data-sign=" ">{html}</td></tr>')
        if talk is not None:
            parts.append(talk.below(path, None if sign == "+" else old, None if sign == "-" else new))
        added += sign == "+" and shown is None
        removed += sign == "-" and shown is None
    if widen and around >= LINES_OF_GIT:
        parts.append(f'<tr class="hunk">{more}<td></td><td></td></tr>')
    return Markup("".join(parts)), added, removed  # noqa: S704 - every text in it is escaped above


def spaces_of(text: str) -> dict[int, bool]:
    """The numbers of changed lines that differ from the line in their stead by white space only: true for new ones."""
    result: dict[int, bool] = {}
    removed: list[tuple[int, str]] = []
    added: list[tuple[int, str]] = []
    for number, line in enumerate([*text.split("\n"), ""]):
        sign = line[:1]
        if sign == "-" and not added:
            removed.append((number, "".join(line[1:].split())))
        elif sign == "+":
            added.append((number, "".join(line[1:].split())))
        elif sign != "\\":  # a line without an end is said so between the two
            result |= _equal_words(removed, added)
            removed, added = [(number, "".join(line[1:].split()))] if sign == "-" else [], []
    return result


def _equal_words(removed: list[tuple[int, str]], added: list[tuple[int, str]]) -> dict[int, bool]:
    """Pairs of equal lines in their order: those that each side has once, and what is equal before and after them.

    Takes hardly longer than reading the lines, whatever they are; comparing all with all takes seconds.
    """
    old, new = [word for _, word in removed], [word for _, word in added]
    ends = [(-1, -1), *_common_lines(old, new), (len(old), len(new))]
    result: dict[int, bool] = {}

    def pair(first: int, second: int) -> None:
        result[removed[first][0]], result[added[second][0]] = False, True

    for (first, second), (last, other_last) in pairwise(ends):
        if first >= 0:
            pair(first, second)
        first, second = first + 1, second + 1
        while first < last and second < other_last and old[first] == new[second]:
            pair(first, second)
            first, second = first + 1, second + 1
        last, other_last = last - 1, other_last - 1
        while first <= last and second <= other_last and old[last] == new[other_last]:
            pair(last, other_last)
            last, other_last = last - 1, other_last - 1
    return result


def _common_lines(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Places of lines that both sides have once: as many as stand in the same order."""
    in_old, in_new = Counter(old), Counter(new)
    places = {word: place for place, word in enumerate(new) if in_new[word] == 1 == in_old[word]}
    ends: list[int] = []  # for each length, the earliest place at which a row of so many ends
    rows: list[tuple[int, int]] = []  # and its last pair
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    for first, word in enumerate(old):
        if (second := places.get(word)) is None:
            continue
        length = bisect_left(ends, second)
        before[first, second] = rows[length - 1] if length else None
        ends[length : length + 1], rows[length : length + 1] = [second], [(first, second)]
    result: list[tuple[int, int]] = []
    pair = rows[-1] if rows else None
    while pair is not None:
        result.append(pair)
        pair = before[pair]
    return result[::-1]
