"""Signing in by the OpenID Connect provider of the instance, and connecting an account with it."""

import hmac
import logging
from collections.abc import Callable

from sqlalchemy import delete, select
from starlette.responses import RedirectResponse, Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.openid import (
    PROVIDER,
    ProviderUnavailable,
    Refused,
    SignInState,
    authorization_url,
    connect_account,
    fetch_identity,
    find_account,
    find_label,
    new_state,
    read_state,
    register_account,
    seal_state,
)
from ingot.features.people.user_pages import local_path, set_cookie
from ingot.identity.authentication import check_user
from ingot.identity.tables import identities, users
from ingot.kit.clock import now
from ingot.kit.errors import ApiError, NotFound
from ingot.web.call import PageCall, View
from ingot.web.entering import ADMIN_MODE, admin_mode_end
from ingot.web.frames import site_view
from ingot.web.guards import Proved
from ingot.web.pages.admin_mode import admin_mode_form, return_to_of
from ingot.web.pages.sign_in import sign_in_form
from ingot.web.proving import is_of_service
from ingot.web.registry import Pages
from ingot.web.second_step import enter_or_ask
from ingot.web.sending import done
from ingot.web.visitors import require_administrators_session, require_session

pages = Pages("site")
log = logging.getLogger("ingot.openid")
BEGIN = "users/auth/openid_connect"
SERVICES = "-/user_settings/sign_in_services"
ADMIN_SESSION = "admin/session/openid_connect"
COOKIE = "_ingot_openid"
MINUTES_10 = 600
UNREACHABLE = "The sign-in service is not available. Try again, or sign in another way."
STALE = "This sign-in expired or was started in another browser. Start again."
DENIED = "The sign-in service denied access."
NOT_ASKED = "The sign-in service did not ask you to sign in again. Sign out there, then try again."
NOT_TOLD = "Admin mode requires a sign-in service that reports when you last signed in (auth_time). This one does not."
OTHER_PERSON = "Another user is signed in now. Start again."
OTHER_ACCOUNT = "You are signed in to the sign-in service as another user. Sign out there, then try again."


@pages.get(BEGIN)
def begin_sign_in(call: PageCall) -> View | Response:
    """Send the browser to the provider; somebody who is signed in only to prove once more who they are."""
    _require_provider(call)
    return_to = local_path(str(call.values.get("return_to", "")), fallback="/")
    is_again = "again" in call.values
    if call.session is not None and not is_again:
        return RedirectResponse(return_to, 302)
    state = new_state(return_to, is_again=is_again)
    try:
        url = authorization_url(call.services, state, _callback(call))
    except ProviderUnavailable as error:
        return _refuse(call, return_to, error)
    response = RedirectResponse(url, 302, headers={"Cache-Control": "no-store"})
    set_cookie(response, COOKIE, seal_state(call.services, state), call.base_url, max_age=MINUTES_10)
    return response


@pages.get(BEGIN + "/callback")
def finish_sign_in(call: PageCall) -> View | Response:
    """The browser comes back: sign the person in, or connect the account that they asked for."""
    _require_provider(call)
    state = read_state(call.services, call.request.cookies.get(COOKIE, ""))
    sent = str(call.values.get("state", ""))
    if state is None or not hmac.compare_digest(sent.encode(), state.state.encode()):
        return _problem(call, "/", STALE)
    try:
        result = _finish(call, state)
    except ProviderUnavailable as error:
        result = _refuse(call, state.return_to, error)
    except Refused as refusal:
        result = _problem(call, state.return_to, str(refusal))
    except ApiError as error:
        result = _problem(call, state.return_to, error.text.partition(" - ")[2] or error.text)
    return _without_state(result)


def _finish(call: PageCall, state: SignInState) -> View | Response:
    if "error" in call.values:
        raise Refused(DENIED)
    if state.user_id and (call.session is None or call.session.id != state.user_id):
        raise Refused(OTHER_PERSON)
    identity = fetch_identity(call.services, state, str(call.values.get("code", "")), _callback(call))
    if state.is_again and identity.signed_in_at is not None and identity.signed_in_at < now().timestamp() - MINUTES_10:
        raise Refused(NOT_ASKED)
    if state.admin_id and identity.signed_in_at is None:
        # Whoever sits at the browser can take the wish to be asked out of the address.
        raise Refused(NOT_TOLD)
    if state.user_id:
        with call.services.db.write() as tx:
            connect_account(tx, state.user_id, identity)
        return done(call, f"/{SERVICES}", "Account connected.")
    with call.services.db.write() as tx:
        known = find_account(tx, identity.subject)
        if state.admin_id and (known is None or known.id != state.admin_id):
            raise Refused(OTHER_ACCOUNT)
        is_open = call.services.settings.openid_registration
        user_id = known.id if known is not None else register_account(tx, identity, is_open=is_open)
        row = known or tx.execute(select(users).where(users.c.id == user_id)).one()
    check_user(row, call.base_url)
    more = {ADMIN_MODE: admin_mode_end()} if state.admin_id else {}  # it adds nothing to those who are none any more
    return enter_or_ask(call, user_id, state.return_to, more)


@pages.get(SERVICES, guard=SIGNED_IN)
def show_services(call: PageCall) -> View:
    """Whether the visitor's account is connected."""
    return _services(call)


@pages.post(SERVICES, guard=Proved(SIGNED_IN))
def begin_connecting(call: PageCall) -> View:
    """Begin to connect the account. A form with a token: nobody else can begin it for the visitor."""
    _require_provider(call)
    session = require_session(call)
    return _lead_on(call, new_state(f"/{SERVICES}", session.id), _services)


@pages.post(ADMIN_SESSION, guard=SIGNED_IN)
def begin_admin_mode(call: PageCall) -> View:
    """Begin to sign in again, to enter admin mode with it; a form with a token, as above."""
    _require_provider(call)
    session = require_administrators_session(call)
    if not is_of_service(call, session):
        raise NotFound
    return _lead_on(call, new_state(return_to_of(call), is_again=True, admin_id=session.id), admin_mode_form)


def _lead_on(call: PageCall, state: SignInState, show: Callable[[PageCall, str, int, str], View]) -> View:
    """The page with a link to the provider, and what its answer is compared with. Forms may not lead elsewhere."""
    try:
        url = authorization_url(call.services, state, _callback(call))
    except ProviderUnavailable as error:
        log.warning("the OpenID Connect provider cannot be used: %s", error)
        return show(call, UNREACHABLE, 503, "")
    view = show(call, "", 200, url)
    response = Response()
    set_cookie(response, COOKIE, seal_state(call.services, state), call.base_url, max_age=MINUTES_10)
    view.headers["Set-Cookie"] = response.headers["set-cookie"]
    return view


@pages.post(SERVICES + "/remove", guard=Proved(SIGNED_IN))
def disconnect_account(call: PageCall) -> Response:
    """The provider no longer opens this account."""
    session = require_session(call)
    own = (identities.c.user_id == session.id, identities.c.provider == PROVIDER)
    with call.services.db.write() as tx:
        tx.execute(delete(identities).where(*own, identities.c.saml_provider_id.is_(None)))
    return done(call, f"/{SERVICES}", "Account disconnected.")


def _require_provider(call: PageCall) -> None:
    with call.services.db.read() as conn:
        if not find_label(call.services, conn):
            raise NotFound


def _callback(call: PageCall) -> str:
    return f"{call.base_url.rstrip('/')}/{BEGIN}/callback"


def _services(call: PageCall, problem: str = "", status: int = 200, continue_at: str = "") -> View:
    query = select(identities.c.extern_uid).where(
        identities.c.user_id == call.actor.id,
        identities.c.provider == PROVIDER,
        identities.c.saml_provider_id.is_(None),
    )
    with call.services.db.read() as conn:
        uid = conn.execute(query).scalar_one_or_none()
        label = find_label(call.services, conn)
    return site_view(
        call, "sign_in_services", status, uid=uid, label=label, problem=problem, continue_at=continue_at,
        part="services",
    )  # fmt: skip


def _refuse(call: PageCall, return_to: str, error: ProviderUnavailable) -> View:
    log.warning("the OpenID Connect provider cannot be used: %s", error)
    return _problem(call, return_to, UNREACHABLE, 503)


def _problem(call: PageCall, return_to: str, problem: str, status: int = 403) -> View:
    if call.session is not None:
        return _services(call, problem, status)
    return sign_in_form(call, return_to, problem=problem, status=status)


def _without_state(result: View | Response) -> View | Response:
    """A sign-in is answered once."""
    if isinstance(result, Response):
        result.delete_cookie(COOKIE)
    return result
