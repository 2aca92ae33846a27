"""The provider: where it is, what it says about somebody, and whether that can be believed."""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, urlencode

import msgspec

from ingot.features.people.openid.state import SignInState
from ingot.kit.outbound import Limits, Outbound, OutboundFailed, Rules
from ingot.kit.outbound.client import Body
from ingot.kit.services import Services
from ingot.kit.thread_loops import run_async

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from joserfc.jwk import KeySetSerialization

# The operator chose the address, so it may lie in the operator's own network.
RULES = Rules(allow_local=True)
LIMITS = Limits(total=30, connect=10, redirects=0, reply_bytes=1024 * 1024)
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
LEEWAY = 60  # seconds that the provider's clock may be off


class ProviderUnavailable(Exception):
    """The provider cannot be reached, or its answer cannot be believed. The text is for the log, not for people."""


class Identity(msgspec.Struct, frozen=True):
    """Who signed in at the provider."""

    subject: str
    email: str
    is_verified: bool
    name: str
    username: str
    signed_in_at: int | None = None  # seconds; where the provider says when it asked the person


def authorization_url(services: Services, state: SignInState, callback: str) -> str:
    """Where the browser is sent."""
    digest = hashlib.sha256(state.verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": services.settings.openid_client_id,
        "redirect_uri": callback,
        "scope": services.settings.openid_scopes,
        "state": state.state,
        "nonce": state.nonce,
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
    }
    if state.is_again:
        # Providers that remember people ask them nevertheless, and say when that was.
        query |= {"prompt": "login", "max_age": "0"}
    address = _text(_configuration(services), "authorization_endpoint")
    return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"


def fetch_identity(services: Services, state: SignInState, code: str, callback: str) -> Identity:
    """Exchange the code, and read the verified identity token; the rest may come from userinfo."""
    configuration = _configuration(services)
    settings = services.settings
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": callback,
        "client_id": settings.openid_client_id,
        "code_verifier": state.verifier,
    }
    pair = f"{quote(settings.openid_client_id, safe='')}:{quote(settings.openid_client_secret, safe='')}"
    headers = {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    answer = _ask(services, "POST", _text(configuration, "token_endpoint"), headers, urlencode(form).encode())
    keys = _ask(services, "GET", _text(configuration, "jwks_uri"), {})
    issuer = _text(configuration, "issuer")
    claims = _verified_claims(services, issuer, _text(answer, "id_token"), keys, state)
    if not claims.get("email") and configuration.get("userinfo_endpoint"):
        bearer = {"Authorization": f"Bearer {_text(answer, 'access_token')}"}
        more = _ask(services, "GET", _text(configuration, "userinfo_endpoint"), bearer)
        if more.get("sub") != claims["sub"]:
            raise ProviderUnavailable("userinfo is about somebody else")
        claims = {**more, **claims}
    return Identity(
        subject=_text(claims, "sub"),
        email=str(claims.get("email") or ""),
        is_verified=claims.get("email_verified") is True,
        name=str(claims.get("name") or ""),
        username=str(claims.get("preferred_username") or claims.get("nickname") or ""),
        signed_in_at=claims["auth_time"] if isinstance(claims.get("auth_time"), int) else None,
    )


def _verified_claims(
    services: Services, issuer: str, token: str, keys: Mapping[str, object], state: SignInState
) -> dict[str, Any]:
    """The claims: signed by the provider, for this server, of this sign-in, and still valid."""
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    try:
        decoded = jwt.decode(token, KeySet.import_key_set(cast("KeySetSerialization", keys)), algorithms=ALGORITHMS)
        registry = jwt.JWTClaimsRegistry(
            leeway=LEEWAY,
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": services.settings.openid_client_id},
            exp={"essential": True},
            sub={"essential": True},
        )
        registry.validate(decoded.claims)
    except (JoseError, ValueError, KeyError) as error:
        raise ProviderUnavailable(f"the identity token was refused: {error}") from error
    claims = dict(decoded.claims)
    if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), state.nonce.encode()):
        raise ProviderUnavailable("the identity token belongs to another sign-in")
    party = claims.get("azp")
    if party is not None and party != services.settings.openid_client_id:
        raise ProviderUnavailable("the identity token was issued to another client")
    return claims


def _issuer(services: Services) -> str:
    return services.settings.openid_issuer.rstrip("/")


def _configuration(services: Services) -> dict[str, Any]:
    configuration: dict[str, Any] = _ask(services, "GET", f"{_issuer(services)}/.well-known/openid-configuration", {})
    if str(configuration.get("issuer", "")).rstrip("/") != _issuer(services):
        raise ProviderUnavailable("the provider calls itself by another name than `openid_issuer`")
    return configuration


def _ask(
    services: Services, method: str, url: str, headers: dict[str, str], form: bytes | None = None
) -> dict[str, Any]:
    outbound = services.outbound or Outbound()

    async def pieces() -> "AsyncIterator[bytes]":
        yield form or b""

    async def exchange() -> bytes:
        sent = {**headers, "Accept": "application/json"}
        body = None
        if form is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
            body = Body(pieces(), len(form))
        async with outbound.request(method, url, RULES, headers=sent, body=body, limits=LIMITS) as reply:
            if reply.status != 200:
                raise ProviderUnavailable(f"{url} answered {reply.status}")
            return b"".join([piece async for piece in reply.chunks()])

    try:
        result = msgspec.json.decode(run_async(exchange()))
    except (OutboundFailed, msgspec.DecodeError) as error:
        raise ProviderUnavailable(f"{url}: {error}") from error
    if not isinstance(result, dict):
        raise ProviderUnavailable(f"{url} did not answer with an object")
    return result


def _text(values: Mapping[str, object], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str) or not value:
        raise ProviderUnavailable(f"{name} is missing")
    return value
