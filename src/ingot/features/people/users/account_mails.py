"""Mails about accounts: links that confirm an address, set a new password, and unlock; and notices of changes."""

from sqlalchemy import Connection

from ingot.identity.account_locks import is_locked
from ingot.identity.mail_tokens import CONFIRM, RESET, UNLOCK, issue_token, reset_proof, unlock_proof
from ingot.identity.rows import UserRow
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services

CONFIRMATION_SUBJECT = "Confirmation instructions"
CONFIRMATION = """Welcome, {name}!

Confirm your email address within one day:

{url}/users/confirmation?confirmation_token={token}

If you did not register, ignore this email.
"""
PASSWORD_SUBJECT = "Reset password instructions"
PASSWORD = """Hello, {name}!

Someone requested a link to reset your password. The link works once and is valid for two days:

{url}/users/password/edit?reset_password_token={token}

If this was not you, ignore this email. Your password will not change.
"""
UNLOCK_SUBJECT = "Unlock instructions"
UNLOCKING = """Hello, {name}!

Your account was locked after too many failed sign-in attempts. It unlocks automatically after a while.
To unlock it now, open:

{url}/users/unlock?unlock_token={token}

If this was not you, choose a long password that you do not use anywhere else.
"""

PASSWORD_CHANGED, EMAIL_CHANGED, TWO_FACTOR_OFF = "password_changed", "email_changed", "two_factor_off"
NEW_SIGN_IN = "new_sign_in"
NOTICE = """Hello, {name}!

{what}

If this was not you, sign in, change your password and end any sessions you do not recognise:

{url}/-/user_settings/active_sessions
"""
NOTICES = {
    PASSWORD_CHANGED: ("Password changed", "The password of your account {username} was changed."),
    EMAIL_CHANGED: ("Email changed", "The email address of your account {username} was changed to {detail}."),
    TWO_FACTOR_OFF: (
        "Two-factor authentication disabled", "Two-factor authentication was turned off for your account {username}.",
    ),
    NEW_SIGN_IN: (
        "Sign-in from a new IP address", "Someone signed in to your account {username} from the IP address {detail}.",
    ),
}  # fmt: skip


def queue_account_mail(tx: Connection, user_id: int, purpose: str, **more: str) -> None:
    """Send the mail in the background. The job holds no token: it is made when the mail is written.

    `more` are the `detail` of a notice, and the address `to` which it goes where that is not the user's own.
    """
    args: dict[str, object] = {"user_id": user_id, "purpose": purpose, **more}
    enqueue(tx, "account_mail", args=args, subject=f"user:{user_id}")


def compose(services: Services, user: UserRow, purpose: str, detail: str = "") -> tuple[str, str] | None:
    """Subject and text; None where the mail has become pointless."""
    if purpose in NOTICES:
        return _notice(services, user, purpose, detail)
    if purpose == CONFIRM and user.confirmed_at is None:
        subject, text = CONFIRMATION_SUBJECT, CONFIRMATION
        token = issue_token(services, CONFIRM, user.id, user.email_lower)
    elif purpose == RESET and user.confirmed_at is not None:
        subject, text = PASSWORD_SUBJECT, PASSWORD
        token = issue_token(services, RESET, user.id, reset_proof(user))
    elif purpose == UNLOCK and services.settings.smtp_url and is_locked(user):
        subject, text = UNLOCK_SUBJECT, UNLOCKING
        token = issue_token(services, UNLOCK, user.id, unlock_proof(user))
    else:
        return None
    name = " ".join(user.name.split())
    return subject, text.format(name=name, url=services.settings.public_url.rstrip("/"), token=token)


def _notice(services: Services, user: UserRow, purpose: str, detail: str) -> tuple[str, str] | None:
    if not services.settings.smtp_url or user.confirmed_at is None:
        return None
    subject, what = NOTICES[purpose]
    name, url = " ".join(user.name.split()), services.settings.public_url.rstrip("/")
    return subject, NOTICE.format(name=name, url=url, what=what.format(username=user.username, detail=detail))
