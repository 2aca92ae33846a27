"""Consent: an application asks for a person's rights, and the person decides."""

from datetime import timedelta
from urllib.parse import parse_qsl, quote, urlencode

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import SIGNED_IN
from ingot.features.people.oauth import (
    SCOPES,
    AuthorizationRequest,
    OAuthError,
    Redirected,
    grant_code,
    needs_consent,
    read_request,
)
from ingot.identity.proofs import is_recent
from ingot.identity.rows import SessionRow
from ingot.kit.clock import now
from ingot.kit.errors import Unauthorized
from ingot.web.call import PageCall, View
from ingot.web.form_targets import AUTHORIZE, policy_for
from ingot.web.frames import site_view
from ingot.web.guards import Proved
from ingot.web.hurdles import CONFIRM_ACCESS
from ingot.web.registry import Pages
from ingot.web.visitors import require_session

pages = Pages("site")
FIELDS = (
    "client_id", "redirect_uri", "response_type", "response_mode", "state", "scope", "code_challenge",
    "code_challenge_method", "nonce",
)  # fmt: skip
UNSTORED = {"Cache-Control": "no-store"}


@pages.get("oauth/authorize")
def ask_for_consent(call: PageCall) -> View | Response:
    """The page that asks, unless the answer is known already."""
    try:
        with call.services.db.read() as conn:
            request = read_request(conn, _texts(call))
    except Redirected as refusal:
        return _redirect(refusal.url)
    except OAuthError as error:
        return _problem(call, error)
    if call.session is not None:
        return _ask_person(call, request, call.session)
    if "none" not in request.prompts:
        raise Unauthorized
    return _send(call, request, request.denial("login_required"))


def _ask_person(call: PageCall, request: AuthorizationRequest, session: SessionRow) -> View | Response:
    """Ask for a new sign-in or for consent where needed; an application may ask for neither to be shown."""
    is_silent = "none" in request.prompts
    if "login" in request.prompts or _is_stale(request, session):
        if is_silent:
            return _send(call, request, request.denial("login_required"))
        return RedirectResponse(f"/users/sign_in?again=true&return_to={_here_once(call)}", 302)
    with call.services.db.read() as conn:
        is_asked = needs_consent(conn, request, session.id)
    if is_asked and is_silent:
        return _send(call, request, request.denial("consent_required"))
    if is_asked and not is_recent(session):
        # What an application gets lasts: whoever allows it proves first who they are.
        here = quote(f"{AUTHORIZE}?{call.request.url.query}", safe="")
        return RedirectResponse(f"/{CONFIRM_ACCESS}?return_to={here}", 302)
    return _consent(call, request) if is_asked else _allow(call, request, session)


@pages.post("oauth/authorize", guard=Proved(SIGNED_IN))
def answer_consent(call: PageCall) -> View | Response:
    """Send the browser back, with a code or with the word that the person does not want to."""
    session = require_session(call)
    try:
        with call.services.db.read() as conn:
            request = read_request(conn, _texts(call))
    except Redirected as refusal:
        return _redirect(refusal.url)
    except OAuthError as error:
        return _problem(call, error)
    if call.values.get("_method") == "delete":
        return _send(call, request, request.denial("access_denied"))
    return _allow(call, request, session)


def _texts(call: PageCall) -> dict[str, str]:
    return {name: value for name, value in call.values.items() if isinstance(value, str)}


def _is_stale(request: AuthorizationRequest, session: SessionRow) -> bool:
    if request.max_age is None:
        return False
    return session.session_created_at + timedelta(seconds=request.max_age) <= now()


def _here_once(call: PageCall) -> str:
    """This address, without what asks to sign in again: the person is about to."""
    pairs = [(name, value) for name, value in parse_qsl(call.request.url.query) if name not in ("prompt", "max_age")]
    return quote(f"{AUTHORIZE}?{urlencode(pairs)}", safe="")


def _consent(call: PageCall, request: AuthorizationRequest) -> View:
    texts = _texts(call)
    view = site_view(
        call, "oauth_authorize", application=request.application, redirect_uri=request.redirect_uri,
        scopes=[(name, SCOPES[name]) for name in request.scopes],
        fields=[(name, texts[name]) for name in FIELDS if name in texts],
    )  # fmt: skip
    view.headers.update({**policy_for(request.redirect_uri), **UNSTORED})
    return view


def _allow(call: PageCall, request: AuthorizationRequest, session: SessionRow) -> View | Response:
    with call.services.db.write() as tx:
        answer = grant_code(tx, request, session.id, session.session_created_at)
    return _send(call, request, answer)


def _send(call: PageCall, request: AuthorizationRequest, answer: dict[str, str | None]) -> View | Response:
    if request.response_mode != "form_post":
        return _redirect(request.address_with(answer))
    view = site_view(call, "oauth_form_post", target=request.redirect_uri, application=request.application,
                     fields=[(name, value) for name, value in answer.items() if value is not None])  # fmt: skip
    view.headers.update({**policy_for(request.redirect_uri), **UNSTORED})
    return view


def _redirect(url: str) -> Response:
    return RedirectResponse(url, 302, headers=UNSTORED)


def _problem(call: PageCall, error: OAuthError) -> View:
    """Nobody is sent to an address that no application registered."""
    return site_view(call, "oauth_problem", error.status, problem=error.text)
