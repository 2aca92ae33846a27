"""Reading locks, and checking changed paths against them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Select, bindparam, select

from ingot.features.code.lfs_locks.rows import LockRow
from ingot.features.code.lfs_locks.tables import LONGEST_PATH, lfs_locks
from ingot.identity.tables import users
from ingot.kit.statements import lasting

MOST_LISTED = 100
LOCKED = "The path '{}' is locked in Git LFS by {}"
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class LockFilter:
    """Which locks of a project a client asks for; `after` is the id of the last one that it has seen."""

    path: str | None = None
    lock_id: int | None = None
    after: int = 0
    limit: int = MOST_LISTED


def is_lockable(path: str) -> bool:
    """Whether there can be a lock on the path: it is short enough, without control characters, and all text."""
    is_text = not any(ord(character) < 32 or "\ud800" <= character <= "\udfff" for character in path)
    return 0 < len(path) <= LONGEST_PATH and is_text


def list_locks(conn: Connection, project_id: int, options: LockFilter) -> Sequence[LockRow]:
    """One page of locks, oldest first; one row more than the limit shows that another page follows."""
    query = _locks().where(lfs_locks.c.project_id == project_id, lfs_locks.c.id > options.after)
    if options.path is not None and not is_lockable(options.path):
        return []
    if options.path is not None:
        query = query.where(lfs_locks.c.path == options.path)
    if options.lock_id is not None:
        query = query.where(lfs_locks.c.id == options.lock_id)
    return conn.execute(query.order_by(lfs_locks.c.id).limit(options.limit + 1)).all()


def find_lock(conn: Connection, project_id: int, lock_id: int) -> LockRow | None:
    """A lock of the project."""
    query = _locks().where(lfs_locks.c.project_id == project_id, lfs_locks.c.id == lock_id)
    return conn.execute(query).one_or_none()


def find_lock_of_path(conn: Connection, project_id: int, path: str) -> LockRow | None:
    """The lock on a path of the project."""
    query = _locks().where(lfs_locks.c.project_id == project_id, lfs_locks.c.path == path)
    return conn.execute(query).one_or_none()


_OF_OTHERS = lasting(
    select(lfs_locks.c.id)
    .where(lfs_locks.c.project_id == bindparam("in_project"), lfs_locks.c.user_id != bindparam("owner"))
    .limit(1)
)


def has_locks_of_others(conn: Connection, project_id: int, user_id: int | None) -> bool:
    """Whether a push by this user has to be checked at all."""
    return conn.execute(_OF_OTHERS, {"in_project": project_id, "owner": user_id or 0}).first() is not None


def refuse_locked_paths(conn: Connection, project_id: int, user_id: int | None, paths: Sequence[str]) -> str | None:
    """Why the user may not change these paths; None if nobody else locked one of them."""
    paths = [path for path in paths if is_lockable(path)]
    for start in range(0, len(paths), _AT_ONCE):
        query = _locks().where(
            lfs_locks.c.project_id == project_id,
            lfs_locks.c.user_id != (user_id or 0),
            lfs_locks.c.path.in_(paths[start : start + _AT_ONCE]),
        )
        row = conn.execute(query.order_by(lfs_locks.c.id).limit(1)).first()
        if row is not None:
            return LOCKED.format(row.path, row.owner_name)
    return None


def _locks() -> Select[tuple[object, ...]]:
    return select(lfs_locks, users.c.name.label("owner_name")).join(users, users.c.id == lfs_locks.c.user_id)
