"""Addresses that sign somebody in once: the way in for those who have no password yet."""

from datetime import timedelta

from sqlalchemy import Connection

from ingot.identity import sessions
from ingot.kit.clock import now

LIFETIME = timedelta(days=1)


def create_sign_in_path(tx: Connection, user_id: int) -> str:
    """The path of a page that lets the user in once."""
    return f"/users/sign_in_link/{sessions.create_link(tx, user_id, now() + LIFETIME)}"
