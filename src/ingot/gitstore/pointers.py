"""Pointers of Git LFS: which ones new commits have, how they are written, and which paths are to have them."""

from __future__ import annotations

import pygit2
from pygit2.enums import AttrCheck

from ingot.gitstore.new_commits import Source, new_files, sizes_of
from ingot.gitstore.new_objects import POINTER_BYTES, pointer_name
from ingot.gitstore.objects import blob_size, read_blob
from ingot.gitstore.repository import Repository

RULES = ".gitattributes"
LONGEST_RULES = 100_000  # bytes
# Only the files of the commit count, none of the machine.
_OF_COMMIT = AttrCheck.INCLUDE_COMMIT | AttrCheck.INDEX_ONLY | AttrCheck.NO_SYSTEM


def new_pointers(repo: Repository, tip: str) -> set[str]:
    """The large files that pointers name in commits which no branch or tag of the repository leads to yet."""
    source = Source([tip])
    names = set()
    for files in new_files(repo, source):
        sizes = sizes_of(repo, source, [file.blob_id for file in files])
        for blob_id in {blob_id for blob_id, size in sizes.items() if size < POINTER_BYTES}:
            name = pointer_name(read_blob(repo, blob_id))
            if name is not None:
                names.add(name)
    return names


def is_large_file(repo: Repository, commit: str | None, path: str) -> bool:
    """`.gitattributes` of the commit say that the path is kept in Git LFS."""
    if commit is None or not _has_rules(repo, commit, path):
        return False
    return repo.odb.get_attr(path, "filter", _OF_COMMIT, commit) == "lfs"


def _has_rules(repo: Repository, commit: str, path: str) -> bool:
    """A folder on the way has rules. Very long ones do not count: every file of a commit is compared with each rule."""
    tree = repo.odb[commit].peel(pygit2.Tree)
    sizes = []
    for part in ("", *path.split("/")[:-1]):
        if part:
            if part not in tree:
                break
            folder = tree[part]
            if not isinstance(folder, pygit2.Tree):
                break
            tree = folder
        if RULES in tree:
            sizes.append(blob_size(repo, str(tree[RULES].id)) or 0)
    return bool(sizes) and max(sizes) <= LONGEST_RULES


def write_pointer(name: str, size: int) -> bytes:
    """The pointer to a large file."""
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{name}\nsize {size}\n".encode()
