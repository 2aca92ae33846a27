"""References read directly from their files if there are few: starting a process costs more."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ingot.gitstore.names import BRANCHES

MOST = 500
LARGEST_PACKED = 256 * 1024
_HEX = frozenset(b"0123456789abcdef")


def few_branches(path: Path) -> dict[bytes, str] | None:
    """The commit of each branch by its name, unsorted; None if there are many, or one that only git can resolve."""
    prefix = BRANCHES.encode()
    refs = few_refs(path, prefix)
    return None if refs is None else {name[len(prefix) :]: sha for name, sha in refs.items()}


def few_refs(
    path: Path, prefix: bytes = b"refs/", hidden: Sequence[bytes] = (), most: int = MOST
) -> dict[bytes, str] | None:
    """What each ref below the prefix holds by its full name, unsorted, without those below a hidden prefix.

    None where more than `most` are loose or twice as many there, or git must explain one. Prefixes end with a slash.
    """
    # Loose refs first: one that is packed meanwhile is then found in the packed file.
    loose: dict[bytes, str] = {}
    if not _read_folder(os.fsencode(path), prefix, hidden, most, loose):
        return None
    packed = _packed(path / "packed-refs", prefix, hidden)
    if packed is None:
        return None
    packed.update(loose)
    return packed if len(packed) <= 2 * most else None


def _read_folder(root: bytes, prefix: bytes, hidden: Sequence[bytes], most: int, result: dict[bytes, str]) -> bool:
    if prefix in hidden:
        return True
    try:
        with os.scandir(root + b"/" + prefix) as listed:
            entries = list(listed)
    except FileNotFoundError:
        return True
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if not _read_folder(root, prefix + entry.name + b"/", hidden, most, result):
                return False
        elif not entry.name.startswith(b".") and not entry.name.endswith(b".lock"):
            value = _value(entry.path)
            if value == "":
                continue
            if value is None or len(result) >= most:
                return False
            result[prefix + entry.name] = value
    return True


def _value(file: bytes) -> str | None:
    """The id in a ref's file; empty if it was deleted meanwhile, None for other content."""
    try:
        with open(file, "rb", buffering=0) as opened:  # noqa: PTH123 - names are bytes
            content = opened.read(64)
    except FileNotFoundError:
        return ""
    sha = content.rstrip(b"\n")
    return sha.decode() if _is_id(sha) else None


def _is_id(sha: bytes) -> bool:
    return len(sha) == 40 and _HEX.issuperset(sha)


def _packed(file: Path, prefix: bytes, hidden: Sequence[bytes]) -> dict[bytes, str] | None:
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_PACKED + 1)
    except FileNotFoundError:
        return {}
    if len(content) > LARGEST_PACKED:
        return None
    start, left_out = b" " + prefix, tuple(b" " + name for name in hidden)
    return {
        line[41:]: line[:40].decode()
        for line in content.splitlines()
        if line[40:].startswith(start) and not (left_out and line[40:].startswith(left_out))
    }
