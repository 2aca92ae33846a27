"""What a browser brings along: cookies, forms, and where it wants to go."""

import hmac
from typing import Any

from sqlalchemy import Row
from starlette.requests import Request
from starlette.responses import Response

from ingot.identity import sessions
from ingot.kit import wire
from ingot.kit.services import Services

SESSION_COOKIE = "_ingot_session"
MAX_FORM = 1_500_000
TOKENS_PAGE = "/-/user_settings/personal_access_tokens"


def base_url(services: Services, request: Request) -> str:
    """The address that people use."""
    return services.settings.base_url.rstrip("/") or str(request.base_url).rstrip("/")


def current_session(services: Services, request: Request) -> Row[Any] | None:
    """The session of the cookie, with its user."""
    clear = request.cookies.get(SESSION_COOKIE)
    if not clear:
        return None
    with services.db.read() as conn:
        return sessions.find_session(conn, clear)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a posted form, of bounded size; a repeated field counts once."""
    body = await wire.read_body(request, MAX_FORM)
    return dict(wire.pairs(body))


def is_genuine(session: Row[Any], form: dict[str, str]) -> bool:
    """The form came from a page of ours."""
    return hmac.compare_digest(session.csrf.encode(), form.get("authenticity_token", "").encode())


def set_cookie(response: Response, name: str, value: str, base: str, max_age: int | None = None) -> None:
    """A cookie that scripts cannot read and other sites cannot post with."""
    response.set_cookie(
        name, value, max_age=max_age, httponly=True, samesite="lax", secure=base.startswith("https:"), path="/"
    )


def local_path(wanted: str) -> str:
    """A path on this server, or the tokens page: a redirect must not lead elsewhere."""
    safe = wanted.startswith("/") and not wanted.startswith(("//", "/\\")) and wanted.isprintable()
    return wanted if safe and "\\" not in wanted else TOKENS_PAGE
