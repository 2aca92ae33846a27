"""The lines of a diff with their numbers, and what is said below them."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from markupsafe import escape

from ingot.kit.patterns import pattern
from ingot.web.filters import icon

_HUNK = pattern(r"@@ -([0-9]+)(?:,[0-9]+)? \+([0-9]+)(?:,[0-9]+)? @@(.*)")
LINES_OF_GIT = 3  # that did not change, around those that did
KINDS = {"+": "add", "-": "del"}


class Talk(Protocol):
    """What is said about lines of a diff."""

    links: bool  # line numbers lead to the form of a comment
    query: str  # of the page that they lead to

    def below(self, path: str, old: int | None, new: int | None) -> str:
        """The HTML below a line, or with no line about the whole file; empty for most."""


def numbered(lines: Sequence[str]) -> Iterator[tuple[int, str, int, int]]:
    """The lines of a diff: place, sign (`+`, `-`, a space, or none for a heading), numbers in both files."""
    old = new = 0
    for number, line in enumerate(lines):
        hunk = _HUNK.fullmatch(line) if line.startswith("@@") else None
        if hunk is not None:
            old, new = int(hunk[1]), int(hunk[2])
        sign = line[:1]
        if hunk is not None or sign not in ("+", "-", " "):
            if line:
                yield number, "", old, new
            continue
        yield number, sign, old, new
        old += sign != "+"
        new += sign != "-"


def widen_cell(address: str) -> str:
    """The cell of a heading that leads to more of the lines that did not change."""
    if not address:
        return "<td></td>"
    words = "Show more context"
    link = f'<a class="widen" rel="nofollow" href="{escape(address)}" title="{words}" aria-label="{words}">'
    return f"<td>{link}{icon('expand')}</a></td>"


def comment_link(talk: Talk | None, anchor: str) -> str:
    """The beginning of the address of a comment's form, without the numbers; empty where nobody can comment."""
    if talk is None or not talk.links:
        return ""
    return f"?{escape(talk.query + '&') if talk.query else ''}comment={anchor}"
