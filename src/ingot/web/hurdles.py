"""What stands before a page although its guard lets the visitor in: a required second factor, or admin mode."""

from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from ingot.access.required_factors import find_requirement, start_grace
from ingot.features.people.user_pages import TWO_FACTOR_PAGE, is_excused
from ingot.identity.rows import SessionRow
from ingot.web.call import PageCall, View
from ingot.web.kept_forms import carry_along

# Pages that are open before the second factor: those that set it up, and those of signing in; not those of people.
OPEN = frozenset(("sign_in", "sign_in_link", "sign_up", "password", "confirmation", "auth"))
ADMIN_SESSION = "/admin/session"
IMPERSONATION = "/admin/impersonation"
CONFIRM_ACCESS = "-/user_settings/confirm_access"
PUT_OFF = "two_factor_put_off"  # in the details of a session


def find_hurdle(call: PageCall) -> View | Response | None:
    """Where the visitor has to go first; None lets them through."""
    session, path = call.session, call.request.url.path
    if session is None or _is_open(path):
        return None
    if _must_set_up(call, session):
        return RedirectResponse(TWO_FACTOR_PAGE, 302 if call.is_read else 303)
    is_administration = (path == "/admin" or path.startswith("/admin/")) and path != IMPERSONATION
    if is_administration and session.is_admin and not call.actor.is_admin and not path.startswith(ADMIN_SESSION):
        if call.is_read:
            return RedirectResponse(f"{ADMIN_SESSION}/new?return_to={quote(path, safe='')}", 302)
        from ingot.web.pages.admin_mode import ask_for_admin_mode

        carry_along(call)
        return ask_for_admin_mode(call)
    return None


def _is_open(path: str) -> bool:
    # The forms of the second factor lead through the page that asks who somebody is.
    is_setting_up = path.startswith(TWO_FACTOR_PAGE) or path == f"/{CONFIRM_ACCESS}"
    return is_setting_up or (path.startswith("/users/") and path.split("/")[2] in OPEN)


def _must_set_up(call: PageCall, session: SessionRow) -> bool:
    if is_excused(session):
        return False
    with call.services.db.read() as conn:
        requirement = find_requirement(conn, session.id)
    if requirement is None:
        return False
    if requirement.is_new:
        with call.services.db.write() as tx:
            start_grace(tx, session.id)
    return requirement.is_overdue or not session.details.get(PUT_OFF)
