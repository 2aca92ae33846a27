"""Git's own checks of new objects, the same for pushes, bundles, mirrors, and commits that we write.

A tree or a `.gitmodules` file can attack users who check it out. Git knows the dangerous spellings (`git~1`, `.git`
with an invisible letter, `url = -u...`), so git decides; this module only selects what to ask it about.
"""

from __future__ import annotations

import hashlib
import struct
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from ingot.gitstore.errors import CommandFailed, UnsafeObject
from ingot.gitstore.model import EMPTY_TREE_ID, text
from ingot.gitstore.repository import Repository
from ingot.kit.patterns import pattern

# Found in many honest old histories, and harmless.
_IGNORED = ("badTimezone", "missingEmail", "missingSpaceBeforeDate", "zeroPaddedFilemode")
STRICT = "--strict=" + ",".join(f"{name}=ignore" for name in _IGNORED)
_FOLDER = "40000"
_COMPLAINT = pattern(r"^error: object ([0-9a-f]{40}): [A-Za-z0-9]+: (.*)$", multi_line=True)


def check_settings(way: str) -> list[tuple[str, str]]:
    """Configuration that makes git check what comes in; the way is `receive` or `fetch`."""
    return [(f"{way}.fsckObjects", "true"), *((f"{way}.fsck.{name}", "ignore") for name in _IGNORED)]


class NewEntry(msgspec.Struct, frozen=True):
    """A file that a new tree is going to hold at this path."""

    path: Sequence[bytes]
    mode: str
    sha: str


def check_entries(repo: Repository, entries: Iterable[NewEntry]) -> None:
    """Raise UnsafeObject for an entry that a push could not contain. The blobs are in the repository already."""
    trees: dict[bytes, str] = {}
    names: dict[str, str] = {}
    for entry in entries:
        for depth, name in enumerate(entry.path, start=1):
            if not _needs_check(name):
                continue
            is_last = depth == len(entry.path)
            mode, sha = (entry.mode, entry.sha) if is_last else (_FOLDER, EMPTY_TREE_ID)
            body = b"%s %s\0%s" % (mode.encode(), name, bytes.fromhex(sha))
            trees[body] = names[_id_of_tree(body)] = names[sha] = text(b"/".join(entry.path))
    if trees:
        _ask_git(repo, list(trees), names)


def _needs_check(name: bytes) -> bool:
    """Every name that git treats specially has `git` in its ASCII letters, or is a short name with a tilde."""
    plain = bytes(letter for letter in name if letter < 128).lower()
    return b"git" in plain or b"~" in plain


def _ask_git(repo: Repository, trees: list[bytes], names: dict[str, str]) -> None:
    """Let git check trees of one entry each, from a pack that never enters the repository."""
    with tempfile.TemporaryDirectory(prefix="ingot-check-") as folder:
        pack = Path(folder) / "new.pack"
        pack.write_bytes(_pack(trees))
        try:
            repo.git("index-pack", STRICT, "-o", f"{folder}/new.idx", str(pack))
        except CommandFailed as failure:
            complaint = _COMPLAINT.search(failure.stderr)
            if complaint is None:
                raise
            raise UnsafeObject(names.get(complaint[1], ""), complaint[2]) from failure


def _id_of_tree(body: bytes) -> str:
    return hashlib.sha1(b"tree %d\0%s" % (len(body), body), usedforsecurity=False).hexdigest()


def _pack(trees: list[bytes]) -> bytes:
    parts = [struct.pack(">4sII", b"PACK", 2, len(trees))]
    for body in trees:
        parts += [_entry_header(len(body)), zlib.compress(body)]
    content = b"".join(parts)
    return content + hashlib.sha1(content, usedforsecurity=False).digest()


def _entry_header(size: int) -> bytes:
    """Kind (2 is a tree) and size, in git's variable-length form."""
    header, first, size = bytearray(), (2 << 4) | (size & 15), size >> 4
    while size:
        header.append(first | 0x80)
        first, size = size & 0x7F, size >> 7
    header.append(first)
    return bytes(header)
