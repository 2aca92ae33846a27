"""Connections to PostgreSQL that broke while nobody used them.

A server that ends or restarts closes its connections, and a closed connection can be read from at once. That is seen
here without a round trip; a ping would cost one for each use.
"""

import select
import sqlite3

from sqlalchemy import Engine, event
from sqlalchemy.exc import InvalidatePoolError


def is_broken(raw: object) -> bool:
    """An idle connection on which something has arrived: its end, or something that nobody waits for."""
    if isinstance(raw, sqlite3.Connection):
        return False  # without a server, and without PostgreSQL's driver, which takes long to load
    from psycopg import Connection, OperationalError

    if not isinstance(raw, Connection):
        return False
    try:
        poller = select.poll()
        poller.register(raw.fileno(), select.POLLIN)
    except OperationalError:
        return True
    return bool(poller.poll(0))


def replace_broken(engine: Engine) -> None:
    """Let the pool of this engine replace its connections when one of them is broken."""

    def check(raw: object, _record: object, _proxy: object) -> None:
        if is_broken(raw):
            raise InvalidatePoolError("the server has ended the connection")

    event.listen(engine, "checkout", check)
