"""Failed sign-ins lock the account, and its person gets a mail with a link that unlocks it."""

from sqlalchemy import Connection

from ingot.features.people.users.account_mails import queue_account_mail
from ingot.identity.account_locks import record_failure
from ingot.identity.mail_tokens import UNLOCK


def count_failed_sign_in(tx: Connection, user_id: int) -> None:
    """Somebody did not know the password or the code of this user."""
    if record_failure(tx, user_id):
        queue_account_mail(tx, user_id, UNLOCK)
