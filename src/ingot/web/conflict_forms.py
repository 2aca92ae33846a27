"""The form that resolves conflicts: what it offers for each file, what was chosen, and what it means to git.

Choices come back by the path of a file and the key of a conflict. So those that still fit stay when the branches move.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha1

import msgspec

from ingot.gitstore.conflicts import MOST_FILES, Choice, Conflict, Why
from ingot.gitstore.hunks import OURS, THEIRS, Side, with_marks
from ingot.kit.errors import Unprocessable
from ingot.web.call import PageCall
from ingot.web.conflict_rows import MARKS, ConflictRow, conflict_rows
from ingot.web.sending import texts

BY_HUNK, EDIT = "hunks", "edit"
SIDES: dict[str, Side] = {OURS: OURS, THEIRS: THEIRS}
GONE = {"gone_ours": OURS, "gone_theirs": THEIRS}
REASONS: dict[Why, str] = {
    "gone_ours": "{source} deleted this file, but {target} changed it.",
    "gone_theirs": "{target} deleted this file, but {source} changed it.",
    "gone_both": "Both branches renamed this file, each to a different name.",
    "submodule": "This is a submodule, and each branch points to a different commit.",
    "link": "This is a symbolic link on one of the branches, so it has no lines to choose from.",
    "binary": "This is a binary file, so there are no lines to choose from.",
    "large": "This file is larger than 256 KB, which is too large to show here.",
    "crowded": "The page has reached its line limit, so this file is not shown.",
    "marks": "Some lines of this file look like Git conflict markers.",
    "lines_fit": "The content merges without conflicts, but the branches gave the file different names or modes.",
}


class FileForm(msgspec.Struct):
    """A file that conflicts, with what was chosen so far."""

    file: Conflict
    number: int
    rows: list[ConflictRow]
    why: str
    options: list[tuple[str, str]]
    chosen: str
    sides: dict[str, Side]  # by the key of the conflict
    content: str  # to edit
    has_crlf: bool
    seen: str  # tells whether the file is still what the person looked at
    has_changed: bool


def file_forms(call: PageCall, files: list[Conflict], heads: str, source: str, target: str) -> list[FileForm]:
    """The files as the page shows them. Choices of a form that was refused are kept."""
    sent = {path: number for number, path in _sent_paths(call)}
    return [_file_form(call, file, number, sent, (heads, source, target)) for number, file in enumerate(files)]


def _file_form(
    call: PageCall, file: Conflict, number: int, sent: Mapping[str, int], of: tuple[str, str, str]
) -> FileForm:
    heads, source, target = of
    words = REASONS[file.why].format(source=source, target=target) if file.why else ""
    marked = with_marks(file.parts, source, target) if file.parts is not None and file.is_editable else ""
    seen = sha1((heads if file.parts is None else repr(file.parts)).encode(), usedforsecurity=False).hexdigest()[:16]
    at = sent.get(file.path, -1)
    options = list(_options(file, source, target))
    chosen = str(call.values.get(f"choice_{at}") or (BY_HUNK if file.hunks else ""))
    return FileForm(
        file, number, conflict_rows(file.parts, source, target) if file.parts is not None else [], words, options,
        chosen if chosen in dict(options) else "", _sent_sides(call, at),
        _content(call, at) or marked.replace("\r\n", "\n"), "\r\n" in marked,
        seen, at >= 0 and call.values.get(f"seen_{at}") != seen,
    )  # fmt: skip


def _options(file: Conflict, source: str, target: str) -> Iterator[tuple[str, str]]:
    if file.hunks:
        yield BY_HUNK, "Choose a side for each conflict below"
    for side, branch in ((OURS, source), (THEIRS, target)):
        is_gone = file.why == "gone_both" or GONE.get(file.why or "") == side
        yield side, f"Delete the file, as on {branch}" if is_gone else f"Use the file from {branch}"
    if file.is_editable:
        yield EDIT, "Edit the file myself"


def choices(call: PageCall) -> Iterator[tuple[str, Choice]]:
    """What the form says of each file that has a choice. Unprocessable where a text still has marks."""
    for number, path in _sent_paths(call):
        chosen = str(call.values.get(f"choice_{number}"))
        if chosen in SIDES:
            yield path, SIDES[chosen]
        elif chosen == BY_HUNK:
            yield path, _sent_sides(call, number)
        elif chosen == EDIT:
            yield path, _typed(call, number, path)


def _typed(call: PageCall, number: int, path: str) -> bytes:
    content = _content(call, number)
    at = next((at for at, line in enumerate(content.split("\n"), 1) if line.startswith(MARKS)), None)
    if at is not None:
        raise Unprocessable(f"Resolve {path}: line {at} still has a conflict marker.")
    return content.replace("\n", "\r\n" if f"crlf_{number}" in call.values else "\n").encode()


def _content(call: PageCall, number: int) -> str:
    return texts(call, (f"content_{number}",)).get(f"content_{number}", "")


def _sent_paths(call: PageCall) -> Iterator[tuple[int, str]]:
    for number in range(MOST_FILES):
        path = call.values.get(f"path_{number}")
        if not isinstance(path, str):
            return
        yield number, path


def _sent_sides(call: PageCall, number: int) -> dict[str, Side]:
    start = f"hunk_{number}_"
    return {
        name.removeprefix(start): SIDES[side]
        for name, side in call.values.items()
        if name.startswith(start) and isinstance(side, str) and side in SIDES
    }
