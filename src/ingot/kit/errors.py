"""Errors of the API: each class has a status and a body shape; `render` is the one place that writes them.

Shapes (A to I are those of GitLab's clients): `{"message": text}`, `{"message": {attribute: [texts]}}`,
`{"error": text}`, and OAuth's `error` with `error_description`. Handlers raise, they never write a body.
"""

from collections.abc import Mapping

import msgspec
from starlette.responses import Response


class ApiError(Exception):
    """Base of everything that is answered with an error status."""

    status = 400

    def __init__(self, text: str | None = None, headers: Mapping[str, str] | None = None) -> None:
        self.text = text if text is not None else (type(self).__doc__ or "").strip()
        self.headers = dict(headers or {})
        super().__init__(self.text)

    def body(self) -> object:
        """What goes over the wire."""
        return {"message": self.text}


class Reasoned(ApiError):
    """An error whose text is the status line, optionally followed by ` - reason`."""

    line = "400 Bad request"

    def __init__(self, reason: str | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(self.line if reason is None else f"{self.line} - {reason}", headers)


class BadRequest(Reasoned):
    """400 Bad request"""

    status = 400
    line = "400 Bad request"


class Unauthorized(Reasoned):
    """401 Unauthorized"""

    status = 401
    line = "401 Unauthorized"


class Forbidden(Reasoned):
    """403 Forbidden"""

    status = 403
    line = "403 Forbidden"


class NotFound(ApiError):
    """404 Not Found, with the kind of record that is missing: `404 Project Not Found`."""

    status = 404

    def __init__(self, kind: str | None = None) -> None:
        super().__init__("404 Not Found" if kind is None else f"404 {kind} Not Found")


class RecordNotFound(ApiError):
    """404 Not found"""

    # The other spelling is real: a record looked up by number answers with a small f.
    status = 404


class MethodNotAllowed(ApiError):
    """405 Method Not Allowed"""

    status = 405


class Conflict(ApiError):
    """409 Conflict"""

    status = 409


class PreconditionFailed(ApiError):
    """412 Precondition Failed"""

    status = 412


class TooLarge(ApiError):
    """413 Request Entity Too Large"""

    status = 413


class Unprocessable(ApiError):
    """422 Unprocessable Entity"""

    status = 422


class TooManyAtOnce(ApiError):
    """Too many of your requests are under way. Wait for their answers."""

    status = 429

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": "5"})


class ServiceUnavailable(ApiError):
    """503 Service Unavailable"""

    status = 503

    def __init__(self, text: str | None = None, retry_after: int = 5, away: str = "") -> None:
        super().__init__(text, {"Retry-After": str(retry_after)})
        self.away = away  # a sentence for people: what it is that does not answer


class InsufficientStorage(ApiError):
    """507 Insufficient Storage"""

    status = 507


class NotModified(ApiError):
    """It is in that state already: 304 without a body."""

    status = 304


class Failure(ApiError):
    """A `{"message": text}` with a status chosen by the caller."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Invalid(ApiError):
    """Record validation: `{"message": {attribute: [texts]}}`."""

    status = 400

    def __init__(self, problems: Mapping[str, list[str]], status: int = 400) -> None:
        super().__init__("; ".join(f"{name} {text}" for name, texts in problems.items() for text in texts))
        self.problems = dict(problems)
        self.status = status

    def body(self) -> object:
        return {"message": self.problems}


class Unsaved(ApiError):
    """A record that was not saved, in one text: `Failed to save group {:path=>["has already been taken"]}`."""

    def __init__(self, prefix: str, problems: Mapping[str, list[str]]) -> None:
        entries = [f"{_symbol(name)}=>[{', '.join(map(_quoted, texts))}]" for name, texts in problems.items()]
        super().__init__(f"{prefix} {{{', '.join(entries)}}}")
        self.problems = dict(problems)


def _symbol(name: str) -> str:
    return f":{name}" if name.isidentifier() else f":{_quoted(name)}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class Texts(ApiError):
    """`{"message": [texts]}`: the fork conflict and a few others."""

    def __init__(self, status: int, texts: list[str]) -> None:
        super().__init__("; ".join(texts))
        self.status = status
        self.texts = texts

    def body(self) -> object:
        return {"message": self.texts}


class Body(ApiError):
    """An error with a documented body of its own."""

    def __init__(self, status: int, body: object) -> None:
        super().__init__(str(body))
        self.status = status
        self._body = body

    def body(self) -> object:
        return self._body


class ParamError(ApiError):
    """Parameter validation: `{"error": "x is invalid, y is missing"}`."""

    status = 400

    def body(self) -> object:
        return {"error": self.text}


class RouteNotFound(ParamError):
    """404 Not Found"""

    status = 404


class WrongMethod(ParamError):
    """405 Not Allowed"""

    status = 405


class PaginationNotAllowed(ParamError):
    """Keyset pagination is not yet available for this type of request"""

    status = 405


class Malformed(ApiError):
    """Bad Request"""

    # Answered as plain text: the request could not even be read.
    status = 400


class TokenError(ApiError):
    """OAuth-style failures: `error` with `error_description`, and `scope` where one is missing."""

    def __init__(self, status: int, error: str, description: str, scope: str | None = None) -> None:
        headers = {}
        if status == 401:
            headers["WWW-Authenticate"] = (
                f'Bearer realm="Protected by OAuth 2.0", error="{error}", error_description="{description}"'
            )
        super().__init__(description, headers)
        self.status = status
        self.error = error
        self.scope = scope

    def body(self) -> object:
        result = {"error": self.error, "error_description": self.text}
        return result if self.scope is None else {**result, "scope": self.scope}


def render(error: ApiError) -> Response:
    """The one place where an error becomes an answer."""
    headers = {**error.headers, "Cache-Control": "no-cache"}
    if error.status in (204, 304):
        return Response(status_code=error.status, headers=headers)
    if isinstance(error, Malformed) or error.status == 301:
        return Response(error.text, status_code=error.status, headers=headers, media_type="text/plain")
    return Response(
        msgspec.json.encode(error.body()), status_code=error.status, headers=headers, media_type="application/json"
    )
