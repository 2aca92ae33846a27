"""Faults of the machine below us (database away, disk full) as honest statuses instead of 500."""

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ingot.kit.errors import ApiError, Conflict, InsufficientStorage, ServiceUnavailable

_FULL = (errno.ENOSPC, errno.EDQUOT)


def as_api_error(error: BaseException) -> ApiError | None:
    """The API error for a known fault, or None for a bug."""
    if isinstance(error, OSError) and error.errno in _FULL:
        return InsufficientStorage()
    if (status := getattr(error, "status", None)) in (503, 507):
        # Stores below us (objects, repositories) say so themselves.
        return InsufficientStorage() if status == 507 else ServiceUnavailable(retry_after=_pause(error))
    if isinstance(error, PoolTimeout):
        return ServiceUnavailable()
    if isinstance(error, DBAPIError):
        return _of_database(error)
    return None


def _pause(error: BaseException) -> int:
    return int(getattr(error, "retry_after", 5))


def _of_database(error: DBAPIError) -> ApiError | None:
    cause = error.orig
    text = str(cause)
    if isinstance(cause, sqlite3.OperationalError) and "full" in text:
        return InsufficientStorage()
    if getattr(cause, "sqlstate", None) == "53100":
        return InsufficientStorage()
    if getattr(cause, "sqlstate", None) in ("40001", "40P01"):
        return Conflict("409 Conflict: Resource lock")
    if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
        return ServiceUnavailable()
    return None
