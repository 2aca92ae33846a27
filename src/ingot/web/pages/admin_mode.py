"""Admin mode: administrators confirm who they are before they use their powers, where the instance asks for it."""

from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.user_pages import SESSION_COOKIE, local_path, read_cookie
from ingot.identity import sessions
from ingot.kit.changes import Change, report_change
from ingot.web.call import PageCall, View
from ingot.web.entering import ADMIN_MODE, admin_mode_end
from ingot.web.frames import site_view
from ingot.web.kept_forms import ask_to_send, find_kept, kept_fields
from ingot.web.proving import ask_for_proof, check_proof, is_of_service
from ingot.web.registry import Pages
from ingot.web.sending import done
from ingot.web.visitors import require_administrators_session

pages = Pages("site")
PLACE = "admin/session"


@pages.get(PLACE + "/new", guard=SIGNED_IN)
def show_admin_session(call: PageCall) -> View:
    """The form that asks for the password, and for a code of those who have a second factor."""
    return ask_for_admin_mode(call)


def ask_for_admin_mode(call: PageCall) -> View:
    """The form alone, or on the way of another that came after admin mode had ended."""
    require_administrators_session(call)
    return admin_mode_form(call, status=401 if find_kept(call) else 200)


@pages.post(PLACE, guard=SIGNED_IN)
def enter_admin_mode(call: PageCall) -> View | Response:
    """Switch admin mode on for this session."""
    session = require_administrators_session(call)
    form = find_kept(call)
    problem = check_proof(call, needs_both=True, admin_mode_until=admin_mode_end())
    if problem is not None:
        return admin_mode_form(call, problem.words, problem.status)
    with call.services.db.write() as tx:
        report_change(tx, Change("account", "enter_admin_mode", session.id))
    if form is not None:
        return ask_to_send(call, form, status=200, is_confirmed=True)
    return done(call, return_to_of(call), "Admin mode is on.")


@pages.post(PLACE + "/destroy", guard=SIGNED_IN)
def leave_admin_mode(call: PageCall) -> Response:
    """Switch admin mode off again."""
    require_administrators_session(call)
    with call.services.db.write() as tx:
        sessions.set_details(tx, read_cookie(call.request, SESSION_COOKIE, call.base_url), **{ADMIN_MODE: None})
    return done(call, "/", "Admin mode is off.")


def return_to_of(call: PageCall) -> str:
    """Where the administrator wanted to go."""
    return local_path(str(call.values.get("return_to", "")), fallback="/admin")


def admin_mode_form(call: PageCall, problem: str = "", status: int = 200, continue_at: str = "") -> View:
    """The form; with the address at a sign-in service, where the administrator has begun to sign in again."""
    session, asked = require_administrators_session(call), ask_for_proof(call, needs_both=True)
    label = call.services.settings.openid_label if is_of_service(call, session) else ""
    return site_view(
        call, "admin_mode", status, problem=problem, return_to=return_to_of(call), way_label=label,
        continue_at=continue_at, **asked, **kept_fields(call),
    )  # fmt: skip
