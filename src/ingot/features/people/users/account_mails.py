"""Mails about accounts: the link that confirms an address, and the one that sets a new password."""

from sqlalchemy import Connection

from ingot.identity.mail_tokens import CONFIRM, RESET, issue_token, reset_proof
from ingot.identity.rows import UserRow
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services

CONFIRMATION_SUBJECT = "Confirmation instructions"
CONFIRMATION = """Welcome, {name}!

Confirm your address within a day at

{url}/users/confirmation?confirmation_token={token}

If you did not register, ignore this mail.
"""
PASSWORD_SUBJECT = "Reset password instructions"
PASSWORD = """Hello, {name}!

Somebody asked for a link to change your password. It works once, within two days:

{url}/users/password/edit?reset_password_token={token}

If it was not you, ignore this mail: your password stays.
"""


def queue_account_mail(tx: Connection, user_id: int, purpose: str) -> None:
    """Send the mail in the background. The job holds no token: it is made when the mail is written."""
    enqueue(tx, "account_mail", args={"user_id": user_id, "purpose": purpose}, subject=f"user:{user_id}")


def compose(services: Services, user: UserRow, purpose: str) -> tuple[str, str] | None:
    """Subject and text; None where the mail has become pointless."""
    if purpose == CONFIRM and user.confirmed_at is None:
        subject, text = CONFIRMATION_SUBJECT, CONFIRMATION
        token = issue_token(services, CONFIRM, user.id, user.email_lower)
    elif purpose == RESET and user.confirmed_at is not None:
        subject, text = PASSWORD_SUBJECT, PASSWORD
        token = issue_token(services, RESET, user.id, reset_proof(user))
    else:
        return None
    name = " ".join(user.name.split())
    return subject, text.format(name=name, url=services.settings.public_url.rstrip("/"), token=token)
