"""Impersonation: an administrator acts as another person for a while, and then as themselves again."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection, select
from starlette.responses import RedirectResponse, Response

from ingot.access.policy import ADMINISTRATOR, SIGNED_IN
from ingot.features.people.user_pages import (
    OWN_COOKIE,
    SESSION_COOKIE,
    delete_cookie,
    read_cookie,
    set_cookie,
    set_flash,
)
from ingot.identity import sessions
from ingot.identity.authentication import check_user, user_by_name_or_id
from ingot.identity.proofs import PROVED_AT, last_proof
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import NotFound, Unprocessable
from ingot.web.call import PageCall
from ingot.web.guards import Proved
from ingot.web.registry import Pages
from ingot.web.visitors import require_session

pages = Pages("site")
LONGEST = timedelta(hours=6)


def may_impersonate(call: PageCall, record: Mapping[str, object]) -> bool:
    """The visitor is shown the button: for people who can sign in, where the instance allows it."""
    is_acting = call.session is None or sessions.IMPERSONATOR in call.session.details
    return not record.get("bot") and not is_acting and bool(application_setting(call.conn, "impersonation_enabled"))


@pages.post("admin/users/{name}/impersonate", guard=Proved(ADMINISTRATOR))
def start_impersonation(call: PageCall) -> Response:
    """Open a session as the person, which ends with the administrator's own."""
    own, clear = require_session(call), read_cookie(call.request, SESSION_COOKIE, call.base_url)
    with call.services.db.write() as tx:
        if not application_setting(tx, "impersonation_enabled"):
            raise NotFound
        if sessions.IMPERSONATOR in own.details:
            raise Unprocessable("You are already impersonating another user")
        person = _find_person(call, tx)
        end = min(own.session_expires_at, now() + LONGEST)
        details = {
            sessions.IMPERSONATOR: {"id": own.id, "name": own.name}, sessions.OWN_SESSION: sessions.digest(clear),
            sessions.ENDS_AT: end.isoformat(), "agent": own.details.get("agent", ""),
            PROVED_AT: int(last_proof(own).timestamp()),
        }  # fmt: skip
        lent = sessions.open_session(tx, person.id, end, details)
        report_change(tx, Change("account", "start_impersonation", person.id))
    response = RedirectResponse("/", 303)
    set_cookie(response, SESSION_COOKIE, lent, call.base_url, max_age=_seconds_to(end))
    set_cookie(response, OWN_COOKIE, clear, call.base_url, max_age=_seconds_to(own.session_expires_at))
    return response


@pages.post("admin/impersonation", guard=SIGNED_IN)
def stop_impersonation(call: PageCall) -> Response:
    """End the session as the person and go back to the administrator's own."""
    lent, own_clear = require_session(call), read_cookie(call.request, OWN_COOKIE, call.base_url)
    if sessions.IMPERSONATOR not in lent.details:
        raise NotFound
    with call.services.db.write() as tx:
        sessions.stop_impersonation(tx, read_cookie(call.request, SESSION_COOKIE, call.base_url), lent)
        own = sessions.find_session(tx, own_clear)
    response = RedirectResponse(f"/admin/users/{lent.username}", 303)
    if own is not None and sessions.digest(own_clear) == lent.details[sessions.OWN_SESSION]:
        set_cookie(response, SESSION_COOKIE, own_clear, call.base_url, max_age=_seconds_to(own.session_expires_at))
        set_flash(response, own, f"You are no longer impersonating {lent.name}.", call.base_url)
    else:
        delete_cookie(response, SESSION_COOKIE, call.base_url)
    delete_cookie(response, OWN_COOKIE, call.base_url)
    return response


def _find_person(call: PageCall, conn: Connection) -> UserRow:
    """Somebody else who could sign in."""
    name = call.path["name"]
    by_name = conn.execute(select(users).where(users.c.username_lower == name.lower())).one_or_none()
    person: UserRow | None = by_name or user_by_name_or_id(conn, name)
    if person is None or person.kind != "human":
        raise NotFound("User")
    if person.id == call.actor.id:
        raise Unprocessable("You cannot impersonate yourself")
    check_user(person, call.base_url)
    return person


def _seconds_to(moment: datetime) -> int:
    return int((moment - now()).total_seconds())
