"""Where the proposed lines of a comment stand in its text.

The text is rendered as a whole, so that lists, footnotes and links that are defined further down stay what they are. A
word that nobody has written stands for each block meanwhile.
"""

import hashlib
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ingot.features.planning.notes import suggestion_blocks
from ingot.kit.patterns import pattern
from ingot.web.answers import Suggestion

_MARK = r"(suggestion[0-9a-f]{16}n[0-9]{1,6})"
_MARKS = pattern(f"<p>{_MARK}</p>|{_MARK}")


def with_marks(body: str, changes: Sequence[Suggestion]) -> str:
    """A comment with marks for the blocks of these changes; other blocks stay the code that they are."""
    if not changes:
        return body
    lines = body.replace("\r\n", "\n").split("\n")
    parts: list[str] = []
    end = 0
    for mark, (first, last, _) in _marked(body, changes).items():
        parts += [*lines[end:first], "", mark, ""]
        end = last + 1
    return "\n".join([*parts, *lines[end:]])


def around_suggestions(html: Markup, note: Mapping[str, object]) -> list[tuple[Markup, Suggestion | None]]:
    """The pieces of a rendered comment, each with the change that follows it.

    Changes whose mark is no paragraph, as inside of code, or that have no block any more, come at the end.
    """
    body, changes = note.get("body"), note.get("suggestions")
    if not isinstance(body, str) or not isinstance(changes, list) or not changes:
        return [(html, None)]
    marked = {mark: change for mark, (_, _, change) in _marked(body, changes).items()}
    left = {change["id"]: change for change in changes}
    pieces: list[tuple[Markup, Suggestion | None]] = []
    end = 0
    for found in _MARKS.finditer(html):
        change = marked.get(found[1] or found[2])
        if change is not None:
            placed = left.pop(change["id"], None) if found[1] else None
            pieces.append((html[end : found.start()], placed))
            end = found.end()
    return [*pieces, (html[end:], None), *((Markup(""), change) for change in left.values())]


def _marked(body: str, changes: Sequence[Suggestion]) -> dict[str, tuple[int, int, Suggestion]]:
    """The first and last line of each block that one of the changes came from, and that change, by its mark."""
    waiting: dict[str, deque[Suggestion]] = defaultdict(deque)
    for change in changes:
        waiting[change["to_content"]].append(change)
    # The same for the same text, which is rendered once for all who read it.
    name = hashlib.sha256(body.encode()).hexdigest()[:16]
    marked: dict[str, tuple[int, int, Suggestion]] = {}
    for block in suggestion_blocks(body):
        if waiting.get(block.text):
            marked[f"suggestion{name}n{len(marked)}"] = (block.first, block.last, waiting[block.text].popleft())
    return marked
