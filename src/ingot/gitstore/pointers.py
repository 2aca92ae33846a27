"""Pointers of Git LFS: which ones new commits have, how they are written, and which paths are to have them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence

import pygit2
from pygit2.enums import FileMode

from ingot.gitstore.errors import CommitRefused, TimedOut
from ingot.gitstore.new_commits import Source, new_files, sizes_of
from ingot.gitstore.new_objects import POINTER_BYTES, pointer_name
from ingot.gitstore.objects import read_blob
from ingot.gitstore.process import LONG, Limits
from ingot.gitstore.repository import Repository
from ingot.gitstore.streams import stream

ATTRIBUTES = ".gitattributes"
TOO_SLOW = "The patterns in .gitattributes take too long to match."
_FILTER = b"filter=lfs"
_LONG = 1 << 20  # such rules are not read here
_LIMITS = Limits(seconds=5.0)


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


def all_pointers(repo: Repository) -> Iterator[str]:
    """The large files that pointers anywhere in the repository name, also those that no branch leads to any more.

    Raises `GitError` in the end where a branch leads to something that cannot be read: it may have been a pointer.
    """
    check = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
    rest = b""
    for chunk in stream(repo.path, ["cat-file", "--batch-all-objects", "--unordered", "--buffer", check]):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            blob_id, kind, *size = line.split(b" ")
            if kind == b"blob" and int(size[0]) < POINTER_BYTES:
                name = pointer_name(read_blob(repo, blob_id.decode()))
                if name is not None:
                    yield name
    # Git lists what it can read, and passes over a damaged pack.
    repo.git("rev-list", "--objects", "--all", "--quiet", limits=LONG)


def large_files(repo: Repository, commit: str | None, paths: Iterable[str]) -> frozenset[str]:
    """Those paths that `.gitattributes` of the commit put into Git LFS."""
    wanted = sorted(set(paths))
    rules = _rules_on_the_way(repo, commit, wanted) if commit is not None else {}
    # Also a macro names the filter. Most repositories have none, and need no process.
    if not any(blob.size > _LONG or _FILTER in blob.data for blob in rules.values()):
        return frozenset()
    with tempfile.TemporaryDirectory(prefix="ingot-attributes-") as folder:
        index = pygit2.Index(f"{folder}/index")
        for path, blob in rules.items():
            index.add(pygit2.IndexEntry(path, blob.id, FileMode.BLOB))
        index.write()
        return _with_filter(repo, f"{folder}/index", wanted)


def _rules_on_the_way(repo: Repository, commit: str, paths: Iterable[str]) -> dict[str, pygit2.Blob]:
    """The `.gitattributes` in the folders of these paths."""
    root = repo.odb[commit].peel(pygit2.Tree)
    pointers: dict[str, pygit2.Blob] = {}
    for path in paths:
        folder, prefix = root, ""
        for part in [*path.split("/")[:-1], ""]:
            rules = _entry(folder, ATTRIBUTES)
            if isinstance(rules, pygit2.Blob) and rules.filemode in (FileMode.BLOB, FileMode.BLOB_EXECUTABLE):
                pointers[f"{prefix}{ATTRIBUTES}"] = rules
            below = _entry(folder, part)
            if not isinstance(below, pygit2.Tree):
                break
            folder, prefix = below, f"{prefix}{part}/"
    return pointers


def _entry(folder: pygit2.Tree, name: str) -> pygit2.Object | None:
    try:
        return folder[name] if name else None
    except KeyError:
        return None


def _with_filter(repo: Repository, index: str, paths: Sequence[str]) -> frozenset[str]:
    """Asks a process, which can be ended: there are short patterns that take years to match."""
    args = ("check-attr", "--cached", "-z", "--stdin", "filter")
    names = b"".join(path.encode() + b"\0" for path in paths)
    try:
        output = repo.git(*args, stdin=names, env={"GIT_INDEX_FILE": index}, limits=_LIMITS).stdout
    except TimedOut:
        raise CommitRefused(TOO_SLOW) from None
    fields = output.split(b"\0")
    return frozenset(path.decode() for path, value in zip(fields[::3], fields[2::3], strict=False) if value == b"lfs")


def write_pointer(name: str, size: int) -> bytes:
    """The pointer to a large file."""
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{name}\nsize {size}\n".encode()
