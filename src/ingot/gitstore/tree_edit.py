"""Changes a tree path by path, reading and writing only the folders on the way."""

from __future__ import annotations

from collections.abc import Sequence

from pygit2.enums import ObjectType

from ingot.gitstore.commit_objects import write_object
from ingot.gitstore.errors import CorruptRepository, InvalidPath
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.gitstore.repository import Repository

FILE, EXECUTABLE, FOLDER, SUBMODULE = "100644", "100755", "40000", "160000"


def split_path(path: str) -> list[bytes]:
    """Components of a path inside a repository; refuses paths that leave it or damage a checkout."""
    try:
        parts = path.lstrip("/").encode("utf-8").split(b"/")
    except UnicodeEncodeError:
        raise InvalidPath(path) from None
    bad = {b"", b".", b".."}
    if b"\0" in path.encode() or any(part in bad or part.lower() == b".git" or len(part) > 255 for part in parts):
        raise InvalidPath(path)
    return parts


class Folder:
    """A tree opened for change. Sub-folders open when a path leads through them."""

    def __init__(self, repo: Repository, tree: str | None) -> None:
        self._repo = repo
        self._original = tree
        self._dirty = False
        self._loaded: dict[bytes, tuple[str, str] | Folder] | None = None if tree else {}

    def find(self, parts: Sequence[bytes]) -> tuple[str, str] | Folder | None:
        """(mode, id) of a file, a Folder, or None."""
        result = self._entries.get(parts[0])
        if len(parts) == 1:
            return self._open(parts[0]) if _is_folder(result) else result
        if not _is_folder(result):
            return None
        return self._open(parts[0]).find(parts[1:])

    def has_file_on_the_way(self, parts: Sequence[bytes]) -> bool:
        return any(isinstance(self.find(parts[:end]), tuple) for end in range(1, len(parts)))

    def put(self, parts: Sequence[bytes], mode: str, blob: str) -> None:
        self._dirty = True
        if len(parts) == 1:
            self._entries[parts[0]] = (mode, blob)
            return
        if not _is_folder(self._entries.get(parts[0])):
            self._entries[parts[0]] = Folder(self._repo, None)
        self._open(parts[0]).put(parts[1:], mode, blob)

    def remove(self, parts: Sequence[bytes]) -> None:
        self._dirty = True
        if len(parts) == 1:
            del self._entries[parts[0]]
        else:
            self._open(parts[0]).remove(parts[1:])

    def write(self) -> str:
        """Id of the tree as it is now; folders that became empty disappear, as git has none."""
        if not self._dirty and self._original:
            return self._original
        rows = []
        for name, entry in self._entries.items():
            if isinstance(entry, Folder):
                entry = (FOLDER, entry.write())
                if entry[1] == EMPTY_TREE_ID:
                    continue
            rows.append((name + b"/" if _is_folder(entry) else name, name, *entry))
        rows.sort()
        body = b"".join(b"%s %s\0%s" % (mode.encode(), name, bytes.fromhex(sha)) for _, name, mode, sha in rows)
        return write_object(self._repo, ObjectType.TREE, body)

    @property
    def _entries(self) -> dict[bytes, tuple[str, str] | Folder]:
        if self._loaded is None:
            self._loaded = dict(_read(self._repo, self._original or EMPTY_TREE_ID))
        return self._loaded

    def _open(self, name: bytes) -> Folder:
        entry = self._entries[name]
        if isinstance(entry, tuple):
            entry = self._entries[name] = Folder(self._repo, entry[1])
        return entry


def _is_folder(entry: tuple[str, str] | Folder | None) -> bool:
    return isinstance(entry, Folder) or (entry is not None and entry[0] == FOLDER)


def _read(repo: Repository, tree: str) -> list[tuple[bytes, tuple[str, str]]]:
    result = repo.odb.get(tree)
    if result is None:
        if tree == EMPTY_TREE_ID:
            return []
        raise CorruptRepository
    raw, at, rows = result.read_raw(), 0, []
    while at < len(raw):
        blank = raw.index(b" ", at)
        end = raw.index(b"\0", blank)
        rows.append((raw[blank + 1 : end], (raw[at:blank].decode(), raw[end + 1 : end + 21].hex())))
        at = end + 21
    return rows
