"""Which diff threads stand on lines that a newer head has changed."""

from collections.abc import Sequence

from ingot.features.planning.notes import lines_of
from ingot.features.review.merge_request_threads.rows import PlacedThreadRow
from ingot.gitstore import GitError, Repository, diff


def outdated_threads(repository: Repository, rows: Sequence[PlacedThreadRow], head: str) -> list[str]:
    """Discussion ids of the threads (rows with `position`) whose line differs at `head`."""
    changed: dict[tuple[str, str], set[int]] = {}
    result = []
    for row in rows:
        place = row.position or {}
        path, line, written_at = place.get("new_path"), place.get("new_line"), place.get("head_sha")
        if not (path and line and written_at) or written_at == head:
            continue
        key = (written_at, path)
        if key not in changed:
            changed[key] = _changed_lines(repository, written_at, head, path)
        if line in changed[key]:
            result.append(row.discussion_id)
    return list(dict.fromkeys(result))


def _changed_lines(repository: Repository, old: str, new: str, path: str) -> set[int]:
    """Lines of the file at `old` that are gone or different at `new`, also under another name."""
    try:
        names = diff.new_names(repository, old, new, [path])
        files = diff.diff(repository, old, new, paths=(path, *names.values()), context=0).files
    except GitError:
        return set()
    return {old_line for file in files for mark, old_line, _ in lines_of(file.diff) if mark == "-"}
