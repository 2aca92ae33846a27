"""Positions of diff notes: the commits must exist and the line must be one that the diff shows or borders on."""

from collections.abc import Iterator
from hashlib import sha1
from typing import Any

import msgspec

from ingot.features.planning.notes.errors import invalid_note
from ingot.features.planning.notes.params import LineRange, Position
from ingot.gitstore import Repository, diff, objects, revisions
from ingot.gitstore.diff import DiffLimits, FileDiff
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.gitstore.names import is_sha
from ingot.kit.patterns import pattern

_HUNK = pattern(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
# Unchanged lines can be commented on wherever they are, so the whole file is context.
WHOLE_FILE = 1_000_000
LIMITS = DiffLimits(max_lines=WHOLE_FILE, max_bytes=8_000_000, max_patch_bytes=8_000_000)


def checked_position(repository: Repository, options: Position) -> tuple[dict[str, Any], str | None]:
    """The stored form of the position, and its line code (text only); raises 400 for an invalid one."""
    shas = {"base_sha": options.base_sha, "start_sha": options.start_sha, "head_sha": options.head_sha}
    if not all(is_sha(sha) and revisions.has_object(repository, sha) for sha in shas.values()):
        raise invalid_note(position=["is invalid"])
    paths = tuple(dict.fromkeys(path for path in (options.old_path, options.new_path) if path))
    if not paths:
        raise invalid_note(position=["is incomplete"])
    file = _file(repository, options.base_sha, options.head_sha, (options.old_path, options.new_path), paths)
    if file is None:
        raise _no_line(options.position_type)
    position: dict[str, Any] = {
        **shas,
        "old_path": file.old_path,
        "new_path": file.new_path,
        "position_type": options.position_type,
    }
    match options.position_type:
        case "text":
            if options.old_line is None and options.new_line is None:
                raise invalid_note(position=["is incomplete"])
            code = _line_code(file, options.old_line, options.new_line)
            return {
                **position,
                "old_line": options.old_line,
                "new_line": options.new_line,
                "line_range": _line_range(options.line_range),
            }, code
        case "image":
            if options.x is None or options.y is None or options.width is None or options.height is None:
                raise invalid_note(position=["is incomplete"])
            return {**position, "width": options.width, "height": options.height, "x": options.x, "y": options.y}, None
        case _:
            return position, None


def _file(
    repository: Repository, base: str, head: str, old_and_new: tuple[str | None, str | None], paths: tuple[str, ...]
) -> FileDiff | None:
    """The one file of the diff that has this old and new path."""
    old_path, new_path = old_and_new
    for file in diff.diff(repository, base, head, paths=paths, context=WHOLE_FILE, limits=LIMITS).files:
        if new_path in (None, file.new_path) and old_path in (None, file.old_path, file.new_path):
            return file
    return None


def lines_of(text: str) -> Iterator[tuple[str, int, int]]:
    """Every line of a diff: its sign (`+`, `-` or a space) and its numbers in the old and the new file."""
    old = new = 0
    for line in _each_line(text):
        hunk = _HUNK.match(line) if line.startswith("@@") else None
        if hunk is not None:
            old, new = int(hunk[1]), int(hunk[2])
            continue
        mark = line[:1]
        if mark not in ("+", "-", " ") or not (old or new):
            continue
        yield mark, old, new
        old += mark != "+"
        new += mark != "-"


def _each_line(text: str) -> Iterator[str]:
    """One by one: a list of millions of short lines takes many times their text."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _line_code(file: FileDiff, old_line: int | None, new_line: int | None) -> str:
    for mark, old, new in lines_of(file.diff):
        shown = (None if mark == "+" else old, None if mark == "-" else new)
        if shown == (old_line, new_line):
            return _code(file, old, new)
    raise _no_line("text")


def _code(file: FileDiff, old: int, new: int) -> str:
    path = file.new_path or file.old_path
    return f"{sha1(path.encode(), usedforsecurity=False).hexdigest()}_{old}_{new}"


def _no_line(position_type: str) -> Exception:
    if position_type == "text":
        return invalid_note(line_code=["can't be blank", "must be a valid line code"])
    return invalid_note(position=["is invalid"])


def _line_range(options: LineRange | None) -> dict[str, Any] | None:
    if options is None:
        return None
    return {
        name: None
        if (end := getattr(options, name)) is None
        else {key: getattr(end, key) for key in ("line_code", "type", "old_line", "new_line")}
        for name in ("start", "end")
    }


class LinePosition(msgspec.Struct, frozen=True):
    """A line of a commit's diff, in the older form."""

    path: str
    line: int
    line_type: str


def commit_position(repository: Repository, sha: str, options: LinePosition) -> tuple[dict[str, Any], str | None]:
    """The position of a line in the diff of a commit; unchanged lines near a change count too."""
    parents = objects.get_commit(repository, sha).parent_ids
    base = parents[0] if parents else EMPTY_TREE_ID
    file = _file(repository, base, sha, (None, options.path), (options.path,))
    if file is None:
        raise _no_line("text")
    for mark, old, new in lines_of(file.diff):
        if (options.line_type == "new" and mark != "-" and new == options.line) or (
            options.line_type == "old" and mark != "+" and old == options.line
        ):
            position = {
                "base_sha": parents[0] if parents else None,
                "start_sha": parents[0] if parents else None,
                "head_sha": sha,
                "old_path": file.old_path,
                "new_path": file.new_path,
                "position_type": "text",
                "old_line": None if mark == "+" else old,
                "new_line": None if mark == "-" else new,
                "line_range": None,
            }
            return position, _code(file, old, new)
    raise _no_line("text")
