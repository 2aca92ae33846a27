"""Counting the people of the server."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from ingot.identity.tables import users


class Usage(NamedTuple):
    """How many people can sign in, and since when there are any."""

    active_users: int
    since: datetime


_USAGE = select(
    func.count().filter(users.c.state == "active").label("active_users"), func.min(users.c.created_at).label("since")
).where(users.c.kind == "human")


def measure_usage(conn: Connection) -> Usage:
    """The people of the server, without bots and service accounts."""
    row = conn.execute(_USAGE).one()
    return Usage(row.active_users, row.since)
