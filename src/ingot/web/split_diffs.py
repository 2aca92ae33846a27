"""Diffs in two columns: old lines on the left, new ones on the right."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from markupsafe import Markup, escape

from ingot.web.diff_lines import KINDS, LINES_OF_GIT, Talk, comment_link, numbered, widen_cell
from ingot.web.diff_words import changed_words, mark_words
from ingot.web.file_views import has_hidden_signs, with_signs_shown

NO_CELL = '<td class="none"></td><td class="none"></td>'  # where one side has fewer lines


class _Block:
    """Lines that were removed and added together, and what is said below them."""

    def __init__(self) -> None:
        self.sides: dict[str, list[str]] = {"-": [], "+": []}
        self.below: list[str] = []

    def ended(self) -> str:
        """The rows of the block, which is empty afterwards."""
        pairs = zip_longest(self.sides["-"], self.sides["+"], fillvalue=NO_CELL)
        rows = "".join(f"<tr>{old}{new}</tr>" for old, new in pairs) + "".join(self.below)
        self.sides, self.below = {"-": [], "+": []}, []
        return rows


def split_rows(
    text: str,
    anchor: str,
    path: str = "",
    talk: Talk | None = None,
    *,
    spaces: Mapping[int, bool] | None = None,
    coloured: Sequence[Markup] | None = None,
    widen: str = "",
) -> tuple[Markup, int, int]:
    """The table rows of one file's diff in two columns; arguments and result as those of `diffs.rows_of`."""
    unchanged = spaces or {}
    lines = text.split("\n")
    words, is_odd = changed_words(lines), has_hidden_signs(text)
    comment = comment_link(talk, anchor)
    parts: list[str] = []
    block = _Block()
    counts = {"-": 0, "+": 0}
    more, around = widen_cell(widen), 0
    for number, sign, old, new in numbered(lines):
        line = lines[number]
        if not sign:
            if not line.startswith("\\"):  # that a line has no end is said between the two sides
                cell = more if (old, new) > (1, 1) else "<td></td>"
                parts.append(f'{block.ended()}<tr class="hunk">{cell}<td colspan="3">{escape(line)}</td></tr>')
                around = 0
            continue
        around = around + 1 if sign == " " else 0
        shown = unchanged.get(number)
        html = escape(line[1:]) if coloured is None else coloured[number]
        if number in words and sign != " " and shown is None:
            html = mark_words(html, *words[number])
        html = with_signs_shown(html) if is_odd else html
        place = f"{anchor}_{old}_{new}"
        link = f"{comment}_{old}_{new}#{place}" if comment else f"#{place}"
        if sign == " " or shown:
            before = f'<a href="{link}">{old}</a>' if sign == " " else ""
            parts.append(
                f'{block.ended()}<tr class="same" id="{place}"><td>{before}</td><td data-sign=" ">{html}</td>'
                f'<td><a href="{link}">{new}</a></td><td data-sign=" ">{html}</td></tr>'
            )
        elif shown is None:
            if sign == "-" and block.sides["+"]:
                parts.append(block.ended())
            kind = KINDS[sign]
            block.sides[sign].append(
                f'<td class="{kind}" id="{place}"><a href="{link}">{old if sign == "-" else new}</a></td>'
                f'<td class="{kind}" data-sign="{sign}">{html}</td>'
            )
            counts[sign] += 1
        if talk is not None:
            block.below.append(talk.below(path, None if sign == "+" else old, None if sign == "-" else new))
    parts.append(block.ended())
    if widen and around >= LINES_OF_GIT:
        parts.append(f'<tr class="hunk">{more}<td colspan="3"></td></tr>')
    return Markup("".join(parts)), counts["+"], counts["-"]  # noqa: S704 - every text in it is escaped above
