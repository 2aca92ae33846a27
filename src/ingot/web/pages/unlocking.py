"""Unlocking an account that failed sign-ins have locked, by a mailed link."""

from sqlalchemy import Select, select

from ingot.features.people.users import queue_account_mail
from ingot.identity.account_locks import is_locked, unlock
from ingot.identity.mail_tokens import UNLOCK, read_token, unlock_proof
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.instance.password_attempts import MINUTE
from ingot.instance.throttling import address_name
from ingot.kit.errors import NotFound
from ingot.kit.rate_windows import hit
from ingot.web.call import PageCall, View
from ingot.web.entering import form_view
from ingot.web.frames import site_view
from ingot.web.registry import Pages

pages = Pages("site")
PER_ADDRESS, PER_ACCOUNT, HOUR = 5, 3, 3600
SENT = "If the address belongs to an account here that is locked, a mail with a link is on its way to it."
LATER = "Too many attempts. Wait a minute, then try again."
DONE = "Your account is unlocked. You can sign in again."


@pages.get("users/unlock/new")
def show_request(call: PageCall) -> View:
    """The form for the address; 404 without a mail server."""
    _require_mail(call)
    return form_view(call, "unlock_request", {"problem": ""})


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
        return _mail(call)
    user = _find_locked(call)
    with call.services.db.write() as tx:
        unlock(tx, user.id)
    return site_view(call, "account_notice", text=DONE)


def _mail(call: PageCall) -> View:
    """The answer is the same whether or not there is such an account, and whether or not it is locked."""
    _require_mail(call)
    fields = call.values.get("user")
    email = str(fields.get("email", "") if isinstance(fields, dict) else "").strip().lower()
    db = call.services.db
    if hit(db, f"unlock:{address_name(call.request)}"[:200], MINUTE).observed > PER_ADDRESS:
        return form_view(call, "unlock_request", {"problem": LATER}, 429)
    is_flooded = hit(db, f"unlock:{email}"[:200], HOUR).observed > PER_ACCOUNT
    with db.write() as tx:
        user = None if is_flooded else tx.execute(_active().where(users.c.email_lower == email)).one_or_none()
        if user is not None and is_locked(user):
            queue_account_mail(tx, user.id, UNLOCK)
    return site_view(call, "account_notice", text=SENT)


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
        raise NotFound
    return user


def _active() -> Select[tuple[object, ...]]:
    return select(users).where(users.c.state == "active", users.c.kind == "human")
