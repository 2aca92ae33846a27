"""Accounts lock after failed sign-ins: for a while, or until the person opens the link that is mailed to them."""

from datetime import timedelta

from sqlalchemy import Connection, case, or_, update

from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.instance.settings import named_settings
from ingot.kit.clock import now

_MOST, _MINUTES = "max_login_attempts", "failed_login_attempts_unlock_period_in_minutes"


def is_locked(row: UserRow) -> bool:
    """No password opens the account now."""
    return row.locked_until is not None and row.locked_until > now()


def record_failure(tx: Connection, user_id: int) -> bool:
    """Count a failed sign-in; True where it locks the account. While it is locked nothing is counted."""
    moment = now()
    is_open = or_(users.c.locked_until.is_(None), users.c.locked_until <= moment)
    # After a lock has ended, counting starts again.
    count = case((users.c.locked_until.is_(None), users.c.failed_attempts + 1), else_=1)
    counted = update(users).where(users.c.id == user_id, is_open).values(failed_attempts=count, locked_until=None)
    failures = tx.execute(counted.returning(users.c.failed_attempts)).scalar_one_or_none()
    settings = named_settings(tx, _MOST, _MINUTES)
    if failures is None or failures < settings[_MOST]:
        return False
    until = moment + timedelta(minutes=settings[_MINUTES])
    tx.execute(update(users).where(users.c.id == user_id).values(failed_attempts=0, locked_until=until))
    return True


def unlock(tx: Connection, user_id: int) -> None:
    """Let passwords open the account again."""
    tx.execute(update(users).where(users.c.id == user_id).values(failed_attempts=0, locked_until=None))
