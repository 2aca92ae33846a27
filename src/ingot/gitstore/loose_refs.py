"""Branches straight from the files that hold them, where they are few: a process costs more than reading those."""

from __future__ import annotations

import os
from pathlib import Path

from ingot.gitstore.names import BRANCHES

MOST = 500
LARGEST_PACKED = 256 * 1024
_HEX = frozenset(b"0123456789abcdef")


def few_branches(path: Path) -> dict[bytes, str] | None:
    """The commit of each branch by its name, unsorted; None where there are many, or one that git must explain."""
    # Loose ones first: one that is packed meanwhile is then found in the file.
    loose: dict[bytes, str] = {}
    if not _read_folder(os.fsencode(path / BRANCHES), b"", loose):
        return None
    packed = _packed(path / "packed-refs")
    return None if packed is None else packed | loose


def _read_folder(folder: bytes, prefix: bytes, result: dict[bytes, str]) -> bool:
    try:
        entries = list(os.scandir(folder))
    except FileNotFoundError:
        return True
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if not _read_folder(entry.path, prefix + entry.name + b"/", result):
                return False
        elif not entry.name.startswith(b".") and not entry.name.endswith(b".lock"):
            value = _value(entry.path)
            if value == "":
                continue
            if value is None or len(result) >= MOST:
                return False
            result[prefix + entry.name] = value
    return True


def _value(file: bytes) -> str | None:
    """The id in a ref's file; empty where it went meanwhile, None where it holds something else."""
    try:
        with open(file, "rb", buffering=0) as opened:  # noqa: PTH123 - names are bytes
            content = opened.read(64)
    except FileNotFoundError:
        return ""
    sha = content.rstrip(b"\n")
    return sha.decode() if _is_id(sha) else None


def _is_id(sha: bytes) -> bool:
    return len(sha) == 40 and _HEX.issuperset(sha)


def _packed(file: Path) -> dict[bytes, str] | None:
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_PACKED + 1)
    except FileNotFoundError:
        return {}
    if len(content) > LARGEST_PACKED:
        return None
    start = b" " + BRANCHES.encode()
    return {line[40 + len(start) :]: line[:40].decode() for line in content.splitlines() if line[40:].startswith(start)}
