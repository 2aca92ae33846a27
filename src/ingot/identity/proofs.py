"""When the person of a session last proved who they are: by signing in, or when a page asked them again.

It is kept in the session's row, so that all nodes know it and no browser can change it.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from ingot.identity import sessions
from ingot.identity.rows import SessionRow
from ingot.kit.clock import now

RECENT = timedelta(minutes=10)
PROVED_AT = "proved_at"  # in the details of a session: seconds


def last_proof(session: SessionRow) -> datetime:
    """When the person proved who they are.

    An administrator who acts as somebody else brings the proof of their own session along: opening the other one
    proves nothing.
    """
    seconds = session.details.get(PROVED_AT)
    asked = datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) else None
    if sessions.IMPERSONATOR in session.details:
        return asked or session.session_created_at - RECENT
    return max(asked or session.session_created_at, session.session_created_at)


def is_recent(session: SessionRow) -> bool:
    """Whether that is less than ten minutes ago."""
    return last_proof(session) + RECENT > now()


def note_proof(tx: Connection, clear: str, **details: object) -> None:
    """The person of the session has just proved who they are; `details` are noted with it."""
    sessions.set_details(tx, clear, **{PROVED_AT: int(now().timestamp())}, **details)
