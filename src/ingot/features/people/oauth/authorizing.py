"""Authorisation requests: what a client asks of a user, whether it may, and the code that answers it."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Connection, insert

from ingot.features.people.oauth.errors import OAuthError, missing
from ingot.features.people.oauth.issuing import new_family
from ingot.features.people.oauth.pkce import check_challenge
from ingot.features.people.oauth.queries import find_client, granted_scopes
from ingot.features.people.oauth.redirects import is_registered, with_answer
from ingot.features.people.oauth.rows import ApplicationRow
from ingot.features.people.oauth.scopes import requested_scopes
from ingot.identity.oauth_tables import oauth_grants
from ingot.identity.tokens import digest
from ingot.kit.clock import now

LIFETIME = timedelta(minutes=10)
RESPONSE_MODES = ("query", "fragment", "form_post")
LONGEST_NONCE = 1000


class Redirected(Exception):
    """The request is wrong, and the client is told so at its own address."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class AuthorizationRequest(msgspec.Struct, frozen=True):
    """A request that can be answered."""

    application: ApplicationRow
    redirect_uri: str
    scopes: list[str]
    state: str | None
    response_mode: str
    nonce: str | None
    code_challenge: str | None
    code_challenge_method: str | None
    prompts: frozenset[str]
    max_age: int | None

    def denial(self, error: str) -> dict[str, str | None]:
        """What the client gets instead of a code."""
        return {"error": error, "error_description": OAuthError(error).text, "state": self.state}

    def address_with(self, values: Mapping[str, str | None]) -> str:
        """Where the browser is sent with an answer."""
        return with_answer(self.redirect_uri, self.response_mode, **values)


def read_request(conn: Connection, values: Mapping[str, str]) -> AuthorizationRequest:
    """The request. Until client and redirect URI are known to belong together nobody is sent anywhere."""
    if not values.get("client_id"):
        raise missing("client_id")
    application = find_client(conn, values["client_id"])
    if application is None:
        raise OAuthError("invalid_client")
    redirect_uri = values.get("redirect_uri", "")
    if not redirect_uri:
        raise missing("redirect_uri")
    if not is_registered(redirect_uri, application.redirect_uri):
        raise OAuthError("invalid_redirect_uri")
    mode = values.get("response_mode", "") or "query"
    try:
        return _read_rest(application, redirect_uri, mode, values)
    except OAuthError as error:
        answer = {"error": error.error, "error_description": error.text, "state": values.get("state") or None}
        shown = "fragment" if mode == "fragment" else "query"
        raise Redirected(with_answer(redirect_uri, shown, **answer)) from None


def _read_rest(
    application: ApplicationRow, redirect_uri: str, mode: str, values: Mapping[str, str]
) -> AuthorizationRequest:
    if not values.get("response_type"):
        raise missing("response_type")
    if values["response_type"] != "code":
        raise OAuthError("unsupported_response_type")
    if mode not in RESPONSE_MODES or len(values.get("nonce", "")) > LONGEST_NONCE:
        raise OAuthError("invalid_request")
    challenge, method = values.get("code_challenge") or None, values.get("code_challenge_method") or "plain"
    if challenge is not None:
        check_challenge(challenge, method)
    elif not application.confidential:
        raise missing("code_challenge")
    max_age = values.get("max_age", "")
    if max_age and not (max_age.isascii() and max_age.isdigit() and len(max_age) < 10):
        raise OAuthError("invalid_request")
    return AuthorizationRequest(
        application=application,
        redirect_uri=redirect_uri,
        scopes=requested_scopes(values.get("scope", ""), application.scopes),
        state=values.get("state") or None,
        response_mode=mode,
        nonce=values.get("nonce") or None,
        code_challenge=challenge,
        code_challenge_method=None if challenge is None else method,
        prompts=frozenset(values.get("prompt", "").split()),
        max_age=int(max_age) if max_age else None,
    )


def needs_consent(conn: Connection, request: AuthorizationRequest, user_id: int) -> bool:
    """The user has to be asked: not for trusted applications, nor for what they allowed a confidential one before."""
    if "consent" in request.prompts:
        return True
    if request.application.trusted:
        return False
    # Anybody on the user's machine can pretend to be a public application.
    if not request.application.confidential:
        return True
    return not set(request.scopes) <= granted_scopes(conn, request.application.id, user_id)


def grant_code(
    tx: Connection, request: AuthorizationRequest, user_id: int, signed_in_at: datetime
) -> dict[str, str | None]:
    """A code for the client, good once; with the state that it sent."""
    clear = secrets.token_hex(32)
    tx.execute(
        insert(oauth_grants).values(
            application_id=request.application.id,
            user_id=user_id,
            digest=digest(clear),
            redirect_uri=request.redirect_uri,
            scopes=request.scopes,
            code_challenge=request.code_challenge,
            code_challenge_method=request.code_challenge_method,
            nonce=request.nonce,
            signed_in_at=signed_in_at,
            family=new_family(),
            expires_at=now() + LIFETIME,
        )
    )
    return {"code": clear, "state": request.state}
