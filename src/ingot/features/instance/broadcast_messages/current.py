"""The messages of now, remembered for a moment: every page asks for them."""

from collections.abc import Sequence

from sqlalchemy import select

from ingot.features.instance.broadcast_messages.rows import MessageRow
from ingot.features.instance.broadcast_messages.tables import broadcast_messages
from ingot.kit.clock import now
from ingot.kit.db import Database
from ingot.kit.latest import Latest

MOST = 5  # on a page; the newest


def _read(db: Database) -> Sequence[MessageRow]:
    table, moment = broadcast_messages, now()
    query = select(table).where(table.c.starts_at <= moment, table.c.ends_at > moment)
    with db.read() as conn:
        return conn.execute(query.order_by(table.c.id.desc()).limit(MOST)).all()


_latest: Latest[Sequence[MessageRow]] = Latest(_read)


def current_messages(db: Database) -> Sequence[MessageRow]:
    """The messages whose time is now, the newest first."""
    return _latest.get(db)
