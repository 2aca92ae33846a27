"""Faults below us (database away, disk full, two concurrent writers) as fitting statuses instead of 500."""

import sqlite3

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.requests import ClientDisconnect

from ingot.kit.errors import (
    ApiError,
    BadRequest,
    Conflict,
    Failure,
    InsufficientStorage,
    Malformed,
    ServiceUnavailable,
    TooLarge,
)
from ingot.kit.os_faults import FULL, is_away

# SQLite calls every error "operational", faulty statements included; these are faults of the machine.
_PASSING = ("locked", "busy", "disk i/o", "unable to open", "interrupted")
# What people read who meet a page meanwhile.
_DATABASE, _STORAGE = "The database does not respond.", "The repository and file storage does not respond."
# More values in one statement than the database takes; PostgreSQL has a class of codes for it.
_BEYOND = ("tree is too large", "too many sql variables", "parser stack overflow", "number of parameters must be")
_BEYOND_CLASS = "54"


def as_api_error(error: BaseException) -> ApiError | None:
    """The API error for a known fault, or None for a bug."""
    if isinstance(error, OSError) and error.errno in FULL:
        return InsufficientStorage()
    if is_away(error):
        return ServiceUnavailable(away=_STORAGE)
    if (status := getattr(error, "status", None)) in (503, 507):
        # Stores below us (objects, repositories) say so themselves.
        if status == 507:
            return InsufficientStorage()
        return ServiceUnavailable(_reason(error), _pause(error), getattr(error, "sentence", ""))
    if status == TooLarge.status:
        return Failure(TooLarge.status, str(error))
    if isinstance(error, ClientDisconnect):
        return Malformed()
    if isinstance(error, OverflowError) and "SQLite" in str(error):
        return BadRequest("a number is out of range")
    if isinstance(error, PoolTimeout):
        return ServiceUnavailable(away=_DATABASE)
    if isinstance(error, DBAPIError):
        return _of_database(error)
    return None


class storing_if_possible:  # noqa: N801 - read as a verb: `with storing_if_possible()`
    """For what is only stored to spare work later: on a full disk, and after `others`, readers go on without it."""

    __slots__ = ("_passed",)

    def __init__(self, *others: type[ApiError]) -> None:
        self._passed: tuple[type[ApiError], ...] = (InsufficientStorage, *others)

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        return isinstance(error, Exception) and isinstance(as_api_error(error), self._passed)


def _reason(error: BaseException) -> str | None:
    """Errors with a `message` have one that anybody may read."""
    message = getattr(error, "message", None)
    return None if message is None else f"503 Service Unavailable - {message}"


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
    code = getattr(cause, "sqlstate", None) or ""
    if code.startswith(_BEYOND_CLASS) or any(word in text.lower() for word in _BEYOND):
        return BadRequest("too many values at once")
    if "pattern too complex" in text:
        # SQLite takes 50,000 bytes; nobody searches for anything that long.
        return BadRequest("a search text is too long")
    if isinstance(error, IntegrityError):
        # Another request was faster; report the conflict, since the record's own checks did not see it.
        return Conflict("409 Conflict: Resource lock")
    if isinstance(error, DataError):
        return BadRequest("a value is out of range")
    if isinstance(cause, sqlite3.OperationalError):
        return ServiceUnavailable(away=_DATABASE) if any(word in text.lower() for word in _PASSING) else None
    if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
        return ServiceUnavailable(away=_DATABASE)
    return None
