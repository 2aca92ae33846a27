"""Locks of Git LFS: paths that one person changes at a time."""

from ingot.features.code.lfs_locks.commands import PathLocked, create_lock, remove_lock
from ingot.features.code.lfs_locks.queries import (
    MOST_LISTED,
    LockFilter,
    find_lock,
    has_locks_of_others,
    list_locks,
    refuse_locked_paths,
)
from ingot.features.code.lfs_locks.rows import LockRow

__all__ = [
    "MOST_LISTED", "LockFilter", "LockRow", "PathLocked", "create_lock", "find_lock", "has_locks_of_others",
    "list_locks", "refuse_locked_paths", "remove_lock",
]  # fmt: skip
