"""Pages of the visitor: own work, password, keys, sessions."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select
from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.user_pages import SESSION_COOKIE, read_cookie
from ingot.features.people.users import key_fingerprint
from ingot.identity import passwords, sessions
from ingot.identity.logins import is_of_directory
from ingot.identity.proofs import is_recent, note_proof
from ingot.identity.rows import StoredSessionRow
from ingot.identity.tables import sessions as session_table
from ingot.instance import application_setting
from ingot.instance.password_attempts import require_attempt
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import ApiError, NotFound
from ingot.web.agents import agent_words
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.guards import Proved
from ingot.web.list_filters import OWN_ISSUE_FILTERS, OWN_REQUEST_FILTERS, asked, chosen_filters, filter_facts
from ingot.web.new_password import new_password_problem, new_password_update
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.request_facts import add_request_facts
from ingot.web.sending import done, text
from ingot.web.visitors import require_session

pages = Pages("site")
# Not in the list of a person's sessions: what is none, and those of administrators who act as the person.
HIDDEN = sessions.NO_SESSIONS | {sessions.IMPERSONATOR}
WRONG_PASSWORD = "The current password is incorrect."
NO_PASSWORD = (
    "You signed in with your group's identity provider and have no password. Ask an administrator for a sign-in link"
    " to set one."
)


@pages.get("dashboard/merge_requests", guard=SIGNED_IN)
def list_own_requests(call: PageCall) -> View:
    """Merge requests to review, assigned or written."""
    scopes: dict[str, dict[str, object]] = {
        "review": {"reviewer_id": call.actor.id, "scope": "all"},
        "assigned": {"scope": "assigned_to_me"},
        "mine": {"scope": "created_by_me"},
    }
    part = text(call, "part")
    part = part if part in scopes else "review"
    filters = chosen_filters(call, OWN_REQUEST_FILTERS)
    wanted = {"state": "opened", **asked(filters), **scopes[part]}
    rows = call.ask_rows("/merge_requests", with_labels_details=True, with_merge_status_recheck=True, **wanted)
    add_request_facts(call, rows.items, rows.rows)
    facts = filter_facts("", filters, OWN_REQUEST_FILTERS, part=part)
    return site_view(call, "own_merge_requests", rows=rows, part=part, **facts)


@pages.get("dashboard/issues", guard=SIGNED_IN)
def list_own_issues(call: PageCall) -> View:
    """Issues assigned or written."""
    part = "mine" if call.values.get("part") == "mine" else "assigned"
    filters = chosen_filters(call, OWN_ISSUE_FILTERS)
    wanted = {"state": "opened", **asked(filters), "scope": "created_by_me" if part == "mine" else "assigned_to_me"}
    rows = call.ask_rows("/issues", with_labels_details=True, **wanted)
    return site_view(
        call, "own_issues", rows=rows, part=part, **filter_facts("", filters, OWN_ISSUE_FILTERS, part=part)
    )


@pages.get("-/user_settings/password/edit", guard=SIGNED_IN)
def show_password(call: PageCall) -> View:
    """The form for a new password, with its rules."""
    return _password_form(call)


@pages.post("-/user_settings/password", guard=Proved(SIGNED_IN, in_form=True, takes_link=True))
def change_password(call: PageCall) -> View | Response:
    """Set the password and end all other sessions."""
    session = require_session(call)
    if _has_password_elsewhere(call):
        return _password_form(call, status=403)
    if not _needs_no_password(call):
        require_attempt(call.services.db, session.id)
        if not passwords.matches(str(call.values.get("current_password", "")), session.password_hash):
            return _password_form(call, WRONG_PASSWORD if session.password_hash else NO_PASSWORD, 422)
    problem = new_password_problem(call, session)
    if problem:
        return _password_form(call, problem, 422)
    change = new_password_update(call, session)
    clear = read_cookie(call.request, SESSION_COOKIE, call.base_url)
    with call.services.db.write() as tx:
        tx.execute(change)
        sessions.close_others(tx, session.id, sessions.digest(clear))
        report_change(tx, Change("account", "edit", session.id, details={"before": session}))
        note_proof(tx, clear, by_link=None)
    return done(call, "/", "Password changed. Your other sessions have ended.")


@pages.get("-/user_settings/ssh_keys", guard=SIGNED_IN)
def list_keys(call: PageCall) -> View:
    """The visitor's SSH keys."""
    return _keys(call)


@pages.post("-/user_settings/ssh_keys", guard=Proved(SIGNED_IN))
def add_key(call: PageCall) -> View | Response:
    """Add a key; a refused form is shown again with its values."""
    title, key = text(call, "title"), text(call, "key")
    given = {name: text(call, name) or None for name in ("expires_at", "usage_type")}
    try:
        call.ask("/user/keys", "POST", title=title, key=key, **given)
    except ApiError as error:
        if error.status not in (400, 422):
            raise
        return _keys(call, title, key, refusal_of(error), error.status)
    return done(call, "/-/user_settings/ssh_keys", "Key added.")


@pages.post("-/user_settings/ssh_keys/{number:int}/remove", guard=Proved(SIGNED_IN))
def remove_key(call: PageCall) -> Response:
    """Remove a key."""
    call.ask("/user/keys/:key_id", "DELETE", key_id=call.path["number"])
    return done(call, "/-/user_settings/ssh_keys", "Key removed.")


@pages.get("-/user_settings/active_sessions", guard=SIGNED_IN)
def list_sessions(call: PageCall) -> View:
    """Where the visitor is signed in."""
    digest = sessions.digest(read_cookie(call.request, SESSION_COOKIE, call.base_url))
    rows = call.conn.execute(
        select(session_table)
        .where(session_table.c.user_id == call.actor.id, session_table.c.expires_at > now())
        .order_by(session_table.c.created_at.desc())
        .limit(100)
    ).all()
    shown = [
        {
            "address": row.details.get("address", ""), "agent": agent_words(row.details.get("agent", "")),
            "created_at": row.created_at.isoformat(), "is_this": row.digest == digest, "digest": row.digest,
            "used_at": _last_use(row).isoformat(),
        }
        for row in rows
        if HIDDEN.isdisjoint(row.details)
    ]  # fmt: skip
    return site_view(call, "sessions", sessions=shown, part="sessions")


def _last_use(row: StoredSessionRow) -> datetime:
    """When the session was extended, at most once an hour: from then on it has its whole lifetime again."""
    seconds = row.details.get(sessions.LIFETIME)
    if not isinstance(seconds, int):
        return row.created_at
    return max(row.created_at, row.expires_at - timedelta(seconds=seconds))


@pages.post("-/user_settings/active_sessions/end", guard=SIGNED_IN)
def end_session(call: PageCall) -> Response:
    """End one session of the visitor."""
    mine = (session_table.c.user_id == call.actor.id) & (session_table.c.digest == str(call.values.get("session", "")))
    with call.services.db.write() as tx:
        if tx.execute(delete(session_table).where(mine)).rowcount == 0:
            raise NotFound
    return done(call, "/-/user_settings/active_sessions", "Session ended.")


@pages.post("-/user_settings/active_sessions/end_others", guard=SIGNED_IN)
def end_other_sessions(call: PageCall) -> Response:
    """End all sessions but this one."""
    digest = sessions.digest(read_cookie(call.request, SESSION_COOKIE, call.base_url))
    with call.services.db.write() as tx:
        sessions.close_others(tx, call.actor.id, digest)
    return done(call, "/-/user_settings/active_sessions", "Your other sessions have ended.")


def _has_password_elsewhere(call: PageCall) -> bool:
    """People of a directory have their password there; one of this server would outlive it."""
    with call.services.db.read() as conn:
        return is_of_directory(conn, call.actor.id)


def _needs_no_password(call: PageCall) -> bool:
    """Who has just come by a link, or has no password yet, cannot know one.

    Whom a group's identity provider let in gets none this way: it would outlast what the provider may open.
    """
    session = call.session
    if session is None or "saml_provider_id" in session.details:
        return False
    return not session.password_hash or ("by_link" in session.details and is_recent(session))


def _password_form(call: PageCall, problem: str = "", status: int = 200) -> View:
    with call.services.db.read() as conn:
        minimum = int(application_setting(conn, "minimum_password_length"))
    return site_view(
        call, "password", status, problem=problem, minimum=minimum, asks_current=not _needs_no_password(call),
        is_elsewhere=_has_password_elsewhere(call), part="password",
    )  # fmt: skip


def _keys(call: PageCall, title: str = "", key: str = "", problem: str = "", status: int = 200) -> View:
    rows = call.ask_rows("/user/keys", per_page="100")
    for row in rows.items:
        row["fingerprint"] = key_fingerprint(row["key"])
    return site_view(
        call, "keys", status, rows=rows, title=title, key=key, expires_at=text(call, "expires_at"), problem=problem,
        part="keys", usage_type=text(call, "usage_type"),
    )  # fmt: skip
