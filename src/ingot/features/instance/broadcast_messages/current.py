"""The messages of now, remembered for a moment: every page asks for them."""

import threading
import time
from collections.abc import Sequence
from contextvars import Context
from weakref import WeakKeyDictionary

from sqlalchemy import select

from ingot.features.instance.broadcast_messages.rows import MessageRow
from ingot.features.instance.broadcast_messages.tables import broadcast_messages
from ingot.kit.clock import now
from ingot.kit.db import Database

# A new message is seen within a second, in every process.
REMEMBER_SECONDS = 0.5
MOST = 5  # on a page; the newest
_lock = threading.Lock()
_known: WeakKeyDictionary[Database, tuple[float, Sequence[MessageRow]]] = WeakKeyDictionary()


def current_messages(db: Database) -> Sequence[MessageRow]:
    """The messages whose time is now, the newest first."""
    with _lock:
        until, rows = _known.get(db, (0.0, ()))
        if time.monotonic() < until:
            return rows
    # In a separate context: refreshing them is no query of this request.
    rows = Context().run(_read, db)
    with _lock:
        _known[db] = (time.monotonic() + REMEMBER_SECONDS, rows)
    return rows


def _read(db: Database) -> Sequence[MessageRow]:
    table, moment = broadcast_messages, now()
    query = select(table).where(table.c.starts_at <= moment, table.c.ends_at > moment)
    with db.read() as conn:
        return conn.execute(query.order_by(table.c.id.desc()).limit(MOST)).all()
