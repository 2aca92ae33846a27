"""Lock files of refs that a killed git left behind: until they go, nobody can change the ref."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress

from ingot.gitstore.names import is_valid_ref
from ingot.gitstore.repository import Repository

STALE_SECONDS = 120.0
"""Git holds them while it writes the refs of one transaction. Our commands are ended earlier than that."""


def free_stale_locks(repo: Repository, refs: Iterable[str]) -> None:
    """Remove those that stand in the way of these refs."""
    limit = time.time() - STALE_SECONDS
    for name in ("packed-refs", *filter(is_valid_ref, refs)):
        path = f"{repo.path}/{name}.lock"
        with suppress(OSError):  # almost always there is none
            if os.stat(path).st_mtime < limit:  # noqa: PTH116 - for every ref of a push
                os.unlink(path)  # noqa: PTH108
