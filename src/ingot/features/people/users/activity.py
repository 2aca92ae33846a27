"""When people were last active: noted once a day, by every way in."""

from sqlalchemy import Connection, or_, update

from ingot.identity.tables import users
from ingot.kit.clock import today


def note_activity(tx: Connection, user_id: int) -> None:
    """Somebody was here today."""
    is_new = or_(users.c.last_activity_on.is_(None), users.c.last_activity_on < today())
    tx.execute(update(users).where(users.c.id == user_id, is_new).values(last_activity_on=today()))
