"""The visitor of a page: by session, or for reading by a token that may read the API."""

from datetime import datetime, timedelta

from sqlalchemy import true, update
from starlette.responses import Response

from ingot.access.addresses import limit_by_address
from ingot.features.people.user_pages import SESSION_COOKIE, cookie_name, identify_reader, read_cookie, set_cookie
from ingot.features.people.users import note_activity
from ingot.identity import sessions
from ingot.identity.authentication import actor_of_session, check_user
from ingot.identity.rows import SessionRow
from ingot.identity.shown_once import forget_expired_secrets, has_expired_secret
from ingot.identity.tables import sessions as table
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.clock import now
from ingot.kit.errors import ApiError, NotFound, Unauthorized
from ingot.web.call import PageCall

IDLE = timedelta(days=7)  # of sessions of an earlier version
LONGEST = timedelta(days=30)
RENEWED_EVERY = timedelta(hours=1)


def identify(call: PageCall) -> Actor:
    """The visitor; forms are taken from sessions only."""
    clear = read_cookie(call.request, SESSION_COOKIE, call.base_url)
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


def renew(call: PageCall, response: Response) -> None:
    """Extend the visitor's session and its cookie, and note the activity; written at most once an hour."""
    if call.session is None:
        return
    if has_expired_secret(call.session.details):
        with call.services.db.write() as tx:
            forget_expired_secrets(tx, read_cookie(call.request, SESSION_COOKIE, call.base_url))
    moment, details = now(), call.session.details
    seconds, end = details.get(sessions.LIFETIME), details.get(sessions.ENDS_AT)
    lifetime = timedelta(seconds=seconds) if isinstance(seconds, int) else IDLE
    until = min(moment + lifetime, datetime.fromisoformat(end)) if isinstance(end, str) else moment + lifetime
    if call.session.session_expires_at > until - min(RENEWED_EVERY, lifetime / 2):
        return
    clear = read_cookie(call.request, SESSION_COOKIE, call.base_url)
    # Who wants to stay signed in stays; other sessions end after a month.
    oldest = moment - max(LONGEST, lifetime) + lifetime
    is_young = true() if "remembered" in details else table.c.created_at > oldest
    with call.services.db.write() as tx:
        extended = update(table).where(table.c.digest == sessions.digest(clear), is_young)
        is_extended = tx.execute(extended.values(expires_at=until)).rowcount == 1
        note_activity(tx, call.session.id)
    if is_extended and cookie_name(SESSION_COOKIE, call.base_url) not in response.headers.get("set-cookie", ""):
        set_cookie(response, SESSION_COOKIE, clear, call.base_url, max_age=int((until - moment).total_seconds()))
