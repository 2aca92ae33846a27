"""Which diff threads and suggestions stand on lines that a newer head has changed, and where the others went."""

from collections.abc import Iterable, Mapping, Sequence

from ingot.features.review.merge_request_threads.rows import PlacedSuggestionRow, PlacedThreadRow
from ingot.gitstore import Repository
from ingot.gitstore.moved_lines import moves
from ingot.gitstore.names import is_sha

Lines = tuple[str, list[int]]  # a path and numbers


def outdated_threads(repository: Repository, rows: Sequence[PlacedThreadRow], head: str) -> list[str]:
    """Discussion ids of the threads (rows with `position`) whose line differs at `head`."""
    return list(dict.fromkeys(row.discussion_id for row in rows if _is_gone(lines_now(repository, row.position, head))))


def outdated_suggestions(
    repository: Repository, rows: Iterable[PlacedSuggestionRow], head: str
) -> list[PlacedSuggestionRow]:
    """Those of which a line differs at `head`."""
    return [row for row in rows if _is_gone(lines_of_suggestion(repository, row, head))]


def lines_of_suggestion(repository: Repository, row: PlacedSuggestionRow, head: str) -> Lines | None:
    """The lines at `head` that a suggestion replaces; as `lines_now`."""
    return lines_now(repository, row.position, head, row.lines_above, row.lines_below)


def lines_now(
    repository: Repository, position: Mapping[str, object] | None, head: str, above: int = 0, below: int = 0
) -> Lines | None:
    """The line of a position at `head`, and those around it; None where the position has no line, or nobody knows.

    Without numbers where one of them is gone or different, or where there are others between them now.
    """
    place = position or {}
    path, line, written_at = place.get("new_path"), place.get("new_line"), place.get("head_sha")
    if not (isinstance(path, str) and isinstance(line, int) and isinstance(written_at, str) and is_sha(written_at)):
        return None
    moved = moves(repository, written_at, head, [path])
    if path in moved.unknown:
        return None
    first = moved.line(path, line - above)
    expected = [] if first is None else list(range(first, first + above + below + 1))
    found = [moved.line(path, number) for number in range(line - above, line + below + 1)]
    return moved.path(path), expected if found == expected else []


def _is_gone(lines: Lines | None) -> bool:
    return lines is not None and not lines[1]
