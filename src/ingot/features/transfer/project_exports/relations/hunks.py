"""`note_diff_file` of notes on lines: the lines above a note, so that it can be read without its diff."""

import io
from functools import lru_cache
from typing import Any

from ingot.features.planning.notes import NoteRow
from ingot.gitstore import GitError, Repository, diff
from ingot.gitstore.diff import DiffLimits
from ingot.kit.patterns import pattern

HEAD = pattern(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
REMEMBERED = 32  # files whose diff several notes share


class Hunks:
    """Looks up the diffs of one repository."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._file = lru_cache(REMEMBERED)(self._look_up)

    def of(self, row: NoteRow) -> dict[str, Any] | None:
        """The hunk of a note on a line that git still has; imported notes have their own."""
        place = row.original_position or row.position
        if row.type != "DiffNote" or not place or row.imported_from not in (None, "none"):
            return None
        shas = place.get("base_sha"), place.get("head_sha")
        paths = place.get("old_path") or place.get("new_path"), place.get("new_path") or place.get("old_path")
        file = self._file(*shas, *paths) if all((*shas, *paths)) else None
        hunk = None if file is None else hunk_at(file.diff, place.get("old_line"), place.get("new_line"))
        if file is None or hunk is None:
            return None
        return {
            "new_file": file.new_file,
            "renamed_file": file.renamed_file,
            "deleted_file": file.deleted_file,
            "a_mode": file.a_mode,
            "b_mode": file.b_mode,
            "new_path": file.new_path,
            "old_path": file.old_path,
            "diff_export": hunk,
        }

    def _look_up(self, base: str, head: str, old_path: str, new_path: str) -> Any:
        try:
            if any(self._repository.find_object(sha) is None for sha in (base, head)):
                return None
            result = diff.diff(self._repository, base, head, limits=DiffLimits(), paths=(old_path, new_path)).files
        except GitError:
            return None
        return next((file for file in result if file.new_path == new_path), None)


def hunk_at(text: str, old_line: int | None, new_line: int | None) -> str | None:
    """The hunk with this line, up to and with it; None where the diff does not show the line."""
    remaining: list[str] = []
    old = new = 0
    for line in io.StringIO(text, newline="\n"):  # as git counts lines: form feeds and the like do not end a line
        head = HEAD.match(line) if line.startswith("@@") else None
        if head is not None:
            remaining, old, new = [line], int(head[1]), int(head[2])
            continue
        if not remaining:
            continue
        remaining.append(line)
        on_old, on_new = line[0] in " -", line[0] in " +"
        fits_old = old_line is None or (on_old and old == old_line)
        fits_new = new_line is None or (on_new and new == new_line)
        if fits_old and fits_new and (on_old or on_new):
            return "".join(remaining)
        old, new = old + on_old, new + on_new
    return None
