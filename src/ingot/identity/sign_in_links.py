"""One-time sign-in links, for users without a password."""

from datetime import timedelta

from sqlalchemy import Connection

from ingot.identity import sessions
from ingot.kit.clock import now

LIFETIME = timedelta(days=1)


def create_sign_in_path(tx: Connection, user_id: int) -> str:
    """The path of a one-time sign-in page."""
    return f"/users/sign_in_link/{sessions.create_link(tx, user_id, now() + LIFETIME)}"
