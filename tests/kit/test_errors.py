"""Every shape of an error body, as the one renderer writes it."""

import errno
import json
from typing import Any

import pytest
from sqlalchemy.exc import DataError, IntegrityError, OperationalError

from ingot.kit import errors
from ingot.kit.faults import as_api_error
from ingot.kit.jobs.errors import is_transient


@pytest.mark.parametrize(
    ("error", "status", "body"),
    [
        (errors.BadRequest(), 400, {"message": "400 Bad request"}),
        (errors.BadRequest("why"), 400, {"message": "400 Bad request - why"}),
        (errors.Unauthorized(), 401, {"message": "401 Unauthorized"}),
        (errors.Forbidden(), 403, {"message": "403 Forbidden"}),
        (errors.Forbidden("why"), 403, {"message": "403 Forbidden - why"}),
        (errors.NotFound(), 404, {"message": "404 Not Found"}),
        (errors.NotFound("Project"), 404, {"message": "404 Project Not Found"}),
        (errors.RecordNotFound(), 404, {"message": "404 Not found"}),
        (errors.MethodNotAllowed(), 405, {"message": "405 Method Not Allowed"}),
        (errors.Conflict(), 409, {"message": "409 Conflict"}),
        (errors.PreconditionFailed(), 412, {"message": "412 Precondition Failed"}),
        (errors.TooLarge(), 413, {"message": "413 Request Entity Too Large"}),
        (errors.Unprocessable(), 422, {"message": "422 Unprocessable Entity"}),
        (errors.ServiceUnavailable(), 503, {"message": "503 Service Unavailable"}),
        (errors.Failure(418, "tea"), 418, {"message": "tea"}),
        (errors.Invalid({"name": ["can't be blank"]}), 400, {"message": {"name": ["can't be blank"]}}),
        (errors.Texts(409, ["a", "b"]), 409, {"message": ["a", "b"]}),
        (errors.Body(403, {"error": ["limit"]}), 403, {"error": ["limit"]}),
        (errors.ParamError("x is invalid"), 400, {"error": "x is invalid"}),
        (errors.RouteNotFound(), 404, {"error": "404 Not Found"}),
        (errors.WrongMethod(), 405, {"error": "405 Not Allowed"}),
        (
            errors.PaginationNotAllowed(),
            405,
            {"error": "Keyset pagination is not yet available for this type of request"},
        ),
        (
            errors.TokenError(403, "insufficient_scope", "more", "api"),
            403,
            {"error": "insufficient_scope", "error_description": "more", "scope": "api"},
        ),
    ],
)
def test_each_class_has_its_shape(error: errors.ApiError, status: int, body: Any) -> None:
    answer = errors.render(error)

    assert (answer.status_code, json.loads(answer.body)) == (status, body)
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-cache"


def test_some_errors_are_no_json() -> None:
    malformed, unchanged = errors.render(errors.Malformed()), errors.render(errors.NotModified())

    assert (malformed.status_code, malformed.body) == (400, b"Bad Request")
    assert malformed.headers["content-type"].startswith("text/plain")
    assert (unchanged.status_code, unchanged.body) == (304, b"")


def test_a_pause_is_asked_for_when_a_part_is_away() -> None:
    assert errors.render(errors.ServiceUnavailable()).headers["retry-after"] == "5"


def _database_error(kind: type[Any], text: str) -> Any:
    import sqlite3

    return kind("SELECT 1", {}, sqlite3.OperationalError(text))


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (OSError(errno.ENOSPC, "full"), 507),
        (OSError(errno.ENOTCONN, "both bricks are away"), 503),
        (OSError(errno.EBADFD, "one brick is away, the other does not know the file yet"), 503),
        (OSError("could not read directory 'refs/tags': File descriptor in bad state"), 503),  # as libgit2 says it
        (_database_error(OperationalError, "database is locked"), 503),
        (_database_error(OperationalError, "database or disk is full"), 507),
        (_database_error(IntegrityError, "UNIQUE constraint failed"), 409),
        (_database_error(DataError, "out of range"), 400),
        (_database_error(OperationalError, "Expression tree is too large (maximum depth 1000)"), 400),
        (_database_error(OperationalError, "too many SQL variables"), 400),
        (OverflowError("Python int too large to convert to SQLite INTEGER"), 400),
    ],
)
def test_faults_below_have_an_honest_status(fault: BaseException, status: int) -> None:
    known = as_api_error(fault)

    assert known is not None
    assert known.status == status
    assert status < 500 or is_transient(fault)  # background work tries again


@pytest.mark.parametrize(
    "bug",
    [
        ValueError("x"),
        OverflowError("x"),
        OSError(errno.ENOENT, "x"),
        _database_error(OperationalError, "no such column"),
    ],
)
def test_bugs_stay_bugs(bug: BaseException) -> None:
    assert as_api_error(bug) is None
