"""Cookies of pages: scripts cannot read them, and other sites cannot post with them.

Over https, those that stand for a person have a name that browsers take from this very host alone (`__Host-`): a page
of a neighbour below the same domain can plant none.
"""

from starlette.requests import Request
from starlette.responses import Response

SESSION_COOKIE = "_ingot_session"
OWN_COOKIE = "_ingot_own_session"  # of an administrator who acts as somebody else
_OF_PEOPLE = (SESSION_COOKIE, OWN_COOKIE)


def cookie_name(name: str, base: str) -> str:
    """What a cookie is called at this address of the server."""
    return f"__Host-{name.lstrip('_')}" if name in _OF_PEOPLE and _is_secure(base) else name


def read_cookie(request: Request, name: str, base: str) -> str:
    """The value that the browser sent, or nothing."""
    return request.cookies.get(cookie_name(name, base), "")


def set_cookie(response: Response, name: str, value: str, base: str, max_age: int | None = None) -> None:
    """Let the browser keep a value, for so many seconds or until it is closed."""
    response.set_cookie(
        cookie_name(name, base), value, max_age=max_age, httponly=True, samesite="lax", secure=_is_secure(base)
    )


def delete_cookie(response: Response, name: str, base: str) -> None:
    """Let the browser forget it."""
    response.delete_cookie(cookie_name(name, base), httponly=True, samesite="lax", secure=_is_secure(base))


def _is_secure(base: str) -> bool:
    return base.startswith("https:")
