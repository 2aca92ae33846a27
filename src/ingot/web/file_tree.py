"""The changed files as folders, in the order in which a page shows them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ingot.gitstore.diff_stats import DiffStats
from ingot.web.diffs import anchor_of
from ingot.web.shown_files import FileDiff

MOST_LISTED = 500
MOST_DEPTH = 12  # folders inside each other; the names of deeper ones stand before those of their files
KINDS = {"A": "new", "D": "deleted", "R": "renamed"}


class TreeFile(msgspec.Struct):
    """A changed file, and where it is shown."""

    path: str
    href: str
    kind: str
    added: int
    removed: int
    shown: FileDiff | None = None  # on this page

    @property
    def folder(self) -> str:
        """The folder that it is listed in."""
        return "/".join(self.path.split("/")[:-1][:MOST_DEPTH])

    @property
    def name(self) -> str:
        """The file inside that folder."""
        return self.path[len(self.folder) :].lstrip("/")


class TreeFolder(msgspec.Struct):
    """A folder with what changed in it; one that holds nothing but another one bears both names."""

    name: str
    entries: list[TreeFolder | TreeFile] = []

    is_folder = True


class FileTree(msgspec.Struct):
    """The folders at the top, how many files there are in all, and how many of them are not listed."""

    entries: list[TreeFolder | TreeFile]
    count: int
    added: int
    removed: int
    left_out: int = 0
    matching: int = 0  # of those that are listed, where words narrow the list
    before: str = ""  # the addresses of the files around the one that is shown alone
    after: str = ""


class Places(msgspec.Struct, frozen=True):
    """Where files are shown: on pages of so many files each, 0 for a single page, or each alone."""

    query: str = ""
    per_page: int = 0
    is_alone: bool = False

    def of(self, number: int, anchor: str, *, is_here: bool) -> str:
        """The address of the file with this number in the order of the changes."""
        if is_here and not self.is_alone:
            return f"#{anchor}"
        page = f"page={number // self.per_page + 1}" if self.per_page else ""
        alone = f"file={anchor}" if self.is_alone else ""
        query = "&".join(part for part in (self.query, page, alone) if part)
        return f"?{query}#{anchor}"


def file_tree(files: Sequence[FileDiff], stats: DiffStats | None, places: Places, words: str = "") -> FileTree:
    """All changed files, where git has counted them, else those of the page; of those the ones with all `words`."""
    shown = {file.path: file for file in files}
    if stats is not None and (places.is_alone or stats.count <= MOST_LISTED):
        rows = [
            TreeFile(
                row.path, places.of(number, anchor_of(row.path), is_here=row.path in shown), KINDS.get(row.status, ""),
                row.added, row.removed, shown.get(row.path),
            )
            for number, row in enumerate(stats.files)
        ]  # fmt: skip
    else:
        rows = [TreeFile(file.path, f"#{file.anchor}", file.kind, file.added, file.removed, file) for file in files]
    given = words.lower().split()
    listed = [row for row in rows if all(word in row.path.lower() for word in given)][:MOST_LISTED]
    count = stats.count if stats is not None else len(files)
    added, removed = _sums(files, stats)
    left_out = count - len(rows) if not given else 0
    tree = FileTree(_folders(listed), count, added, removed, max(0, left_out), len(listed))
    if places.is_alone:
        here = next((number for number, row in enumerate(rows) if row.shown is not None), 0)
        tree.before, tree.after = rows[here - 1].href if here else "", rows[here + 1].href if rows[here + 1 :] else ""
    return tree


def _sums(files: Sequence[FileDiff], stats: DiffStats | None) -> tuple[int, int]:
    if stats is not None:
        return stats.added, stats.removed
    return sum(file.added for file in files), sum(file.removed for file in files)


def _folders(files: Sequence[TreeFile]) -> list[TreeFolder | TreeFile]:
    root = TreeFolder("")
    known = {"": root}
    for file in files:
        _folder(known, file.folder).entries.append(file)
    return [_joined(entry) for entry in root.entries]


def _folder(known: dict[str, TreeFolder], path: str) -> TreeFolder:
    if path not in known:
        above, _, name = path.rpartition("/")
        known[path] = TreeFolder(name, [])
        _folder(known, above).entries.append(known[path])
    return known[path]


def _joined(entry: TreeFolder | TreeFile) -> TreeFolder | TreeFile:
    """Folders that hold a single folder, as one."""
    if isinstance(entry, TreeFile):
        return entry
    while len(entry.entries) == 1 and isinstance(only := entry.entries[0], TreeFolder):
        entry = TreeFolder(f"{entry.name}/{only.name}", only.entries)
    return TreeFolder(entry.name, [_joined(inside) for inside in entry.entries])
