"""Applying suggestions to files: new contents, and the commit message."""

from collections.abc import Sequence
from typing import NamedTuple

from ingot.features.planning.notes import LARGEST_FILE, file_lines
from ingot.features.review.merge_request_threads.outdated import Lines, lines_of_suggestion
from ingot.features.review.merge_request_threads.rows import PlacedSuggestionRow
from ingot.gitstore import Repository, objects
from ingot.gitstore.commit import FileAction
from ingot.kit.errors import Failure
from ingot.kit.patterns import pattern

DEFAULT_MESSAGE = "Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)"
CHANGED = "A file has been changed."
_VARIABLE = pattern(r"%\{([a-z_]+)\}")


class _Change(NamedTuple):
    """Lines of a file, as they are at the head, and what takes their place."""

    first: int
    last: int
    old: str
    new: str


def edited_files(repository: Repository, head: str, rows: Sequence[PlacedSuggestionRow]) -> list[FileAction]:
    """The files with all suggestions in place; 400 where a line is no longer what the suggestion replaces."""
    by_path: dict[str, list[_Change]] = {}
    for row in rows:
        path, numbers = lines_of_suggestion(repository, row, head) or _as_written(row)
        if not numbers:
            raise Failure(400, CHANGED)
        change = _Change(numbers[0], numbers[-1], row.from_content, row.to_content)
        by_path.setdefault(path, []).append(change)
    return [FileAction("update", path, _edited(repository, head, path, group)) for path, group in by_path.items()]


def _as_written(row: PlacedSuggestionRow) -> Lines:
    """Where its note says, if it does not say of which commit."""
    line = row.position["new_line"]
    return row.position["new_path"], list(range(line - row.lines_above, line + row.lines_below + 1))


def _edited(repository: Repository, head: str, path: str, changes: Sequence[_Change]) -> str:
    blob = objects.find_blob(repository, head, path, LARGEST_FILE)
    if blob is None:
        raise Failure(400, "A file was not found.")
    try:
        lines = file_lines(blob.content.decode())
    except UnicodeDecodeError:
        raise Failure(400, "Can't apply this suggestion.") from None
    lowest = len(lines) + 1
    # From the bottom up, so that line numbers above stay valid.
    for first, last, old, new in sorted(changes, key=lambda one: -one.last):
        if last >= lowest:
            raise Failure(400, "Suggestions are not applicable as their lines cannot overlap.")
        if "".join(lines[first - 1 : last]) != old:
            raise Failure(400, CHANGED)
        lines[first - 1 : last] = [new.replace("\n", "\r\n") if old.endswith("\r\n") else new]
        lowest = first
    return "".join(lines)


def commit_message(template: str | None, values: dict[str, str]) -> str:
    """The template with its variables; unknown ones stay as they are."""
    text = template or DEFAULT_MESSAGE
    return _VARIABLE.sub(lambda result: values.get(result[1], result[0]), text)
