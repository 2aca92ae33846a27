"""Opening sessions for people who proved who they are, and forms for those who have none yet."""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from urllib.parse import quote

from sqlalchemy import Connection, delete, func, select, update
from starlette.responses import RedirectResponse, Response

from ingot.features.people.user_pages import SESSION_COOKIE, read_cookie, set_cookie
from ingot.features.people.users import NEW_SIGN_IN, queue_account_mail
from ingot.identity import sessions
from ingot.identity.authentication import actor_of_session
from ingot.identity.form_tokens import masked
from ingot.identity.shown_once import waiting_details
from ingot.identity.tables import sessions as session_table
from ingot.identity.tables import users
from ingot.instance.settings import named_settings
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.web.call import PageCall, View
from ingot.web.form_targets import policy_on_the_way
from ingot.web.frames import site_view
from ingot.web.kept_forms import ask_to_send, find_kept, kept_fields
from ingot.web.rendering import FORM_COOKIE, render_view

MOST_SESSIONS = 100
REMEMBERED = timedelta(weeks=2)
REMEMBER = "remembered"  # in the details of a session whose person wants to stay signed in
ADMIN_MODE, ADMIN_SECONDS = "admin_mode_until", 6 * 3600  # in the details of an administrator's session


def enter(call: PageCall, user_id: int, return_to: str, more: Mapping[str, object] | None = None) -> Response:
    """Open a new session; ends the oldest one above the limit."""
    moment = now()
    details: dict[str, object] = {**_kept_powers(call, user_id), **(more or {})}
    details["agent"] = call.request.headers.get("user-agent", "")[:200]
    if call.request.client is not None:
        details["address"] = call.request.client.host
    with call.services.db.write() as tx:
        _notice_new_address(tx, call, user_id, str(details.get("address", "")))
        lifetime = _lifetime(tx, details)
        details[sessions.LIFETIME] = int(lifetime.total_seconds())
        if call.session is not None:
            # Somebody signs in again: the session that they had ends.
            former = read_cookie(call.request, SESSION_COOKIE, call.base_url)
            if _is_own_session(call, user_id):
                details |= waiting_details(tx, former)
            sessions.close_session(tx, former)
        clear = sessions.open_session(tx, user_id, moment + lifetime, details)
        if more and ADMIN_MODE in more:
            report_change(tx, Change("account", "enter_admin_mode", user_id, details={"author_id": user_id}))
        keep = (
            select(session_table.c.digest)
            .where(session_table.c.user_id == user_id)
            .order_by(session_table.c.created_at.desc())
            .limit(MOST_SESSIONS)
        )
        tx.execute(delete(session_table).where(session_table.c.user_id == user_id, session_table.c.digest.not_in(keep)))
        tx.execute(
            update(users)
            .where(users.c.id == user_id)
            .values(
                last_sign_in_at=func.coalesce(users.c.current_sign_in_at, moment),
                last_sign_in_ip=users.c.current_sign_in_ip,
                current_sign_in_at=moment,
                current_sign_in_ip=details.get("address"),
                sign_in_count=users.c.sign_in_count + 1,
                last_activity_on=moment.date(),
                failed_attempts=0,
            )
        )
    response = _first_page(call, clear, return_to)
    set_cookie(response, SESSION_COOKIE, clear, call.base_url, max_age=int(lifetime.total_seconds()))
    response.delete_cookie(FORM_COOKIE)
    return response


def admin_mode_end() -> int:
    """Until when somebody is in admin mode who enters it now, in seconds."""
    return int(now().timestamp()) + ADMIN_SECONDS


def _kept_powers(call: PageCall, user_id: int) -> dict[str, object]:
    """Who signs in again to prove who they are stays in admin mode."""
    if call.session is None or not _is_own_session(call, user_id):
        return {}
    return {name: value for name, value in call.session.details.items() if name == ADMIN_MODE}


def _is_own_session(call: PageCall, user_id: int) -> bool:
    """The person who signs in again opened the session themselves."""
    session = call.session
    return session is not None and session.id == user_id and sessions.IMPERSONATOR not in session.details


def _first_page(call: PageCall, clear: str, return_to: str) -> Response:
    """Where somebody wanted to go, or what they wanted to send when their session had ended."""
    form = find_kept(call)
    if form is None:
        return RedirectResponse(return_to, 303)
    with call.services.db.read() as conn:
        call.session = sessions.find_session(conn, clear)
        call.actor = call.actor if call.session is None else actor_of_session(conn, call.session)
    return render_view(call, ask_to_send(call, form, status=200))


def _notice_new_address(tx: Connection, call: PageCall, user_id: int, address: str) -> None:
    """Tell people who signed in before that somebody signs in from where they never did, as far as is known."""
    names = (users.c.current_sign_in_ip, users.c.last_sign_in_ip)
    known = set(tx.execute(select(*names).where(users.c.id == user_id)).one()) - {None}
    if not call.services.settings.smtp_url or not address or not known or address in known:
        return
    opened = tx.execute(select(session_table.c.details).where(session_table.c.user_id == user_id)).scalars()
    if address not in {details.get("address") for details in opened}:
        queue_account_mail(tx, user_id, NEW_SIGN_IN, detail=address)


def _lifetime(conn: Connection, details: dict[str, object]) -> timedelta:
    """How long a session lasts without use: as the instance says, or two weeks for those who want to stay.

    Where the instance does not offer that, the wish is taken out of the details.
    """
    settings = named_settings(conn, "session_expire_delay", "remember_me_enabled")
    if not settings["remember_me_enabled"]:
        details.pop(REMEMBER, None)
    idle = timedelta(minutes=settings["session_expire_delay"])
    return max(idle, REMEMBERED) if REMEMBER in details else idle


def form_view(call: PageCall, template: str, data: dict[str, object], status: int = 200) -> View:
    """A form for somebody without a session: its token is compared with a cookie instead."""
    value = call.request.cookies.get(FORM_COOKIE, "")
    headers = {}
    if len(value) != 64 or not value.isalnum() or not value.isascii():
        value = secrets.token_hex(32)
        secure = "; Secure" if call.base_url.startswith("https:") else ""
        headers["Set-Cookie"] = f"{FORM_COOKIE}={quote(value)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400{secure}"
    # Who signs in again has a session, whose own token counts.
    token = value if call.session is None else call.session.csrf
    view = site_view(call, template, status, token=masked(token), **{**data, **kept_fields(call)})
    with call.services.db.read() as conn:
        headers.update(policy_on_the_way(conn, str(data.get("return_to", ""))))
    view.headers.update(headers)
    return view
