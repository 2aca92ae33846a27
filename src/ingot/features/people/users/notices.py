"""Telling people by mail that their account has changed, whoever did it."""

from typing import cast

from sqlalchemy import Connection, select

from ingot.features.people.users.account_mails import (
    EMAIL_CHANGED,
    PASSWORD_CHANGED,
    TWO_FACTOR_OFF,
    queue_account_mail,
)
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.changes import Change, follows


@follows("account")
def queue_notices(tx: Connection, change: Change) -> None:
    """Queue the mails. That of a new address goes to the former one."""
    if change.action == "disable_two_factor":
        queue_account_mail(tx, change.record_id, TWO_FACTOR_OFF)
    if "before" not in change.details:
        return
    before = cast("UserRow", change.details["before"])
    row = tx.execute(select(users.c.email, users.c.password_hash).where(users.c.id == change.record_id)).one_or_none()
    if row is None:
        return
    if before.password_hash != row.password_hash:
        queue_account_mail(tx, change.record_id, PASSWORD_CHANGED)
    if before.email.lower() != row.email.lower():
        queue_account_mail(tx, change.record_id, EMAIL_CHANGED, detail=row.email, to=before.email)
