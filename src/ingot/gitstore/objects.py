"""Commits, trees and blobs, read in process; large blobs and deep listings through git."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import overload

import pygit2
from pygit2.enums import ObjectType, SortMode

from ingot.gitstore.errors import CorruptRepository, ObjectTooLarge, PathNotFound, RevisionNotFound
from ingot.gitstore.model import Blob, Commit, Person, TreeEntry, moment, text
from ingot.gitstore.names import is_sha
from ingot.gitstore.process import Limits
from ingot.gitstore.repository import Repository
from ingot.gitstore.sizes import IN_PROCESS, LARGEST_SHOWN
from ingot.gitstore.streams import stream
from ingot.kit.statements.long_texts import count_text
from ingot.kit.turns import with_turns

_TYPES = {ObjectType.TREE: "tree", ObjectType.BLOB: "blob", ObjectType.COMMIT: "commit"}
_ORDER = {"tree": 0, "blob": 1, "commit": 2}


def get_commit(repo: Repository, sha: str) -> Commit:
    """By full id. RevisionNotFound when it is no commit of this repository."""
    git_object = repo.find_object(sha)
    if not isinstance(git_object, pygit2.Commit):
        raise RevisionNotFound(sha)
    commit = to_commit(git_object)
    count_text(commit.message)
    return commit


_heads: OrderedDict[tuple[str, str], Commit] = OrderedDict()
_MOST_HEADS = 512
_LONGEST_CACHED = 2048  # of a message


def head_commit(repo: Repository, sha: str) -> Commit:
    """As `get_commit`, for the head of a ref; cached."""
    key = (str(repo.path), sha)
    commit = _heads.get(key)
    if commit is None:
        commit = get_commit(repo, sha)
        if len(commit.message) <= _LONGEST_CACHED:
            _heads[key] = commit
            while len(_heads) > _MOST_HEADS:
                _heads.popitem(last=False)
    return commit


def to_commit(result: pygit2.Commit) -> Commit:
    encoding = result.message_encoding
    return Commit(
        id=str(result.id),
        tree_id=str(result.tree_id),
        parent_ids=tuple(str(parent) for parent in result.parent_ids),
        author=_person(result.author, encoding),
        committer=_person(result.committer, encoding),
        message=text(result.raw_message, encoding),
    )


def _person(result: pygit2.Signature, encoding: str | None) -> Person:
    return Person(text(result.raw_name, encoding), text(result.raw_email, encoding), moment(result.time, result.offset))


def find_blob(repo: Repository, sha: str, path: str, most: int = LARGEST_SHOWN) -> Blob | None:
    """The file at `path` in commit `sha`, content included; None when there is none of at most `most` bytes."""
    entry = find_entry(repo, sha, path)
    return None if entry is None or entry.type != "blob" else load_blob(repo, entry, path, most)


def load_blob(repo: Repository, entry: TreeEntry, path: str, most: int = LARGEST_SHOWN) -> Blob | None:
    """The file of an entry, content included; None when it has more than `most` bytes."""
    size = blob_size(repo, entry.id) or 0
    if size > most:
        return None
    content = _content(repo, entry.id, size)
    return Blob(entry.id, path, entry.mode, len(content), content)


def find_entry(repo: Repository, sha: str, path: str) -> TreeEntry | None:
    """The file, folder or submodule at `path`; its content is not read."""
    tree = _root(repo, sha)
    parts = path.strip("/").split("/")
    try:
        for index, part in enumerate(parts):
            raw = part.encode("utf-8", "surrogateescape")
            result = tree[raw.decode("utf-8", "surrogateescape")]
            if index == len(parts) - 1:
                return _entry(result, "/".join(parts[:-1]))
            below = repo.find_object(str(result.id)) if result.type == ObjectType.TREE else None
            if not isinstance(below, pygit2.Tree):
                return None
            tree = below
    except (KeyError, ValueError, UnicodeEncodeError):
        return None
    return None


def blob_size(repo: Repository, blob_id: str) -> int | None:
    """Size without reading the content; None when the id is no blob."""
    if not is_sha(blob_id):
        return None
    try:
        kind, size = repo.odb.odb.read_header(blob_id)
    except (KeyError, ValueError, pygit2.GitError):
        return None
    return size if kind == ObjectType.BLOB else None


def read_blob(repo: Repository, blob_id: str, most: int = LARGEST_SHOWN) -> bytes:
    """The whole content; ObjectTooLarge when it has more than `most` bytes."""
    size = blob_size(repo, blob_id)
    if size is None:
        raise PathNotFound
    if size > most:
        raise ObjectTooLarge
    return _content(repo, blob_id, size)


def _content(repo: Repository, blob_id: str, size: int) -> bytes:
    if size > IN_PROCESS:
        return repo.git("cat-file", "blob", blob_id, limits=Limits(output=size)).stdout
    return repo.odb[blob_id].read_raw()


def stream_blob(repo: Repository, blob_id: str) -> Generator[bytes]:
    """Content in chunks; memory does not grow with the blob."""
    if blob_size(repo, blob_id) is None:
        raise PathNotFound
    return stream(repo.path, ["cat-file", "blob", blob_id], silence=repo.seconds)


def list_tree(repo: Repository, sha: str, path: str = "", *, recursive: bool = False) -> Sequence[TreeEntry]:
    """Folders first, then files, then submodules. PathNotFound when `path` is no folder of this commit."""
    path = path.strip("/")
    tree = _root(repo, sha)
    if path:
        below = find_entry(repo, sha, path)
        git_object = repo.find_object(below.id) if below is not None and below.type == "tree" else None
        if not isinstance(git_object, pygit2.Tree):
            raise PathNotFound
        tree = git_object
    if recursive:
        output = repo.git("ls-tree", "-r", "-t", "-z", "--full-tree", str(tree.id)).stdout
        return _DeepListing(output, f"{path}/" if path else "")
    return sorted((_entry(item, path) for item in with_turns(tree)), key=lambda entry: _ORDER[entry.type])


class _DeepListing(Sequence[TreeEntry]):
    """The entries of git's listing, each made when it is asked for: a few small trees can name a million files."""

    def __init__(self, output: bytes, prefix: str) -> None:
        self._output, self._prefix = output, prefix
        places = {kind: array("L") for kind in (b"tree", b"blob", b"comm")}
        for start in with_turns(_starts(output)):
            places[output[start + 7 : start + 11]].append(start)
        self._places = places[b"tree"] + places[b"blob"] + places[b"comm"]

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> TreeEntry: ...
    @overload
    def __getitem__(self, place: slice) -> list[TreeEntry]: ...
    def __getitem__(self, place: int | slice) -> TreeEntry | list[TreeEntry]:
        if isinstance(place, slice):
            return [self._entry(start) for start in self._places[place]]
        return self._entry(self._places[place])

    def _entry(self, start: int) -> TreeEntry:
        meta, _, raw = self._output[start : self._output.index(b"\0", start)].partition(b"\t")
        mode, kind, sha = meta.decode().split(" ")
        name = text(raw)
        return TreeEntry(sha, name.rpartition("/")[2], kind, self._prefix + name, mode)


def _starts(output: bytes) -> Iterator[int]:
    """Where the records begin; each ends with a zero byte."""
    start = 0
    while start < len(output):
        yield start
        start = output.index(b"\0", start) + 1


def _root(repo: Repository, sha: str) -> pygit2.Tree:
    git_object = repo.find_object(sha)
    if not isinstance(git_object, (pygit2.Commit, pygit2.Tree)):
        raise RevisionNotFound(sha)
    try:
        return git_object.peel(pygit2.Tree)
    except (KeyError, pygit2.GitError) as error:
        raise CorruptRepository from error


def _entry(result: pygit2.Object, folder: str) -> TreeEntry:
    name = text(result.raw_name or b"")
    kind = _TYPES.get(result.type, "blob")
    return TreeEntry(
        str(result.id), name, kind, f"{folder}/{name}" if folder else name, f"{int(result.filemode or 0):06o}"
    )


def merge_base(repo: Repository, first: str, second: str) -> str | None:
    """The best common ancestor, None for unrelated histories."""
    base = repo.odb.merge_base(first, second)
    return None if base is None else str(base)


def merge_bases(repo: Repository, first: str, second: str) -> list[str]:
    """All best common ancestors: several where branches were merged into each other."""
    result = repo.git("merge-base", "--all", first, second, accept=(0, 1))
    return result.stdout.decode().split()


def merge_base_of(repo: Repository, shas: Sequence[str]) -> str | None:
    """Of two or more commits: the best common ancestor of the first and a merge of the others, as in git."""
    base = repo.odb.merge_base_many([pygit2.Oid(hex=sha) for sha in shas])
    return None if base is None else str(base)


def is_ancestor(repo: Repository, ancestor: str, descendant: str) -> bool:
    return ancestor == descendant or bool(repo.odb.descendant_of(descendant, ancestor))


def ahead_behind(repo: Repository, head: str, base: str) -> tuple[int, int]:
    """Commits that only `head` has, commits that only `base` has."""
    ahead, behind = repo.odb.ahead_behind(head, base)
    return ahead, behind


def walk(repo: Repository, head: str, hidden: str | None, limit: int) -> list[Commit]:
    """Commits of `head` that `hidden` does not have, newest first, without starting a process; for short ranges."""
    walker = repo.odb.walk(head, SortMode.TOPOLOGICAL | SortMode.TIME)
    if hidden is not None:
        walker.hide(hidden)
    return [to_commit(item) for item in islice(walker, limit)]
