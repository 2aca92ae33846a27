"""Locking a path and unlocking it."""

from sqlalchemy import Connection, delete

from ingot.features.code.lfs_locks.queries import find_lock_of_path, is_lockable
from ingot.features.code.lfs_locks.rows import LockRow
from ingot.features.code.lfs_locks.tables import LONGEST_PATH, lfs_locks
from ingot.kit.clock import now
from ingot.kit.errors import Failure
from ingot.kit.upsert import upsert

BAD_PATH = f"The path of a lock has 1 to {LONGEST_PATH} characters, none of them a control character."


class PathLocked(Exception):
    """Somebody has locked the path already."""

    def __init__(self, lock: LockRow) -> None:
        super().__init__(lock.path)
        self.lock = lock


def create_lock(tx: Connection, project_id: int, user_id: int, path: str) -> LockRow:
    """Lock the path for the user; raises PathLocked where a lock exists, also one of their own."""
    if not is_lockable(path):
        raise Failure(422, BAD_PATH)
    values = {"project_id": project_id, "user_id": user_id, "path": path, "created_at": now()}
    new = (
        upsert(tx.dialect.name, lfs_locks).values(values).on_conflict_do_nothing(index_elements=["project_id", "path"])
    )
    is_new = tx.execute(new.returning(lfs_locks.c.id)).first() is not None
    lock = find_lock_of_path(tx, project_id, path)
    if lock is None:  # the other lock was removed in the meantime
        raise Failure(409, "409 Conflict: Resource lock")
    if not is_new:
        raise PathLocked(lock)
    return lock


def remove_lock(tx: Connection, lock: LockRow) -> None:
    """Unlock the path."""
    tx.execute(delete(lfs_locks).where(lfs_locks.c.id == lock.id))
