"""Admin mode: administrators confirm who they are before they use their powers, where the instance asks for it."""

from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.user_pages import SESSION_COOKIE, local_path
from ingot.identity import passwords, second_factors, security_keys, sessions
from ingot.identity.rows import SessionRow
from ingot.instance.password_attempts import require_attempt
from ingot.instance.throttling import TooManyRequests
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.kept_forms import ask_to_send, find_kept, kept_fields
from ingot.web.registry import Pages
from ingot.web.second_step import CHALLENGE, WRONG_CODE, WRONG_KEY, ask_key, is_tried_too_often, proof_of
from ingot.web.sending import done
from ingot.web.visitors import require_administrators_session

pages = Pages("site")
PLACE = "admin/session"
SECONDS = 6 * 3600
REFUSED = "Invalid login or password."
NO_PROOF = "Set a password or a second factor first: without one nothing proves who you are."


@pages.get(PLACE + "/new", guard=SIGNED_IN)
def show_admin_session(call: PageCall) -> View:
    """The form that asks for the password, and for a code of those who have a second factor."""
    return ask_for_admin_mode(call)


def ask_for_admin_mode(call: PageCall) -> View:
    """The form alone, or on the way of another that came after admin mode had ended."""
    return _form(call, require_administrators_session(call), status=401 if find_kept(call) else 200)


@pages.post(PLACE, guard=SIGNED_IN)
def enter_admin_mode(call: PageCall) -> View | Response:
    """Switch admin mode on for this session."""
    session = require_administrators_session(call)
    problem = _find_problem(call, session)
    if problem:
        return _form(call, session, problem, 401)
    with call.services.db.write() as tx:
        until = int(now().timestamp()) + SECONDS
        sessions.set_details(tx, call.request.cookies.get(SESSION_COOKIE, ""), admin_mode_until=until)
        report_change(tx, Change("account", "enter_admin_mode", session.id))
    form = find_kept(call)
    return ask_to_send(call, form, status=200) if form else done(call, _return_to(call), "Admin mode is on.")


@pages.post(PLACE + "/destroy", guard=SIGNED_IN)
def leave_admin_mode(call: PageCall) -> Response:
    """Switch admin mode off again."""
    require_administrators_session(call)
    with call.services.db.write() as tx:
        sessions.set_details(tx, call.request.cookies.get(SESSION_COOKIE, ""), admin_mode_until=None)
    return done(call, "/", "Admin mode is off.")


def _find_problem(call: PageCall, session: SessionRow) -> str:
    """What is wrong with the proof; empty if nothing is."""
    user = call.values.get("user")
    fields: dict[str, object] = user if isinstance(user, dict) else {}
    require_attempt(call.services.db, session.id)
    password = str(fields.get("password", ""))[: passwords.MAXIMUM]
    if session.password_hash and not passwords.matches(password, session.password_hash):
        return REFUSED
    with call.services.db.write() as tx:
        is_asked = second_factors.has_second_factor(tx, session.id)
    if not is_asked:
        return "" if session.password_hash else NO_PROOF
    if is_tried_too_often(call.services.db, session.id):
        raise TooManyRequests
    proof = proof_of(fields)
    with call.services.db.write() as tx:
        is_right = proof.use(call, tx, session.id, str(session.details.get(CHALLENGE, "")))
        # A challenge is for one answer.
        sessions.set_details(tx, call.request.cookies.get(SESSION_COOKIE, ""), **{CHALLENGE: None})
    return "" if is_right else WRONG_KEY if proof.key else WRONG_CODE


def _return_to(call: PageCall) -> str:
    return local_path(str(call.values.get("return_to", "")), fallback="/admin")


def _form(call: PageCall, session: SessionRow, problem: str = "", status: int = 200) -> View:
    with call.services.db.read() as conn:
        asks_code = second_factors.has_second_factor(conn, session.id)
    data: dict[str, object] = {
        "problem": problem, "asks_code": asks_code, "asks_password": bool(session.password_hash),
        "return_to": _return_to(call), **kept_fields(call),
    }  # fmt: skip
    if asks_code:
        challenge = security_keys.new_challenge()
        with call.services.db.write() as tx:
            data |= ask_key(tx, call, session.id, challenge)
            sessions.set_details(tx, call.request.cookies.get(SESSION_COOKIE, ""), **{CHALLENGE: challenge})
    return site_view(call, "admin_mode", status, **data)
