"""Applying suggestions to files: new contents, and the commit message."""

from collections.abc import Sequence

from ingot.features.planning.notes import LARGEST_FILE
from ingot.features.review.merge_request_threads.rows import PlacedSuggestionRow
from ingot.gitstore import Repository, objects
from ingot.gitstore.commit import FileAction
from ingot.kit.errors import Failure
from ingot.kit.patterns import pattern

DEFAULT_MESSAGE = "Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)"
_VARIABLE = pattern(r"%\{([a-z_]+)\}")


def edited_files(repository: Repository, head: str, rows: Sequence[PlacedSuggestionRow]) -> list[FileAction]:
    """The files with all suggestions in place; 400 where a line is no longer what the suggestion replaces."""
    by_path: dict[str, list[PlacedSuggestionRow]] = {}
    for row in rows:
        by_path.setdefault(row.position["new_path"], []).append(row)
    return [FileAction("update", path, _edited(repository, head, path, group)) for path, group in by_path.items()]


def _edited(repository: Repository, head: str, path: str, rows: Sequence[PlacedSuggestionRow]) -> str:
    blob = objects.find_blob(repository, head, path, LARGEST_FILE)
    if blob is None:
        raise Failure(400, "A file was not found.")
    try:
        lines = blob.content.decode().splitlines(keepends=True)
    except UnicodeDecodeError:
        raise Failure(400, "Can't apply this suggestion.") from None
    lowest = len(lines) + 1
    # From the bottom up, so that line numbers above stay valid.
    for row in sorted(rows, key=lambda one: -one.position["new_line"]):
        first, last = row.position["new_line"] - row.lines_above, row.position["new_line"] + row.lines_below
        if last >= lowest:
            raise Failure(400, "Suggestions are not applicable as their lines cannot overlap.")
        if "".join(lines[first - 1 : last]) != row.from_content:
            raise Failure(400, "A file has been changed.")
        lines[first - 1 : last] = [row.to_content]
        lowest = first
    return "".join(lines)


def commit_message(template: str | None, values: dict[str, str]) -> str:
    """The template with its variables; unknown ones stay as they are."""
    text = template or DEFAULT_MESSAGE
    return _VARIABLE.sub(lambda result: values.get(result[1], result[0]), text)
