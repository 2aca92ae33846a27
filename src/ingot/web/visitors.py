"""The visitor of a page: by session, or for reading by a token that may read the API."""

from datetime import timedelta

from sqlalchemy import update

from ingot.access.addresses import limit_by_address
from ingot.features.people.user_pages import SESSION_COOKIE, identify_reader
from ingot.features.people.users import note_activity
from ingot.identity import sessions
from ingot.identity.authentication import actor_of_session, check_user
from ingot.identity.rows import SessionRow
from ingot.identity.tables import sessions as table
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.clock import now
from ingot.kit.errors import ApiError, NotFound, Unauthorized
from ingot.web.call import PageCall

IDLE = timedelta(days=7)
LONGEST = timedelta(days=30)
RENEWED_EVERY = timedelta(hours=1)


def identify(call: PageCall) -> Actor:
    """The visitor; forms are taken from sessions only."""
    clear = call.request.cookies.get(SESSION_COOKIE, "")
    session = sessions.find_session(call.conn, clear) if clear else None
    if session is None:
        return identify_reader(call.services, call.conn, call.request) if call.is_read else ANONYMOUS
    try:
        check_user(session, call.base_url)
    except ApiError:
        return ANONYMOUS
    call.session = session
    return limit_by_address(call.services, actor_of_session(call.conn, session), call.request)


def require_session(call: PageCall) -> SessionRow:
    """The visitor's session; 401 for those who read with a token."""
    if call.session is None:
        raise Unauthorized
    return call.session


def require_administrators_session(call: PageCall) -> SessionRow:
    """The session of an administrator, in admin mode or not; 404 for others."""
    session = require_session(call)
    if not session.is_admin:
        raise NotFound
    return session


def renew(call: PageCall) -> None:
    """Extend the visitor's session and note the activity; written at most once an hour."""
    moment = now()
    if call.session is None or call.session.session_expires_at > moment + IDLE - RENEWED_EVERY:
        return
    clear = call.request.cookies.get(SESSION_COOKIE, "")
    with call.services.db.write() as tx:
        tx.execute(
            update(table)
            .where(table.c.digest == sessions.digest(clear), table.c.created_at > moment - LONGEST + IDLE)
            .values(expires_at=moment + IDLE)
        )
        note_activity(tx, call.session.id)
