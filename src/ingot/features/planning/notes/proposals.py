"""Suggestions: fenced blocks in a diff note that propose other lines."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert

from ingot.features.planning.notes.tables import suggestions
from ingot.gitstore import Repository, objects
from ingot.gitstore.model import text
from ingot.kit.patterns import pattern

_OPENING = pattern(r"(`{3,})suggestion(?::-(\d{1,3})\+(\d{1,3}))?[ \t]*")
MOST_LINES = 100
LARGEST_FILE = 10 * 1024 * 1024


class SuggestionBlock(NamedTuple):
    """Proposed lines, and which lines of the comment hold them."""

    above: int
    below: int
    text: str
    first: int  # the line that opens the block, counted from zero
    last: int


def suggestion_blocks(body: str) -> list[SuggestionBlock]:
    """Fenced blocks with their last line: the first one that has the same fence and nothing else."""
    lines = body.replace("\r\n", "\n").split("\n")
    closings: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        if line.startswith("```"):
            closings.setdefault(line.rstrip(" \t"), []).append(number)
    blocks: list[SuggestionBlock] = []
    number = 0
    while number < len(lines):
        opening = _OPENING.fullmatch(lines[number]) if lines[number].startswith("```") else None
        first, number = number, number + 1
        if opening is None:
            continue
        ends = closings.get(opening[1], [])
        place = bisect_left(ends, number)
        if place < len(ends):
            text = "".join(f"{line}\n" for line in lines[number : ends[place]])
            above, below = int(opening[2] or 0), int(opening[3] or 0)
            blocks.append(SuggestionBlock(above, below, text, first, ends[place]))
            number = ends[place] + 1
    return blocks


class _Place(NamedTuple):
    sha: str
    path: str
    line: int


def _new_line(position: Mapping[str, object]) -> _Place | None:
    """The line of the new file, where the position has one."""
    sha, path, line = (position.get(name) for name in ("head_sha", "new_path", "new_line"))
    return _Place(sha, path, line) if isinstance(sha, str) and isinstance(path, str) and isinstance(line, int) else None


def file_lines(content: str) -> list[str]:
    """The lines of a file with their ends, as git counts them: other signs end none."""
    return StringIO(content, newline="\n").readlines()


def proposed(repository: Repository, body: str, position: Mapping[str, object] | None) -> list[dict[str, Any]]:
    """The suggestions of a note; only lines of the new file can be replaced."""
    blocks = suggestion_blocks(body)
    place = _new_line(position or {})
    if not blocks or place is None:
        return []
    blob = objects.find_blob(repository, place.sha, place.path, LARGEST_FILE)
    if blob is None:
        return []
    lines, line = file_lines(text(blob.content)), place.line
    result = []
    for order, block in enumerate(blocks):
        above = min(block.above, MOST_LINES, line - 1)
        below = min(block.below, MOST_LINES, max(0, len(lines) - line))
        result.append(
            {
                "relative_order": order,
                "lines_above": above,
                "lines_below": below,
                "from_content": "".join(lines[line - 1 - above : line + below]),
                "to_content": block.text,
            }
        )
    return result


def store(tx: Connection, note_id: int, proposals: Sequence[Mapping[str, object]]) -> None:
    """Replace the suggestions of a note."""
    tx.execute(delete(suggestions).where(suggestions.c.note_id == note_id, ~suggestions.c.applied))
    if proposals:
        tx.execute(insert(suggestions), [{**one, "note_id": note_id} for one in proposals])
