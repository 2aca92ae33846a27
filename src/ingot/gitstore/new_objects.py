"""The objects of a small push, judged while they wait in quarantine: git keeps fewer than a hundred in a file each.

Larger pushes arrive as a pack, which the pre-receive hook lets git look through.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ingot.kit.patterns import HEX, consists_of

LARGEST = {"commit": 999_999, "tag": 999_999, "tree": 4_999_999}
TOO_LARGE = "GitLab: A commit, tag or folder is too large: {} (commits and tags have at most 1 MB, folders 5 MB)."
POINTER_BYTES = 1024
# Compressed content may begin with a table of some hundred bytes before the first byte of the object.
_BEGINNING_BYTES = 4096
_HEADER_BYTES = 64
_POINTER = b"version https://git-lfs.github.com/spec/v1"
_NAME = b"oid sha256:"


class NewObjects(msgspec.Struct, frozen=True):
    """`too_large` names the first that may not come in; `pointers` the large files that pointers of Git LFS name."""

    too_large: str | None
    pointers: list[str]
    parents: dict[str, list[str]]
    """Of each new commit."""

    def leads_to(self, new: str, old: str) -> bool:
        """The new commits alone show that `new` builds on `old`. Otherwise git has to be asked."""
        seen, pending = {new}, [new]
        while pending:
            for parent in self.parents.get(pending.pop(), ()):
                if parent == old:
                    return True
                if parent not in seen:
                    seen.add(parent)
                    pending.append(parent)
        return False


def read_new_objects(quarantine: Path) -> NewObjects:
    """Look at every object; contents only of commits and of small files."""
    pointers: set[str] = set()
    parents: dict[str, list[str]] = {}
    for sha, file in _files(quarantine):
        with file.open("rb") as opened:
            unpacker = zlib.decompressobj()
            beginning = unpacker.decompress(opened.read(_BEGINNING_BYTES), _HEADER_BYTES)
            header, _, content = beginning.partition(b"\0")
            kind, _, size = header.decode().partition(" ")
            if int(size) > LARGEST.get(kind, int(size)):
                return NewObjects(f"{kind} {size} {sha}", [], {})
            if kind == "commit" or (kind == "blob" and int(size) < POINTER_BYTES):
                rest = unpacker.unconsumed_tail + opened.read()
                content += unpacker.decompress(rest, int(size))
        if kind == "commit":
            parents[sha] = _parents(content)
        elif kind == "blob" and (name := pointer_name(content)) is not None:
            pointers.add(name)
    return NewObjects(None, sorted(pointers), parents)


def _files(quarantine: Path) -> Iterator[tuple[str, Path]]:
    for folder in os.listdir(quarantine):  # noqa: PTH208 - names are all that is needed
        if len(folder) == 2:
            for name in os.listdir(quarantine / folder):  # noqa: PTH208
                if len(name) == 38:
                    yield folder + name, quarantine / folder / name


def _parents(content: bytes) -> list[str]:
    headers = content.partition(b"\n\n")[0].split(b"\n")
    return [line[7:].decode("ascii", "replace") for line in headers if line.startswith(b"parent ")]


def pointer_name(content: bytes) -> str | None:
    """The name of the large file, where the content is a pointer of Git LFS."""
    first, *lines = content.split(b"\n")
    line = next((line for line in lines if not line.startswith(b"ext-")), b"")
    name = line.removeprefix(_NAME).decode("ascii", "replace")
    is_name = line.startswith(_NAME) and len(name) == 64 and consists_of(name, HEX)
    return name if first == _POINTER and is_name else None
