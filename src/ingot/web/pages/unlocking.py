"""Unlocking an account that failed sign-ins have locked, by a mailed link."""

from sqlalchemy import Select, select

from ingot.identity.account_locks import is_locked, unlock
from ingot.identity.mail_tokens import UNLOCK, read_token, unlock_proof
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall, View
from ingot.web.entering import form_view
from ingot.web.faults import LinkEnded
from ingot.web.frames import site_view
from ingot.web.mailed_links import MailedLink, send_link
from ingot.web.mailed_links import show_request as show_link_request
from ingot.web.registry import Pages

pages = Pages("site")
DONE = "Your account is unlocked. You can sign in again."


@pages.get("users/unlock/new")
def show_request(call: PageCall) -> View:
    """The form for the address; 404 without a mail server."""
    _require_mail(call)
    return show_link_request(call, LINK)


@pages.get("users/unlock")
def show_unlock(call: PageCall) -> View:
    """The page of the mailed link; a button unlocks, so that link previews change nothing."""
    user = _find_locked(call)
    token = str(call.values.get("unlock_token", ""))
    return form_view(call, "unlock", {"unlock_token": token, "username": user.username})


@pages.post("users/unlock")
def unlock_or_mail(call: PageCall) -> View:
    """Unlock the account of the link, or mail the link. Nobody is signed in by it."""
    if "unlock_token" not in call.values:
        _require_mail(call)
        return send_link(call, LINK)
    user = _find_locked(call)
    with call.services.db.write() as tx:
        unlock(tx, user.id)
    return site_view(call, "account_notice", text=DONE)


def _require_mail(call: PageCall) -> None:
    if not call.services.settings.smtp_url:
        raise NotFound


def _find_locked(call: PageCall) -> UserRow:
    """The user of the link; 404 for one that was used or has ended, and for the link of an earlier lock."""
    _require_mail(call)
    token = read_token(call.services, UNLOCK, str(call.values.get("unlock_token", "")))
    with call.services.db.read() as conn:
        user = conn.execute(_active().where(users.c.id == (token.record_id if token else 0))).one_or_none()
    if token is None or user is None or not is_locked(user) or unlock_proof(user) != token.proof:
        words = "The link works once, while the account is locked. Try to sign in, or request a new link."
        raise LinkEnded(words, ("Request a new link", "/users/unlock/new"))
    return user


def _active() -> Select[tuple[object, ...]]:
    return select(users).where(users.c.state == "active", users.c.kind == "human")


LINK = MailedLink(
    UNLOCK,
    "Is your account locked?",
    "/users/unlock",
    "If a locked account with this address exists, we sent an email with a link to it.",
    _active,
    is_locked,
)
