"""The visitor's personal access tokens."""

from collections.abc import Mapping
from datetime import date

import msgspec
from sqlalchemy import select
from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.personal_access_tokens import create_token, latest_expiry
from ingot.identity import tokens
from ingot.identity.tables import personal_access_tokens
from ingot.kit.clock import today
from ingot.kit.errors import Unprocessable
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.guards import Proved
from ingot.web.kept_forms import NOT_STORED
from ingot.web.one_time_secrets import show_once, with_secret
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done, text
from ingot.web.visitors import require_session

pages = Pages("site")
PLACE = "-/user_settings/personal_access_tokens"
GUARD = Proved(SIGNED_IN)
OFFERED_SCOPES = {
    "api": "full access to the API (api)",
    "read_api": "read access to the API (read_api)",
    "read_user": "read your profile (read_user)",
    "read_repository": "clone and fetch (read_repository)",
    "write_repository": "clone, fetch and push (write_repository)",
    "create_runner": "create runners (create_runner)",
    "manage_runner": "change and delete runners (manage_runner)",
    "self_rotate": "rotate itself (self_rotate)",
}
# For administrators.
POWERS = {
    "sudo": "act as any user (sudo)",
    "admin_mode": "use administrator access when admin mode is on (admin_mode)",
}
LONGEST_NAME = 255
LONGEST_DATE = 10
MOST_SHOWN = 100


class NewToken(msgspec.Struct):
    """What a form says of a new token."""

    name: str
    description: str | None
    scopes: list[str]


def _offered(call: PageCall) -> dict[str, str]:
    return OFFERED_SCOPES | (POWERS if call.may("GET", "/application/settings") else {})


@pages.get(PLACE, guard=SIGNED_IN)
def list_tokens(call: PageCall) -> View:
    """The tokens, and a form for a new one, which an address can fill in: `?name=laptop&scopes=read_api,read_user`."""
    require_session(call)
    scopes = text(call, "scopes").split(",")
    ticked = [scope for scope in _offered(call) if scope in scopes]
    return with_secret(call, lambda secret: _page(call, _typed(call, ticked), secret=secret))


@pages.post(PLACE, guard=GUARD)
def create_own_token(call: PageCall) -> View | Response:
    """Create a token, whose value the page shows once."""
    session = require_session(call)
    scopes = [scope for scope in _offered(call) if text(call, f"scope_{scope}")]
    expires_at, problem = _expiry(text(call, "expires_at"))
    name = text(call, "name")
    if not name or len(name) > LONGEST_NAME:
        problem = f"The token needs a name of at most {LONGEST_NAME} characters."
    if not scopes:
        problem = "Choose at least one scope."
    if problem:
        return _page(call, _typed(call, scopes), 400, problem=problem)
    options = NewToken(name, text(call, "description") or None, scopes)
    try:
        with call.services.db.write() as tx:
            _, clear = create_token(tx, session.id, options, expires_at=expires_at)
    except Unprocessable as error:
        return _page(call, _typed(call, scopes), 400, problem=refusal_of(error))
    return show_once(call, f"/{PLACE}", value=clear, name=name)


@pages.post(PLACE + "/{number:int}/rotate", guard=GUARD)
def rotate_token(call: PageCall) -> Response:
    """Give a token of the visitor another value, which the page shows once."""
    require_session(call)
    rotated = call.ask("/personal_access_tokens/:id/rotate", "POST", id=call.path["number"])
    return show_once(call, f"/{PLACE}", value=rotated["token"], name=rotated["name"], is_rotated="true")


@pages.post(PLACE + "/{number:int}/revoke", guard=GUARD)
def revoke_token(call: PageCall) -> Response:
    """Revoke one of the visitor's own tokens."""
    one = (personal_access_tokens.c.id == int(call.path["number"]), personal_access_tokens.c.user_id == call.actor.id)
    with call.services.db.write() as tx:
        tokens.revoke(tx, *one)
    call.services.tokens.forget()
    return done(call, f"/{PLACE}", "Token revoked.")


def _typed(call: PageCall, scopes: list[str]) -> dict[str, object]:
    return {
        "name": text(call, "name")[:LONGEST_NAME], "description": text(call, "description")[:LONGEST_NAME],
        "expires_at": text(call, "expires_at")[:LONGEST_DATE],
        "scopes": scopes,
    }  # fmt: skip


def _expiry(words: str) -> tuple[date | None, str]:
    if not words:
        return None, ""
    try:
        expires_at = date.fromisoformat(words)
    except ValueError:
        return None, "The expiration date is not a valid date."
    if expires_at <= today():
        return None, "The expiration date must be in the future."
    return expires_at, ""


def _page(call: PageCall, typed: Mapping[str, object], status: int = 200, **data: object) -> View:
    query = select(personal_access_tokens).where(
        personal_access_tokens.c.user_id == call.actor.id,
        personal_access_tokens.c.revoked.is_(False),
        personal_access_tokens.c.impersonation.is_(False),
    )
    with call.services.db.read() as conn:
        latest = latest_expiry(conn)
        rows = conn.execute(query.order_by(personal_access_tokens.c.id.desc()).limit(MOST_SHOWN)).all()
    view = site_view(
        call,
        "access_tokens",
        status,
        rows=rows,
        typed=typed,
        offered=_offered(call),
        latest=latest,
        part="tokens",
        **data,
    )
    view.headers.update(NOT_STORED)
    return view
