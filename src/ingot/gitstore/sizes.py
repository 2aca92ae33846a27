"""Size limits for objects that are read whole. Larger ones are streamed, or refused with a message.

A push of half a megabyte can hold an object of hundreds: nothing in this process may grow with what somebody stored.
"""

from __future__ import annotations

from ingot.gitstore.errors import ObjectTooLarge
from ingot.gitstore.repository import LARGEST_OBJECT, Repository
from ingot.gitstore.streams import stream

MEGABYTE = 1 << 20
LARGEST_SHOWN = 10 * MEGABYTE
"""Bytes of a file in JSON answers: base64 content and blame."""
IN_PROCESS = MEGABYTE // 2
"""Bytes of a file that is read or written here. The library lets no other thread work meanwhile; git is a process."""
LARGEST_MESSAGE = 1_000_000
"""Bytes of a commit or tag. The pre-receive hook knows the same limits."""

_LIMITS = {b"commit": LARGEST_MESSAGE, b"tag": LARGEST_MESSAGE, b"tree": LARGEST_OBJECT}


def check_objects(repo: Repository) -> None:
    """Raise ObjectTooLarge when the repository holds a commit, tag or tree above its limit."""
    list_sizes = ["cat-file", "--batch-all-objects", "--unordered", "--buffer"]
    rest = b""
    for chunk in stream(repo.path, [*list_sizes, "--batch-check=%(objecttype) %(objectsize)"]):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            kind, _, size = line.partition(b" ")
            if kind in _LIMITS and int(size) >= _LIMITS[kind]:
                raise ObjectTooLarge(f"The repository has a {kind.decode()} of {int(size)} bytes, which is too large.")
