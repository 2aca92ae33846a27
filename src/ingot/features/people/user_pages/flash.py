"""The line that the next page shows once: what a form has done, in words."""

import base64
import hmac

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ingot.features.people.user_pages.cookies import set_cookie
from ingot.identity.rows import SessionRow
from ingot.kit.clock import now

FLASH_COOKIE = "_ingot_flash"
SECONDS = 60  # for which it waits for its page
LONGEST = 300  # characters


class Flash(msgspec.Struct, frozen=True, array_like=True):
    """What was done."""

    words: str
    place: str  # the part of the page that shows it; empty for the top
    moment: int
    takes_focus: bool


def set_flash(response: Response, session: SessionRow, words: str, base: str, place: str = "") -> None:
    """Let the next page of this session say it. It is signed, so that nobody else puts words into a page.

    An address that leads into its page has the focus there.
    """
    takes_focus = "#" not in response.headers.get("location", "")
    flash = Flash(words[:LONGEST], place, int(now().timestamp()), takes_focus)
    text = base64.urlsafe_b64encode(msgspec.json.encode(flash)).decode()
    set_cookie(response, FLASH_COOKIE, f"{text}.{_signature(session, text)}", base, max_age=SECONDS)


def read_flash(request: Request, session: SessionRow | None) -> Flash | None:
    """What the page is to say."""
    text, _, signature = request.cookies.get(FLASH_COOKIE, "").partition(".")
    if session is None or not hmac.compare_digest(signature.encode(), _signature(session, text).encode()):
        return None
    try:
        flash = msgspec.json.decode(base64.urlsafe_b64decode(text), type=Flash)
    except msgspec.MsgspecError:  # of a node with another version
        return None
    return flash if now().timestamp() - flash.moment <= SECONDS else None


def forget_flash(request: Request, response: Response) -> None:
    """Let the browser forget what the page has said."""
    if FLASH_COOKIE in request.cookies:
        response.delete_cookie(FLASH_COOKIE)


def _signature(session: SessionRow, text: str) -> str:
    return hmac.digest(session.csrf.encode(), f"flash {text}".encode(), "sha256").hex()
